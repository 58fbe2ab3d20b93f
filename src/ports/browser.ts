export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface LookRequest {
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

/** One page as it looked. */
export interface Sight {
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

export interface LookResult {
  /** Why the application could not be looked at. */
  readonly problem: string | null;
  /** Set when that is the browser's fault and says nothing about the application. */
  readonly isBrowserFault?: boolean;
  readonly sights: readonly Sight[];
}

/** A real browser on the running application; neither of them runs any longer when `look` returns. */
export interface Browser {
  /** Why there is none to be had, with what to do about it. */
  readonly missing: string | null;
  look(request: LookRequest): Promise<LookResult>;
}
