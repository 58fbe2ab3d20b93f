import { readdirSync, readFileSync } from 'node:fs';
import { getProcessTable, readProcess } from './proc.ts';

/** A process somewhere below another one, and its command line. */
export interface ChildCommand {
  /** Tells it from a later process of the same number, and from the shell that it was before it began. */
  readonly key: string;
  readonly command: string;
}

/** Everything that runs below a process; nothing where this machine does not show it. */
export function listChildCommands(pid: number): readonly ChildCommand[] {
  if (getProcessTable().kind !== 'proc') return [];
  const found: ChildCommand[] = [];
  const queue = listChildren(pid);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const info = readProcess(next);
    if (info === null || info.isZombie) continue;
    queue.push(...listChildren(next));
    const command = readCommand(next);
    if (command !== '') found.push({ key: `${next}/${info.startTicks}/${command}`, command });
  }
  return found;
}

function listChildren(pid: number): number[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'),
    );
    return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}
