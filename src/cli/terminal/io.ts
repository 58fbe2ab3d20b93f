/** Where a command reads from and writes to: data on stdout, everything else on stderr. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Somebody is watching stderr: progress may be drawn in place. */
  readonly isTty: boolean;
  /** Colours on stderr. */
  readonly useColour: boolean;
  /** Colours on stdout. */
  readonly colourOut: boolean;
  out(text: string): void;
  err(text: string): void;
  exit(code: number): void;
}

type ProcessLike = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdout' | 'stderr'> & {
  exitCode?: number | string | null | undefined;
};

/** The real one. The streams are looked at only when needed: opening them takes longer than an answer. */
export function createIo(process: ProcessLike): Io {
  const { env } = process;
  const isWatched = (stream: { isTTY?: boolean }) => Boolean(stream.isTTY) && env.TERM !== 'dumb' && !env.CI;
  const hasColour = (getStream: () => { isTTY?: boolean }) => {
    if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
    return !env.NO_COLOR && isWatched(getStream());
  };
  return {
    env,
    cwd: process.cwd(),
    get isTty() {
      return isWatched(process.stderr);
    },
    get useColour() {
      return hasColour(() => process.stderr);
    },
    get colourOut() {
      return hasColour(() => process.stdout);
    },
    out: text => write(process.stdout, `${text}\n`),
    err: text => write(process.stderr, `${text}\n`),
    exit: code => {
      process.exitCode = code;
    },
  };
}

const guarded = new WeakSet<NodeJS.WritableStream>();

/** Whoever reads may stop reading, as `head` does: that is no failure of ours. */
function write(stream: NodeJS.WritableStream, text: string): void {
  if (!guarded.has(stream)) {
    guarded.add(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  stream.write(text);
}
