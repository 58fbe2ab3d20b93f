import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProcess, readProcess } from '../../adapters/process/proc.ts';

/** Far above what workers use, so that a proof never shares a tree with a run. */
const FIRST_SLOT = 900;

/** A slot of this process alone; one whose owner is gone is taken again, and its trees with it. */
export function takeVerifySlot(home: string): { readonly slot: number; release(): void } {
  const dir = join(home, 'verify-slots');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (let slot = FIRST_SLOT; ; slot++) {
    const path = join(dir, String(slot));
    if (take(path)) return { slot, release: () => rmSync(path, { force: true }) };
  }
}

function take(path: string): boolean {
  const self = `${process.pid} ${readProcess(process.pid)?.startTicks ?? ''}`;
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(path, self, { flag: 'wx' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isHeld(path)) return false;
      rmSync(path, { force: true });
    }
  }
  return false;
}

function isHeld(path: string): boolean {
  try {
    const [, pid = '', startTicks = ''] = /^(\d+) (.*)$/s.exec(readFileSync(path, 'utf8')) ?? [];
    return checkProcess(Number(pid), startTicks) !== 'dead';
  } catch {
    return true;
  }
}
