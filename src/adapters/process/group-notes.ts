import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findsEveryProcess } from './proc.ts';
import type { OwnedGroup } from './sweep.ts';

/** Where a worker's private temporary files are, so that a later harness can remove them. */
export function getTmpPrefix(workerId: string): string {
  return join(tmpdir(), `harness-${workerId}-`);
}

/** Writes down a group that was started, where a later harness could not find its processes by their mark. */
export function noteGroup(workerId: string, group: OwnedGroup): void {
  if (findsEveryProcess() || group.startTicks === null) return;
  const path = getNotesPath(workerId);
  try {
    if (!existsSync(path)) process.once('exit', () => rmSync(path, { force: true }));
    appendFileSync(path, `${group.pid} ${group.startTicks}\n`, { mode: 0o600 });
  } catch {
    // Nothing relies on it: a place whose processes may live is not used again.
  }
}

/** The groups that a worker started, as far as they were written down. */
export function readGroups(workerId: string): OwnedGroup[] {
  try {
    return readFileSync(getNotesPath(workerId), 'utf8')
      .split('\n')
      .flatMap(line => {
        const at = line.indexOf(' ');
        return at < 0 ? [] : [{ pid: Number(line.slice(0, at)), startTicks: line.slice(at + 1) }];
      });
  } catch {
    return [];
  }
}

function getNotesPath(workerId: string): string {
  return `${getTmpPrefix(workerId)}groups`;
}
