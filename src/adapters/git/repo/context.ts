import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import type { FileChange } from '../../../ports/index.ts';
import { getCacheDir } from '../../process/cache-dir.ts';
import { writeScratch } from './git-dir.ts';
import { getOwnEnv, getRepoEnv, SAFE_CONFIG } from './git-env.ts';
import { getGitError } from './git-error.ts';
import { createObjectServer, type ObjectServer } from './object-server.ts';
import type { RepoFacts } from './repo.ts';
import type { GitOptions, GitResult, RunGit } from './run-git.ts';

/** What every operation of this folder works with. */
export interface GitContext {
  readonly repo: RepoFacts;
  readonly run: RunGit;
  /** Our folder for this repository, in the user's cache: `<cache>/harness/<repo-id>`. */
  readonly home: string;
  /** A git directory of ours for work on objects alone. */
  readonly scratchDir: string;
  readonly objects: ObjectServer;
  readonly known: Known;
  /** What a person should know of repairs on the way; whoever answers to people next takes them along. */
  readonly remarks: string[];
}

/** Makes our folder for the repository, if it is not there, and says where it is. */
export function openContext(repo: RepoFacts, run: RunGit, cacheDir: string = getCacheDir()): GitContext {
  const path = getHome(repo, cacheDir);
  makeHome(path, cacheDir);
  const home = realpathSync(path);
  const scratchDir = join(home, 'scratch.git');
  writeScratch(repo, scratchDir);
  const objects = createObjectServer({ cwd: scratchDir, env: getScratchEnv(repo, scratchDir) });
  return { repo, run, home, scratchDir, objects, known: createKnown(), remarks: [] };
}

function makeHome(path: string, cacheDir: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
    const why = ['ENOTDIR', 'EEXIST'].includes(code) ? 'a file stands in its way' : code;
    throw new HarnessError('environment', `no folder can be made in ${cacheDir}: ${why}`, {
      file: cacheDir,
      field: 'HARNESS_CACHE_DIR',
      fix: 'set HARNESS_CACHE_DIR to a folder that this user may write',
    });
  }
}

/** The folder of one repository: readable by its name, unique by the place it is at. */
export function getHome(repo: RepoFacts, cacheDir: string): string {
  const place = realpathSync(repo.commonDir);
  const name = basename(place) === '.git' ? basename(dirname(place)) : basename(place, '.git');
  const hash = createHash('sha256').update(place).digest('hex').slice(0, 16);
  return join(cacheDir, `${name.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 40)}-${hash}`);
}

/** Runs git on objects alone: no config, hooks, refs or files of the user take part. */
export function runScratch(
  ctx: GitContext,
  args: string[],
  options: Partial<GitOptions> = {},
): Promise<GitResult> {
  const env = { ...getScratchEnv(ctx.repo, ctx.scratchDir), ...options.env };
  // The cache may be cleared at any time.
  if (!existsSync(ctx.scratchDir)) writeScratch(ctx.repo, ctx.scratchDir);
  return ctx.run(args, { ...options, cwd: ctx.scratchDir, env });
}

/** Runs git on the refs and settings of the user's repository, without running anything of theirs. */
export function runRepo(
  ctx: GitContext,
  args: string[],
  options: Partial<GitOptions> = {},
): Promise<GitResult> {
  const { commonDir } = ctx.repo;
  return ctx.run([...SAFE_CONFIG, ...args], {
    ...options,
    cwd: commonDir,
    env: { ...getRepoEnv(commonDir), ...options.env },
  });
}

/** The result of a command that has no honest reason to fail. */
export function expectOk(ctx: GitContext, doing: string, result: GitResult): Buffer {
  if (result.code !== 0) throw getGitError(doing, result, ctx.repo.root);
  return result.stdout;
}

function getScratchEnv({ commonDir, objectsDir }: RepoFacts, gitDir: string): Record<string, string> {
  return getOwnEnv({ gitDir, commonDir, objectsDir });
}

/** Facts about commits named by their ids: they never change, so they are worked out once. */
interface Known {
  /** By `older newer`. */
  readonly ancestors: Map<string, boolean>;
  /** By `from to`. */
  readonly changes: Map<string, readonly FileChange[]>;
  /** The files of a tree, with their ids. */
  readonly blobs: Map<string, Promise<Readonly<Record<string, string>>>>;
}

const MAX_ENTRIES = 100;
/** Lists are long, and a verification asks for two trees and some that are made of them. */
export const MAX_LISTS = 8;

function createKnown(): Known {
  return { ancestors: new Map(), changes: new Map(), blobs: new Map() };
}

/** Adds a fact; the oldest goes when there are too many. */
export function remember<T>(facts: Map<string, T>, key: string, fact: T, maxEntries = MAX_ENTRIES): void {
  const [oldest] = facts.keys();
  if (facts.size >= maxEntries && oldest !== undefined) facts.delete(oldest);
  facts.set(key, fact);
}
