import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readStats } from '../../process/remove-tree.ts';
import type { GitContext } from '../repo/context.ts';
import { getCheckoutEnv } from '../repo/git-env.ts';
import { type Area, runArea } from './area.ts';
import {
  copyVerified,
  type FileSource,
  type Filled,
  type FilledFiles,
  findTouched,
  getFile,
  readFilled,
  readTimes,
  writeFilled,
} from './filled.ts';
import {
  type Filtered,
  type FilterSettings,
  getObjectPath,
  getPointer,
  MAX_POINTER_BYTES,
  readFiltered,
  readFilterSettings,
} from './filtered.ts';
import { type FoundGap, getFilterGap } from './gaps.ts';
import { listEntries, withStats } from './index-file.ts';

/** A file as young as the index would be looked into, and its bytes are not the blob's. */
const SETTLED_S = 10;

/**
 * Gives files that pass through a filter the content that a checkout would have, from what the user's clone has:
 * contents of Git LFS, and files of their checkout. No filter is run. Returns what could not be had.
 */
export async function fillFilters(ctx: GitContext, area: Area, index: Buffer): Promise<readonly FoundGap[]> {
  const filtered = await readFiltered(ctx, area, index);
  const before = readFilled(area);
  if (filtered.length === 0 && Object.keys(before).length === 0) return [];
  const filled: Record<string, Filled> = getKept(area, before, filtered);
  const stale = Object.keys(before).filter(path => !(path in filled));
  await checkOutPlain(ctx, area, index, stale);
  const find = createFinder(ctx, await readFilterSettings(ctx));
  const gaps: FoundGap[] = [];
  for (const file of filtered) {
    if (file.path in filled) continue;
    const found = await find(file, readFileSync(getFile(area, file.path)));
    if (found === null) continue;
    const sha256 = fill(getFile(area, file.path), file, found);
    if (sha256 !== null) filled[file.path] = { id: file.id, sha256, ctimeNs: '' };
    else gaps.push(getFilterGap(file, found.isLfs));
  }
  await checkOutPlain(
    ctx,
    area,
    index,
    gaps.map(({ bytes }) => bytes),
  );
  noteStats(ctx, area, filled);
  return gaps;
}

/** What lies there already, and still is what should. */
function getKept(area: Area, before: FilledFiles, wanted: readonly Filtered[]): Record<string, Filled> {
  const touched = new Set(findTouched(area, before));
  const ids = new Map(wanted.map(({ path, id }) => [path, id]));
  return Object.fromEntries(
    Object.entries(before).filter(([path, { id }]) => ids.get(path) === id && !touched.has(path)),
  );
}

/** Files as git has them. */
async function checkOutPlain(
  ctx: GitContext,
  area: Area,
  index: Buffer,
  paths: readonly string[],
): Promise<void> {
  const tracked = listEntries(index, ctx.repo.objectFormat, new Set(paths));
  if (tracked.length === 0) return;
  const input = Buffer.from(tracked.map(({ path }) => `${path}\0`).join(''), 'latin1');
  const result = await runArea(ctx, area, ['checkout-index', '-f', '-u', '-z', '--stdin'], { input });
  if (result.code !== 0) throw new Error(result.stderr);
}

/** Where the content of a file may be had, the first place first. */
interface Found {
  readonly sources: readonly FileSource[];
  readonly isLfs: boolean;
  /** Where to keep it: the checkout may be on another commit when it is asked for again. */
  readonly copy: string | null;
}

/** Null for a file that is laid out as git has it. */
function createFinder(
  ctx: GitContext,
  { smudging, lfsStorage }: FilterSettings,
): (file: Filtered, blob: Buffer) => Promise<Found | null> {
  let checkout: ReturnType<typeof readCheckout> | null = null;
  return async (file, blob) => {
    const pointer = blob.length < MAX_POINTER_BYTES ? getPointer(blob.toString('utf8')) : null;
    if (pointer) {
      const own = join(ctx.repo.root, Buffer.from(file.path, 'latin1').toString('utf8'));
      const places = [getObjectPath(lfsStorage, pointer.oid), own];
      const sources = places.map(path => ({ path, size: pointer.size, sha256: pointer.oid }));
      return { sources, isLfs: true, copy: null };
    }
    if (file.driver === 'lfs' || !smudging.has(file.driver)) return null;
    const key = createHash('sha256').update(`${file.driver}\0${file.path}`).digest('hex').slice(0, 16);
    const copy = join(ctx.home, 'filled', `${file.id}-${key}`);
    const size = readStats(copy)?.size;
    if (size !== undefined)
      return { sources: [{ path: copy, size, sha256: null }], isLfs: false, copy: null };
    checkout ??= readCheckout(ctx);
    const own = (await checkout)(file.path, file.id);
    return { sources: own ? [{ ...own, sha256: null }] : [], isLfs: false, copy };
  };
}

function fill(to: Buffer, file: Filtered, { sources, copy }: Found): string | null {
  for (const source of sources) {
    const sha256 = copyVerified(source, to, file.mode & 0o100 ? 0o777 : 0o666);
    if (sha256 === null) continue;
    const settled = Date.now() / 1_000 - SETTLED_S;
    utimesSync(to, settled, settled);
    if (copy !== null) keepCopy(source, copy);
    return sha256;
  }
  return null;
}

function keepCopy(source: FileSource, copy: string): void {
  mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
  if (copyVerified(source, `${copy}.${process.pid}`, 0o600) !== null)
    renameSync(`${copy}.${process.pid}`, copy);
}

/** Writes down how the filled files lie on disk: in our own notes, and for git in the index. */
function noteStats(ctx: GitContext, area: Area, filled: Record<string, Filled>): void {
  const stats = new Map<string, BigIntStats>();
  for (const [path, file] of Object.entries(filled)) {
    const found = readTimes(getFile(area, path));
    if (found === null) throw new Error(`${path} is gone`);
    stats.set(path, found);
    filled[path] = { ...file, ctimeNs: String(found.ctimeNs) };
  }
  writeFilled(area, filled);
  if (stats.size === 0) return;
  const index = readFileSync(area.indexFile);
  writeFileSync(area.indexFile, withStats(index, ctx.repo.objectFormat, stats));
}

/** What the index of a checkout says of one file: which blob it is, and how it lay on disk when git knew that. */
interface Noted {
  readonly id: string;
  readonly ctime: string;
  readonly mtime: string;
  readonly ino: number;
  readonly size: number;
}

/** The files of the user's checkout, by git's word: a path is given only for a file that is still as git left it. */
type CheckoutFiles = (path: string, id: string) => { readonly path: string; readonly size: number } | null;

const WORD = 0xffffffffn;
const NS = 1_000_000_000n;

/**
 * Looks up files in the user's checkout that are the checked-out form of a blob. Git noted that when it wrote
 * or last compared them, so neither the filter nor anything else of theirs has to run.
 */
async function readCheckout({ repo, run }: GitContext): Promise<CheckoutFiles> {
  if (repo.root === '') return () => null;
  const args = ['-c', 'core.fsmonitor=false', 'ls-files', '--stage', '--debug', '-z', '--full-name'];
  const result = await run(args, { cwd: repo.root, env: getCheckoutEnv(repo.gitDir, repo.root) });
  const noted = result.code === 0 ? getNoted(result.stdout.toString('latin1')) : new Map<string, Noted>();
  return (path, id) => {
    const known = noted.get(path);
    const file = join(repo.root, Buffer.from(path, 'latin1').toString('utf8'));
    const stats = known?.id === id ? lstatSync(file, { bigint: true, throwIfNoEntry: false }) : undefined;
    if (!known || !stats?.isFile() || !isAsNoted(stats, known)) return null;
    return { path: file, size: Number(stats.size) };
  };
}

/** `<mode> <id> 0\t<path>\0` and lines of `name: value`, which end where the next such head begins. */
function getNoted(text: string): Map<string, Noted> {
  const noted = new Map<string, Noted>();
  const entry =
    /(?:^|\n)\d{6} ([0-9a-f]+) 0\t([^\0]+)\0\s+ctime: (\d+:\d+)\n\s+mtime: (\d+:\d+)\n\s+dev: \d+\tino: (\d+)\n\s+uid: \d+\tgid: \d+\n\s+size: (\d+)\t/g;
  for (const [, id = '', path = '', ctime = '', mtime = '', ino, size] of text.matchAll(entry))
    noted.set(path, { id, ctime, mtime, ino: Number(ino), size: Number(size) });
  return noted;
}

function isAsNoted(stats: BigIntStats, { ctime, mtime, ino, size }: Noted): boolean {
  const getTime = (ns: bigint): string => `${ns / NS}:${ns % NS}`;
  return (
    getTime(stats.ctimeNs) === ctime &&
    getTime(stats.mtimeNs) === mtime &&
    Number(stats.ino & WORD) === ino &&
    Number(stats.size & WORD) === size
  );
}
