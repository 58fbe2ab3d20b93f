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
  const queue = listChildren(pid, '');
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const info = readProcess(next.pid);
    if (info === null || info.isZombie) continue;
    const command = readCommand(next.pid);
    queue.push(...listChildren(next.pid, command));
    // A shell that is about to start something, or a subshell, has the line of its parent: it is no second command.
    if (command === '' || command === next.parent) continue;
    found.push({ key: `${next.pid}/${info.startTicks}/${command}`, command });
  }
  return found;
}

interface Child {
  readonly pid: number;
  /** The command line that it came from. */
  readonly parent: string;
}

function listChildren(pid: number, parent: string): Child[] {
  try {
    const lists = readdirSync(`/proc/${pid}/task`).map(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1'),
    );
    const pids = lists.flatMap(list => list.split(' ').filter(Boolean).map(Number));
    return pids.map(child => ({ pid: child, parent }));
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
