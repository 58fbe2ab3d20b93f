import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Signals } from '../../loop/observe.ts';
import type { Store } from '../../ports/index.ts';
import { recordWord } from '../people/person.ts';

/** What the files in `signals/` say: for those who would rather touch a file than run a command. */
export function readSignals(stateDir: string): Signals {
  return { stop: existsSync(getPath(stateDir, 'stop')), pause: existsSync(getPath(stateDir, 'pause')) };
}

/** A stop is said once: told to every other worker in the record, then taken away. */
export async function settleStopFile(stateDir: string, store: Store): Promise<void> {
  const path = getPath(stateDir, 'stop');
  if (!existsSync(path)) return;
  await recordWord(store, () => [
    { type: 'control.changed', mode: 'stopped', by: 'a file', reason: 'signals/stop' },
  ]);
  rmSync(path, { force: true });
}

function getPath(stateDir: string, name: 'pause' | 'stop'): string {
  return join(stateDir, 'signals', name);
}
