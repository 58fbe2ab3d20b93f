import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What the kernel says of one process; start ticks tell a reused pid from the one we knew. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTicks: string;
  /** Dead, only not yet collected by its parent: it runs nothing and cannot be killed. */
  readonly isZombie: boolean;
}

/** Linux has /proc; macOS has not, and there only the process group is known. */
export const hasProc: boolean = existsSync('/proc/self/stat');

/** Null when there is no such process, or no /proc to ask. */
export function readProcess(pid: number): ProcessInfo | null {
  const text = readQuietly(`/proc/${pid}/stat`);
  const nameEnd = text.lastIndexOf(')');
  if (nameEnd < 0) return null;
  // The name in parentheses may hold spaces and parentheses; the third field starts after the last one.
  const fields = text.slice(nameEnd + 2).split(' ');
  const [state, parent, group] = fields;
  const startTicks = fields[19];
  if (!startTicks) return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    startTicks,
    isZombie: state === 'Z' || state === 'X',
  };
}

/** Every pid there is just now; empty without /proc. */
export function readPids(): number[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .map(Number)
    .filter(pid => pid > 0);
}

/** The value of one variable as the process was started with it; null when unset or not readable by us. */
export function readProcessVariable(pid: number, name: string): string | null {
  const environ = `\0${readQuietly(`/proc/${pid}/environ`)}`;
  const start = environ.indexOf(`\0${name}=`);
  if (start < 0) return null;
  const from = start + name.length + 2;
  const end = environ.indexOf('\0', from);
  return environ.slice(from, end < 0 ? undefined : end);
}

/** A process may end between two reads: then it says nothing. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
