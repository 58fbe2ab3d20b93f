import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What the kernel says of one process; its start tells a reused pid from the one we knew. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTicks: string;
  /** Dead, only not yet collected by its parent: it runs nothing and cannot be killed. */
  readonly isZombie: boolean;
}

/** How processes are looked at: through /proc on Linux, by `ps` elsewhere, or not at all. */
export interface ProcessTable {
  readonly kind: 'proc' | 'ps' | 'none';
  /** Null when there is no such process, or nobody to ask. */
  read(pid: number): ProcessInfo | null;
  list(): readonly ProcessInfo[];
  /** The value of one variable as the process was started with it; null when that cannot be seen. */
  readVariable(pid: number, name: string): string | null;
}

const procTable: ProcessTable = {
  kind: 'proc',
  read: readStat,
  list: () =>
    readdirSync('/proc')
      .map(name => readStat(Number(name)))
      .filter(info => info !== null),
  readVariable: (pid, name) => {
    const environ = `\0${readQuietly(`/proc/${pid}/environ`)}`;
    const start = environ.indexOf(`\0${name}=`);
    if (start < 0) return null;
    const from = start + name.length + 2;
    const end = environ.indexOf('\0', from);
    return environ.slice(from, end < 0 ? undefined : end);
  },
};

const noTable: ProcessTable = { kind: 'none', read: () => null, list: () => [], readVariable: () => null };

let table: ProcessTable | null = null;

/** The table of this machine. */
export function getProcessTable(): ProcessTable {
  table ??= existsSync('/proc/self/stat') ? procTable : hasPs() ? psTable : noTable;
  return table;
}

/** Another one than the machine's own, to see what would happen elsewhere; null goes back. */
export function useProcessTable(kind: ProcessTable['kind'] | null): void {
  table = kind === null ? null : ({ proc: procTable, ps: psTable, none: noTable } as const)[kind];
}

/** Whether everything that a run started can be found again, wherever it went: only then is a place free after it. */
export function findsEveryProcess(): boolean {
  return getProcessTable().kind === 'proc';
}

export function readProcess(pid: number): ProcessInfo | null {
  return getProcessTable().read(pid);
}

/** Whether a process is the one that was noted: alive, dead, or unknown where its start cannot be compared. */
export function checkProcess(pid: number, startTicks: string): 'alive' | 'dead' | 'unknown' {
  if (!hasPid(pid)) return 'dead';
  const found = readProcess(pid);
  if (getProcessTable().kind === 'none' || startTicks === '') return 'unknown';
  return found !== null && !found.isZombie && found.startTicks === startTicks ? 'alive' : 'dead';
}

/** Whether a process has this number; whose it is does not matter. */
export function hasPid(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readStat(pid: number): ProcessInfo | null {
  const text = pid > 0 ? readQuietly(`/proc/${pid}/stat`) : '';
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

/** A process may end between two reads: then it says nothing. */
function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/**
 * Processes as `ps` tells them, on every system that is no Linux. It shows nobody's environment, so a process
 * that has left its group is not found this way.
 */
const psTable: ProcessTable = {
  kind: 'ps',
  read: pid => (pid > 0 ? (list(['-p', String(pid)]).find(info => info.pid === pid) ?? null) : null),
  list: () => list(['-ax']),
  readVariable: () => null,
};

/** Whether there is a `ps` that understands the question. */
function hasPs(): boolean {
  return psTable.read(process.pid) !== null;
}

function list(which: readonly string[]) {
  // Lazily: `status` asks for one process, and for most projects for none.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = spawnSync('ps', [...which, '-o', COLUMNS], { env, encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap(line => {
    const [, pid, parent, group, state = '', startTicks = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (pid === undefined) return [];
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group) };
    return [{ ...numbers, startTicks, isZombie: /^[ZX]/.test(state) }];
  });
}
