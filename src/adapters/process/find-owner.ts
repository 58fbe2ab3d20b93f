import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hasMarker, MARKER_VARIABLE } from './marker.ts';
import { getProcessTable, type ProcessInfo } from './proc.ts';

/** Whose processes listen on a port: ours alone, somebody else's as well, nobody's, or nobody can tell here. */
export type PortOwner = 'ours' | 'foreign' | 'nobody' | 'unseen';

/**
 * Who listens on a TCP port, on any address of this network. Ours is what is in the group of a process that we started,
 * or carries the mark of our run. A listener whose process cannot be seen is somebody else's: several may share a port,
 * and one foreign answer is enough to judge the wrong program.
 */
export function findPortOwner(port: number, group: number): PortOwner {
  const { kind, list } = getProcessTable();
  const sockets = kind === 'proc' ? readListening(port) : null;
  if (sockets === null) return 'unseen';
  if (sockets.size === 0) return 'nobody';
  const ours = list().filter(info => isOurs(info, group));
  const held = new Set(ours.flatMap(readSockets));
  return [...sockets].every(socket => held.has(socket)) ? 'ours' : 'foreign';
}

const LISTENING = '0A';

/** The inodes of the sockets that listen there; null where the kernel does not say. */
function readListening(port: number): ReadonlySet<string> | null {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const tables = ['tcp', 'tcp6'].map(name => readQuietly(`/proc/self/net/${name}`));
  if (tables.every(text => text === '')) return null;
  const rows = tables.flatMap(text => text.split('\n').slice(1)).map(row => row.trim().split(/\s+/));
  return new Set(
    rows.flatMap(([, local = '', , state, , , , , , inode]) =>
      state === LISTENING && local.endsWith(`:${hex}`) && inode ? [inode] : [],
    ),
  );
}

/** The last mark of a chain is that of the run that this process belongs to. */
function isOurs({ pid, group, isZombie }: ProcessInfo, ours: number): boolean {
  if (isZombie) return false;
  if (group === ours) return true;
  const own = process.env[MARKER_VARIABLE]?.split(',').at(-1) ?? '';
  return hasMarker(getProcessTable().readVariable(pid, MARKER_VARIABLE) ?? '', own);
}

function readSockets({ pid }: ProcessInfo): string[] {
  const dir = `/proc/${pid}/fd`;
  return listQuietly(dir).flatMap(fd => /^socket:\[(\d+)\]$/.exec(readLink(`${dir}/${fd}`))?.[1] ?? []);
}

/** A process may end between two looks, and that of another user shows nothing. */
function listQuietly(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
