import { type BigIntStats, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinBytes, readStats, removeTree } from '../../process/remove-tree.ts';
import type { Area } from './area.ts';

/** A file that lies in a tree in another form than git has it: what it was made of, and what it is. */
export interface Filled {
  readonly id: string;
  readonly sha256: string;
  /** Nobody can set that back: a file with the same one has not been touched. */
  readonly ctimeNs: string;
}

/** By path, as bytes in latin1 text. Kept in the area's own git directory, where nobody works. */
export type FilledFiles = Readonly<Record<string, Filled>>;

const FILE = 'filled.json';

/** What was filled in when the area was last laid out. */
export function readFilled(area: Area): FilledFiles {
  try {
    return JSON.parse(readFileSync(join(area.gitDir, FILE), 'utf8')) as FilledFiles;
  } catch {
    return {};
  }
}

export function writeFilled(area: Area, files: FilledFiles): void {
  writeFileSync(join(area.gitDir, FILE), JSON.stringify(files));
}

/** Where a tracked path lies. */
export function getFile(area: Area, path: string): Buffer {
  return joinBytes(area.tree, Buffer.from(path, 'latin1'));
}

export function readTimes(file: Buffer): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Those that somebody may have written to since. */
export function findTouched(area: Area, files: FilledFiles): readonly string[] {
  return Object.keys(files).filter(path => {
    const stats = readTimes(getFile(area, path));
    return !stats?.isFile() || String(stats.ctimeNs) !== files[path]?.ctimeNs;
  });
}

/** Whether the way to a path is made of folders alone: behind a link, it would be somebody else's. */
export function hasRealParents(tree: string, path: string): boolean {
  const parts = path.split('/').slice(0, -1);
  return parts.every((_, at) =>
    readStats(joinBytes(tree, Buffer.from(parts.slice(0, at + 1).join('/'), 'latin1')))?.isDirectory(),
  );
}

/** Takes away what may have been written to, so that it is laid out anew whatever its times say. */
export function dropTouched(area: Area): void {
  const files = readFilled(area);
  const touched = new Set(findTouched(area, files));
  if (touched.size === 0) return;
  for (const path of touched) {
    const file = getFile(area, path);
    if (hasRealParents(area.tree, path) && readTimes(file)?.isFile()) removeTree(file);
  }
  writeFilled(area, Object.fromEntries(Object.entries(files).filter(([path]) => !touched.has(path))));
}
