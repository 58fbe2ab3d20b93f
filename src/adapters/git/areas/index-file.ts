import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { getBaseName, getFolder } from '../../../core/base/tree-path.ts';
import { getIdBytes, type ObjectFormat } from '../repo/repo.ts';

/** What an index tracks, without asking git. Paths are bytes as latin1 text, '' being the top. */
export interface Tracked {
  /** Entries of mode 160000. */
  readonly gitlinks: readonly string[];
  /** For each directory with tracked files: how many names are in it, directories too. */
  readonly counts: ReadonlyMap<string, number>;
}

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const MODE_OFFSET = 24;
export const GITLINK_MODE = 0o160000;
const EXTENDED_FLAG = 0x4000;
const LENGTH_MASK = 0xfff;
const SLASH = 0x2f;
const NS = 1_000_000_000n;
const WORD = 0xffffffffn;

/** Directories and nested repositories. Names of files are only counted: there can be very many of them. */
export function getTracked(file: Buffer, format: ObjectFormat): Tracked {
  const gitlinks: string[] = [];
  const counts = new Map<string, number>([['', 0]]);
  visitDirs(file, format, (dir, entries) => {
    if (!counts.has(dir)) addDir(counts, dir);
    counts.set(dir, (counts.get(dir) ?? 0) + entries.length);
    for (const { nameAt, end, mode } of entries) {
      if (mode === GITLINK_MODE) gitlinks.push(file.toString('latin1', nameAt, end));
    }
  });
  return { gitlinks, counts };
}

/** The paths of all files, as bytes. */
export function* listTracked(file: Buffer, format: ObjectFormat): Generator<Buffer> {
  for (const { nameAt, end, mode } of readEntries(file, getIdBytes(format)))
    if (mode !== GITLINK_MODE) yield file.subarray(nameAt, end);
}

/** The names in some of the directories, files and directories alike. */
export function getNames(
  file: Buffer,
  format: ObjectFormat,
  dirs: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map([...dirs].map(dir => [dir, new Set<string>()]));
  visitDirs(file, format, (dir, entries) => {
    for (let path = dir; path !== ''; path = getFolder(path))
      names.get(getFolder(path))?.add(getBaseName(path));
    const found = names.get(dir);
    if (!found) return;
    const skip = dir === '' ? 0 : dir.length + 1;
    for (const { nameAt, end } of entries) found.add(file.toString('latin1', nameAt + skip, end));
  });
  return names;
}

/** One file or nested repository as the index has it; its path is bytes as latin1 text. */
export interface IndexEntry {
  readonly path: string;
  readonly id: string;
  readonly mode: number;
}

/** All that is tracked, or only what lies at some paths. */
export function listEntries(file: Buffer, format: ObjectFormat, paths?: ReadonlySet<string>): IndexEntry[] {
  const found: IndexEntry[] = [];
  for (const { at, nameAt, end, mode } of readEntries(file, getIdBytes(format))) {
    const path = file.toString('latin1', nameAt, end);
    if (paths && !paths.has(path)) continue;
    const id = file.toString('hex', at + STAT_BYTES, at + STAT_BYTES + getIdBytes(format));
    found.push({ path, id, mode });
  }
  return found;
}

/**
 * The same index, in which these files are as they lie on disk now: what git writes down itself after a
 * filter has made other bytes of a blob. They count as unchanged until somebody touches them.
 */
export function withStats(
  file: Buffer,
  format: ObjectFormat,
  stats: ReadonlyMap<string, BigIntStats>,
): Buffer {
  const index = Buffer.from(file);
  const idBytes = getIdBytes(format);
  for (const { at, nameAt, end, mode } of readEntries(file, idBytes)) {
    const found = stats.get(file.toString('latin1', nameAt, end));
    if (!found) continue;
    const { ctimeNs, mtimeNs, dev, ino, uid, gid, size } = found;
    const times = [ctimeNs / NS, ctimeNs % NS, mtimeNs / NS, mtimeNs % NS];
    const words = [...times, dev, ino, BigInt(mode), uid, gid, size];
    for (const [i, word] of words.entries()) index.writeUInt32BE(Number(word & WORD), at + 4 * i);
  }
  const body = index.subarray(0, index.length - idBytes);
  return Buffer.concat([body, createHash(format).update(body).digest()]);
}

interface Entry {
  /** Where the entry begins. */
  readonly at: number;
  readonly nameAt: number;
  readonly end: number;
  readonly mode: number;
}

/**
 * Reads an index file of version 2 or 3 (we write no other). It saves a process per use and gives
 * names as bytes. Entries of one directory that follow each other come together. Anything unexpected
 * is an error: the caller then rebuilds the index.
 */
function visitDirs(
  file: Buffer,
  format: ObjectFormat,
  visit: (dir: string, entries: readonly Entry[]) => void,
): void {
  let entries: Entry[] = [];
  let dirEnd = 0;
  const flush = (): void => {
    const [first] = entries;
    if (first) visit(file.toString('latin1', first.nameAt, dirEnd), entries);
    entries = [];
  };
  for (const entry of readEntries(file, getIdBytes(format))) {
    const slash = findLastSlash(file, entry);
    const [first] = entries;
    const isSame = first !== undefined && file.compare(file, entry.nameAt, slash, first.nameAt, dirEnd) === 0;
    if (!isSame) {
      flush();
      dirEnd = slash;
    }
    entries.push(entry);
  }
  flush();
}

function* readEntries(file: Buffer, idBytes: number): Generator<Entry> {
  const version = file.length > HEADER_BYTES ? file.readUInt32BE(4) : 0;
  if (file.toString('latin1', 0, 4) !== 'DIRC' || (version !== 2 && version !== 3)) {
    throw new Error(`not an index this version can read (version ${version})`);
  }
  let offset = HEADER_BYTES;
  for (let left = file.readUInt32BE(8); left > 0; left--) {
    const flagsAt = offset + STAT_BYTES + idBytes;
    const flags = file.readUInt16BE(flagsAt);
    const nameAt = flagsAt + (flags & EXTENDED_FLAG ? 4 : 2);
    const length = flags & LENGTH_MASK;
    const end = length < LENGTH_MASK ? nameAt + length : file.indexOf(0, nameAt);
    if (end < nameAt || file[end] !== 0) throw new Error('the index ends in the middle of an entry');
    yield { at: offset, nameAt, end, mode: file.readUInt32BE(offset + MODE_OFFSET) };
    offset += Math.floor((end - offset + 8) / 8) * 8;
  }
}

/** Where the name's directory ends: at the name's own start when it is at the top. */
function findLastSlash(file: Buffer, { nameAt, end }: Entry): number {
  for (let at = end - 1; at > nameAt; at--) if (file[at] === SLASH) return at;
  return nameAt;
}

/** A directory, and those above it, as names in the ones above. */
function addDir(counts: Map<string, number>, dir: string): void {
  counts.set(dir, 0);
  const parent = getFolder(dir);
  if (!counts.has(parent)) addDir(counts, parent);
  counts.set(parent, (counts.get(parent) ?? 0) + 1);
}
