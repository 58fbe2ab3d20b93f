/** Where a command reads from and writes to: data on stdout, everything else on stderr. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Somebody is watching: progress may be drawn in place. */
  readonly isTty: boolean;
  readonly useColour: boolean;
  out(text: string): void;
  err(text: string): void;
  exit(code: number): void;
}

type ProcessLike = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdout' | 'stderr'> & {
  exitCode?: number | string | null | undefined;
};

/** The real one. */
export function createIo(process: ProcessLike): Io {
  const { env } = process;
  const isTty = Boolean(process.stderr.isTTY) && env.TERM !== 'dumb' && !env.CI;
  return {
    env,
    cwd: process.cwd(),
    isTty,
    useColour: env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : !env.NO_COLOR && isTty,
    out: text => void process.stdout.write(`${text}\n`),
    err: text => void process.stderr.write(`${text}\n`),
    exit: code => {
      process.exitCode = code;
    },
  };
}
