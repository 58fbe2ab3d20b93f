import { HarnessError } from '../../core/base/failure.ts';
import { readFrozen } from '../project/signal-files.ts';

const LOOK_MS = 500;

/**
 * As long as `FROZEN` lies in the state directory nothing is begun, and what is under way is halted as by Ctrl-C:
 * nothing is lost or charged. What the file says is the reason that people read.
 */
export async function whileNotFrozen<T>(
  stateDir: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const before = readFrozen(stateDir);
  if (before) throw getFrozen(before);
  const freeze = new AbortController();
  const timer = setInterval(() => {
    const frozen = readFrozen(stateDir);
    if (frozen) freeze.abort(getFrozen(frozen));
  }, LOOK_MS);
  timer.unref();
  try {
    return await run(AbortSignal.any([signal, freeze.signal]));
  } catch (error) {
    throw freeze.signal.aborted && !signal.aborted ? freeze.signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

function getFrozen({ path, reason }: NonNullable<ReturnType<typeof readFrozen>>): HarnessError {
  return new HarnessError('human', `frozen${reason === '' ? '' : `: ${reason}`}`, {
    file: path,
    fix: `rm '${path}', then harness run --all`,
  });
}
