import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files by which somebody without a command at hand says to wait or to end. */
export const SIGNAL_FILES = ['pause', 'stop'] as const;

export type SignalFile = (typeof SIGNAL_FILES)[number];

export function getSignalPath(stateDir: string, name: SignalFile): string {
  return join(stateDir, 'signals', name);
}

/** Why nothing may begin, as long as `FROZEN` lies in the state directory; null where it does not. */
export function readFrozen(stateDir: string): { readonly path: string; readonly reason: string } | null {
  const path = join(stateDir, 'FROZEN');
  return existsSync(path) ? { path, reason: readFileSync(path, 'utf8').trim().slice(0, 500) } : null;
}

/** Those that are there. */
export function readSignalFiles(stateDir: string): readonly SignalFile[] {
  return SIGNAL_FILES.filter(name => existsSync(getSignalPath(stateDir, name)));
}
