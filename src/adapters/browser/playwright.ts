import { pathToFileURL } from 'node:url';
import type { FoundBrowser } from './find-browser.ts';

/** Loads the driver that was found; the package itself is there only where people installed it. */
export async function loadPlaywright({ entry }: Pick<FoundBrowser, 'entry'>): Promise<Playwright> {
  return (await import(pathToFileURL(entry).href)) as Playwright;
}

/** The part of Playwright that is used. */
interface Playwright {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string;
      readonly args: readonly string[];
      readonly headless: boolean;
      readonly chromiumSandbox?: boolean;
      readonly env?: Readonly<Record<string, string>>;
      readonly proxy?: ProxySettings;
      readonly handleSIGINT?: boolean;
      readonly handleSIGTERM?: boolean;
      readonly handleSIGHUP?: boolean;
    }): Promise<PlaywrightBrowser>;
  };
}

interface ProxySettings {
  readonly server: string;
  readonly bypass: string;
  readonly username?: string;
  readonly password?: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PlaywrightBrowser {
  newPage(options: { readonly viewport: Size }): Promise<PlaywrightPage>;
  newContext(options: {
    readonly viewport: Size;
    readonly userAgent: string;
    readonly proxy: ProxySettings;
    readonly serviceWorkers: 'block';
    readonly acceptDownloads: boolean;
  }): Promise<PlaywrightContext>;
  version(): string;
  close(): Promise<void>;
}

export interface PlaywrightContext {
  on(event: 'page', listener: (page: PlaywrightPage) => void): unknown;
  route(pattern: string, handler: (route: PlaywrightRoute) => unknown): Promise<void>;
  newPage(): Promise<PlaywrightPage>;
  newCDPSession(page: PlaywrightPage): Promise<{
    send(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>;
  }>;
  close(): Promise<void>;
}

interface PlaywrightRoute {
  request(): { url(): string; method(): string };
  continue(): Promise<void>;
  abort(): Promise<void>;
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
    options: { readonly waitUntil: 'load' | 'domcontentloaded'; readonly timeout: number },
  ): Promise<{ status(): number } | null>;
  waitForLoadState(state: 'load' | 'networkidle', options: { readonly timeout: number }): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  screenshot(options: { readonly path?: string; readonly timeout?: number }): Promise<Uint8Array>;
  setViewportSize(size: Size): Promise<void>;
  url(): string;
  close(): Promise<void>;
}
