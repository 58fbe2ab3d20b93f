import type { ProcessTable } from './proc.ts';

const COLUMNS = 'pid=,ppid=,pgid=,stat=,lstart=';

/**
 * Processes as `ps` tells them, on every system that is no Linux. It shows nobody's environment, so a process
 * that has left its group is not found this way.
 */
export const psTable: ProcessTable = {
  kind: 'ps',
  read: pid => (pid > 0 ? (list(['-p', String(pid)]).find(info => info.pid === pid) ?? null) : null),
  list: () => list(['-ax']),
  readVariable: () => null,
};

/** Whether there is a `ps` that understands the question. */
export function hasPs(): boolean {
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
