import { setTimeout as sleep } from 'node:timers/promises';
import { hasMarker, MARKER_VARIABLE } from './marker.ts';
import { getProcessTable, type ProcessInfo, readProcess } from './proc.ts';

/** A process group that we created, named by its leader. */
export interface OwnedGroup {
  readonly pid: number;
  /** Null where the kernel could not be asked. */
  readonly startTicks: string | null;
}

export interface SweepResult {
  /** How many processes had to be killed. */
  readonly killed: number;
  /** How many would not go, even so (stuck in the kernel). */
  readonly survivors: number;
}

/**
 * Every live process whose marker starts with `prefix`, except ourselves and our own ancestors.
 * Without /proc (macOS) none can be found this way, and only process groups are ended.
 */
export function findMarked(prefix: string): readonly ProcessInfo[] {
  const { kind, list, readVariable } = getProcessTable();
  if (kind !== 'proc') return [];
  const spared = readOwnLine();
  return list().filter(({ pid, isZombie }) => {
    if (isZombie || spared.has(pid)) return false;
    const chain = readVariable(pid, MARKER_VARIABLE);
    return chain !== null && hasMarker(chain, prefix);
  });
}

/** Kills everything marked with `prefix` and returns when none of it is left. */
export async function killMarked(prefix: string, group?: OwnedGroup): Promise<SweepResult> {
  const killed = new Set<string>();
  let quietPasses = 0;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const left = [...findMarked(prefix), ...(group ? findInGroup(group) : [])];
    if (group) signalGroup(group, 'SIGKILL');
    for (const info of left) {
      killed.add(`${info.pid}/${info.startTicks}`);
      signalMarked(info, prefix, 'SIGKILL');
    }
    quietPasses = left.length === 0 ? quietPasses + 1 : 0;
    if (quietPasses >= QUIET_PASSES) return { killed: killed.size, survivors: 0 };
    await sleep(Math.min(2 ** pass, 50));
  }
  return { killed: killed.size, survivors: findMarked(prefix).length };
}

const MAX_PASSES = 200;

/** A process shows no environment for a moment while it execs, and may fork behind the reader: look twice. */
const QUIET_PASSES = 2;

/** Asks everything of a run to end, politely or not, without waiting; the group itself may be spared. */
export function signalRun(
  prefix: string,
  group: OwnedGroup,
  signal: NodeJS.Signals,
  spareGroup = false,
): void {
  if (!spareGroup) signalGroup(group, signal);
  for (const info of findMarked(prefix)) if (info.group !== group.pid) signalMarked(info, prefix, signal);
}

/** Ourselves and everyone above us: a harness inside an agent must not pull down its own house. */
function readOwnLine(): ReadonlySet<number> {
  const line = new Set<number>();
  let pid = process.pid;
  while (pid > 0 && !line.has(pid)) {
    line.add(pid);
    pid = readProcess(pid)?.parent ?? 0;
  }
  return line;
}

/** Members of the group that are not marked: started with an emptied environment, say. */
function findInGroup(group: OwnedGroup): readonly ProcessInfo[] {
  if (!isOurs(group) || !hasMembers(group)) return [];
  return getProcessTable()
    .list()
    .filter(info => info.group === group.pid && !info.isZombie);
}

/** Ends the groups that a dead worker wrote down, as far as their leaders still are the ones it started. */
export async function killNoted(groups: readonly OwnedGroup[]): Promise<number> {
  let killed = 0;
  for (const group of groups) {
    const leader = readProcess(group.pid);
    if (leader === null || leader.isZombie || leader.startTicks !== group.startTicks) continue;
    killed += (await killMarked('', group)).killed;
  }
  return killed;
}

function hasMembers(group: OwnedGroup): boolean {
  try {
    return process.kill(-group.pid, 0);
  } catch {
    return false;
  }
}

function signalGroup(group: OwnedGroup, signal: NodeJS.Signals): void {
  if (group.pid > 1 && isOurs(group)) killQuietly(-group.pid, signal);
}

/** The kernel keeps a group's number while it has members, so a leader of another age means a new group. */
function isOurs(group: OwnedGroup): boolean {
  const leader = readProcess(group.pid);
  return leader === null || leader.startTicks === group.startTicks;
}

/** Checks once more that the pid is still the same process and still marked. */
function signalMarked(info: ProcessInfo, prefix: string, signal: NodeJS.Signals): void {
  const chain = getProcessTable().readVariable(info.pid, MARKER_VARIABLE);
  if (chain === null || !hasMarker(chain, prefix)) return;
  if (readProcess(info.pid)?.startTicks === info.startTicks) killQuietly(info.pid, signal);
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in the meantime.
  }
}
