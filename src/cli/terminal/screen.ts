/** What can be drawn on, and what it says of itself. */
export interface Screen {
  /** All of it at once. */
  write(text: string): void;
  getSize(): ScreenSize;
  nowMs(): number;
  /** Calls back when what was drawn is no longer where it was; the answer ends that. */
  watch(listener: ScreenListener): () => void;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenListener {
  /** It has another size. */
  resized(): void;
  /** Somebody else has written on it meanwhile: what was drawn stays where it is. */
  lost(): void;
  /** The process is about to end. */
  ending(): void;
}

/** The one that the harness is watched on. */
export function getStderr(): Screen {
  return {
    write: text => process.stderr.write(text),
    getSize: () => ({ columns: process.stderr.columns || 80, rows: process.stderr.rows || 24 }),
    nowMs: () => performance.now(),
    watch({ resized, lost, ending }) {
      process.stderr.on('resize', resized);
      process.on('SIGCONT', lost);
      // Before the error is written, which would else be where the cursor is expected.
      process.on('uncaughtExceptionMonitor', ending);
      process.on('exit', ending);
      return () => {
        process.stderr.off('resize', resized);
        process.off('SIGCONT', lost);
        process.off('uncaughtExceptionMonitor', ending);
        process.off('exit', ending);
      };
    },
  };
}
