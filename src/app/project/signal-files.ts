import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Files by which somebody without a command at hand says to wait or to end. */
export const SIGNAL_FILES = ['pause', 'stop'] as const;

export type SignalFile = (typeof SIGNAL_FILES)[number];

export function getSignalPath(stateDir: string, name: SignalFile): string {
  return join(stateDir, 'signals', name);
}

/** Those that are there. */
export function readSignalFiles(stateDir: string): readonly SignalFile[] {
  return SIGNAL_FILES.filter(name => existsSync(getSignalPath(stateDir, name)));
}
