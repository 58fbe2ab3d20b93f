import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';

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
  const path = join(stateDir, 'FROZEN');
  if (existsSync(path)) throw getFrozen(path);
  const freeze = new AbortController();
  const timer = setInterval(() => {
    if (existsSync(path)) freeze.abort(getFrozen(path));
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

function getFrozen(path: string): HarnessError {
  const reason = readFileSync(path, 'utf8').trim().slice(0, 500);
  return new HarnessError('human', `frozen${reason === '' ? '' : `: ${reason}`}`, {
    file: path,
    fix: `rm '${path}', then harness run --all`,
  });
}
