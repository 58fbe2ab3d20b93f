import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gap } from '../../../ports/index.ts';
import { joinBytes, readStats } from '../../process/remove-tree.ts';
import { getObjectId } from '../objects/write-objects.ts';
import type { GitContext } from '../repo/context.ts';
import { type Area, getArea } from './area.ts';
import type { Filtered } from './filtered.ts';

/** A gap as it is found when a tree is laid out. */
export interface FoundGap extends Gap {
  readonly kind: 'filter' | 'submodule' | 'collision';
  /** The path in bytes, as latin1 text. */
  readonly bytes: string;
  /** What git has there. */
  readonly id: string;
}

const FILE = 'gaps.json';

export function getFilterGap({ path, id, driver }: Filtered, isLfs: boolean): FoundGap {
  const words = isLfs
    ? { why: 'its content, which Git LFS keeps, is not in this clone', fix: 'git lfs pull' }
    : {
        why: `it passes through the filter ${driver}, and your checkout has no copy that is as committed`,
        fix: `git checkout the base branch's version of it, until git status does not name it`,
      };
  return { kind: 'filter', ...getPath(path), id, ...words };
}

export function getSubmoduleGap(path: string, id: string): FoundGap {
  const why = `commit ${id.slice(0, 10)} of this submodule is not in this clone, or not whole`;
  return { kind: 'submodule', ...getPath(path), id, why, fix: 'git submodule update --init --recursive' };
}

export function getCollisionGap(path: string, other: string): FoundGap {
  const why = `it is one and the same file as ${other} on this disk, where capitals or accents do not count`;
  return { kind: 'collision', path, bytes: path, id: '', why, fix: `rename one of them: git mv` };
}

/** The gaps of a submodule, as its superproject names them. */
export function getBelow(gap: FoundGap, dir: string): FoundGap {
  return { ...gap, ...getPath(`${dir}/${gap.bytes}`) };
}

export function writeGaps(area: Area, gaps: readonly FoundGap[]): void {
  writeFileSync(join(area.gitDir, FILE), JSON.stringify(gaps));
}

/** What a pristine directory lacks of its tree by now: installing may have filled it. */
export function findGaps(ctx: GitContext, slot: number, local: readonly string[] = []): readonly Gap[] {
  const area = getArea(ctx, 'verify', slot);
  const isMissed = (path: string) =>
    readStats(join(ctx.repo.root, path)) !== null && readStats(join(area.tree, path)) === null;
  const checkedOut = readGaps(area).filter(gap => isOpen(ctx, area, gap));
  return [
    ...checkedOut.map(({ path, why, fix }) => ({ path, why, fix })),
    ...local.filter(isMissed).map(path => ({ path, ...LOCAL })),
  ];
}

const LOCAL = {
  why: 'only your checkout has it, not git, and tests that pass with it fail without it',
  fix: 'commit it',
};

export function readGaps(area: Area): readonly FoundGap[] {
  try {
    return JSON.parse(readFileSync(join(area.gitDir, FILE), 'utf8')) as readonly FoundGap[];
  } catch {
    return [];
  }
}

function isOpen({ repo }: GitContext, area: Area, { kind, bytes, id }: FoundGap): boolean {
  const path = joinBytes(area.tree, Buffer.from(bytes, 'latin1'));
  const stats = readStats(path);
  if (kind === 'submodule') return !stats?.isDirectory() || readdirSync(path).length === 0;
  if (kind === 'collision' || !stats?.isFile()) return true;
  return getObjectId(repo.objectFormat, { type: 'blob', body: readFileSync(path) }) === id;
}

function getPath(bytes: string): Pick<FoundGap, 'path' | 'bytes'> {
  return { path: Buffer.from(bytes, 'latin1').toString('utf8'), bytes };
}
