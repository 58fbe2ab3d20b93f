export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface CaptureRequest {
  /** A pristine tree with its dependencies. */
  readonly dir: string;
  /** Starts the application; it finds its port in HARNESS_PORT and PORT. */
  readonly command: string;
  /** Where it answers; `HARNESS_PORT` in it stands for the port. */
  readonly url: string;
  readonly pages: readonly string[];
  readonly viewports: readonly Viewport[];
  readonly readyMs: number;
  readonly signal: AbortSignal;
}

/** One page as it looked, and what the browser said of it. */
export interface Screenshot {
  readonly page: string;
  readonly viewport: Viewport;
  /** Of the page itself; null when nothing came. */
  readonly status: number | null;
  /** Nothing to read and nothing to see. */
  readonly isBlank: boolean;
  /** Errors on the console and uncaught ones. */
  readonly errors: readonly string[];
  /** Requests that failed or were refused. */
  readonly failures: readonly string[];
  readonly png: Uint8Array | null;
}

export interface CaptureResult {
  /** Why there are no screenshots of the application. */
  readonly problem: string | null;
  /** Set when that is the browser's fault and says nothing about the application. */
  readonly isBrowserFault?: boolean;
  readonly screenshots: readonly Screenshot[];
}

/** A real browser on the running application; neither of them runs any longer when `capture` returns. */
export interface Browser {
  /** Why there is none to be had, with what to do about it. */
  readonly missing: string | null;
  capture(request: CaptureRequest): Promise<CaptureResult>;
}
