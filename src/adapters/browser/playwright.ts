/** The part of Playwright that is used; the package itself is there only where people installed it. */
export interface Playwright {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string;
      readonly args: readonly string[];
      readonly headless: boolean;
    }): Promise<PlaywrightBrowser>;
  };
}

export interface PlaywrightBrowser {
  newPage(options: {
    readonly viewport: { readonly width: number; readonly height: number };
  }): Promise<PlaywrightPage>;
  close(): Promise<void>;
}

export interface PlaywrightPage {
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown;
  on(event: 'pageerror', listener: (error: Error) => void): unknown;
  on(
    event: 'requestfailed',
    listener: (request: { url(): string; failure(): { errorText: string } | null }) => void,
  ): unknown;
  on(event: 'response', listener: (response: { url(): string; status(): number }) => void): unknown;
  goto(
    url: string,
    options: { readonly waitUntil: 'load'; readonly timeout: number },
  ): Promise<{ status(): number } | null>;
  waitForLoadState(state: 'networkidle', options: { readonly timeout: number }): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  close(): Promise<void>;
}
