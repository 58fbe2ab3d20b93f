import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProducedFiles } from '../../ports/index.ts';
import { findInTree } from './find-in-tree.ts';

const MAX_FILES = 200;
const MAX_FILE_BYTES = 10_000_000;
const MAX_BYTES = 50_000_000;
/** Of very many files that were left out a few are named. */
const MAX_NAMED = 20;

/** Empties the folders that a run writes its artifacts to. */
export async function clearDirs(dir: string, wanted: readonly string[]): Promise<void> {
  for (const path of await findDirs(dir, wanted)) await rm(path, { recursive: true, force: true });
}

/** The regular files of these folders, those that tell of a failure first, as many as may be kept. */
export async function collectFiles(dir: string, wanted: readonly string[]): Promise<ProducedFiles> {
  const found: string[] = [];
  for (const folder of wanted) {
    const path = await findInTree(dir, folder);
    if (path !== null && (await isFolder(path))) await walk(path, folder.replace(/\/+$/, ''), found);
  }
  found.sort((a, b) => Number(tellsOfFailure(b)) - Number(tellsOfFailure(a)) || (a < b ? -1 : 1));
  const files: { path: string; bytes: Uint8Array }[] = [];
  const left: string[] = [];
  let total = 0;
  for (const path of found) {
    const bytes = files.length < MAX_FILES ? await readPlain(join(dir, path), MAX_BYTES - total) : 'too many';
    if (typeof bytes === 'string') {
      left.push(`${path}: ${bytes}`);
      continue;
    }
    total += bytes.length;
    files.push({ path, bytes });
  }
  const more = left.length - MAX_NAMED;
  return { files, left: more > 0 ? [...left.slice(0, MAX_NAMED), `${more} more files`] : left };
}

async function findDirs(dir: string, wanted: readonly string[]): Promise<string[]> {
  const paths = await Promise.all(wanted.map(folder => findInTree(dir, folder)));
  return paths.filter(path => path !== null);
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

/** Links are not followed: they may lead to any file of the user's. */
async function walk(path: string, name: string, found: string[]): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await walk(join(path, entry.name), `${name}/${entry.name}`, found);
    else if (entry.isFile()) found.push(`${name}/${entry.name}`);
  }
}

function tellsOfFailure(path: string): boolean {
  return /fail|error|actual|diff/i.test(path);
}

/** The bytes, or why they are not kept. */
async function readPlain(path: string, room: number): Promise<Uint8Array | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) return `${size} bytes, more than ${MAX_FILE_BYTES}`;
    if (size > room) return `no room left in ${MAX_BYTES} bytes`;
    return await file.readFile();
  } finally {
    await file.close();
  }
}
