import type { Io } from './io.ts';

/** Tells what is being tried while it goes on. */
export interface TrialReporter {
  /** A command begins; the answer says how it ended. */
  begin(command: string): (isGood: boolean, seen: string) => void;
  onLine(line: string): void;
  close(): void;
}

const EVERY_MS = 1_000;
/** Where nobody watches a moving line, a new one now and then. */
const EVERY_PLAIN_MS = 10_000;

/** On stderr: the command, and until it ends the seconds and the last line that it printed. */
export function createTrialReporter(io: Io): TrialReporter {
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) process.stderr.write('\r\u001b[2K');
    isDrawn = false;
  };
  const stop = (): void => {
    clearInterval(timer);
    clear();
  };
  const tell = (startedMs: number): void => {
    const text = `  ${Math.round((performance.now() - startedMs) / 1_000)} s  ${last}`;
    if (!io.isTty) {
      io.err(text.trimEnd());
      return;
    }
    clear();
    process.stderr.write(text.slice(0, (process.stderr.columns ?? 80) - 1));
    isDrawn = true;
  };
  return {
    begin: command => {
      stop();
      last = '';
      io.err(`trying: ${command}`);
      const startedMs = performance.now();
      timer = setInterval(() => tell(startedMs), io.isTty ? EVERY_MS : EVERY_PLAIN_MS);
      timer.unref();
      return (isGood, seen) => {
        stop();
        io.err(`  ${isGood ? 'works' : 'no'}: ${seen}`);
      };
    },
    onLine: line => {
      // Colours and cursor movements of a program would paint over ours.
      const plain = line.replace(CONTROL, '').trim();
      if (plain !== '') last = plain;
    },
    close: stop,
  };
}

const CONTROL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|[\\u0000-\\u001f]`, 'g');
