import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readStats, removeTree } from '../process/remove-tree.ts';
import { readReal } from './real-path.ts';
import type { SandboxMount } from './sandbox-plan.ts';

/** A home folder beside a tree: what installing left there, for the commands of that tree and nobody else. */
export interface OwnHome {
  readonly dir: string;
  /** `kept`: begun anew and written by an install; `seen`: shown to what runs in the tree afterwards. */
  readonly use: 'kept' | 'seen';
}

/** How it changes the view of the user's home folder. */
export interface OwnHomePlan {
  /** Entries of the user's that are not shown. */
  readonly leftOut: readonly string[];
  /** Folders that are laid out entry by entry, for something of ours goes into them. */
  readonly opened: readonly string[];
  readonly mounts: readonly SandboxMount[];
}

/**
 * Where tools that install keep what they fetched, relative to the home folder. The user's own are neither
 * written nor trusted there: what a candidate's install script puts into them would run outside the next time.
 */
export const CACHES: readonly string[] = [
  ...['.cache', '.npm', '.yarn', '.pnpm-store', '.node-gyp', '.electron', '.electron-gyp', '.pip'],
  ...['.bun/install/cache', '.local/lib', '.local/share/pnpm', '.local/share/uv'],
  ...['.local/share/virtualenvs', '.local/share/pypoetry', '.local/state', '.cargo/registry', '.cargo/git'],
  ...['go/pkg', '.m2/repository', '.gradle/caches', '.gradle/native', '.gradle/daemon', '.gradle/wrapper'],
  ...['.nuget/packages', '.gem', '.bundle/cache', '.composer/cache', '.ivy2/cache', '.deno'],
];

/**
 * Caches that their tools cannot do without writing, relative to the home folder. Every run has its own, empty: what
 * one candidate leaves there must not be what another is built from.
 */
export const BUILD_CACHES: readonly string[] = [
  ...[
    '.cache/go-build',
    '.cache/golangci-lint',
    '.cache/staticcheck',
    '.cache/zig',
    '.cache/ccache',
    '.ccache',
  ],
  ...['.cache/sccache', '.cache/pip', '.cache/uv', '.npm/_cacache', '.npm/_npx', '.npm/_logs'],
];

/** Folders of the user's in which new files may lie beside theirs. */
const SHARED: readonly string[] = ['.local/bin', '.pyenv/shims', '.rbenv/shims', '.asdf/shims'];

/**
 * The place beside the tree takes the place of the user's caches; a fresh one for each install. What the user
 * has given away or hidden themselves (`isTaken`) is left to that.
 */
export function readOwnHome(
  home: string,
  own: OwnHome | null,
  isTaken: (path: string) => boolean,
): OwnHomePlan {
  if (own === null) return { leftOut: [], opened: [], mounts: [] };
  const isOurs = (name: string): boolean => !isTaken(join(home, name));
  if (own.use === 'seen') return readSeen(home, own.dir, isOurs);
  removeTree(own.dir);
  mkdirSync(own.dir, { recursive: true, mode: 0o700 });
  const names = CACHES.filter(isOurs);
  const opened = getFolders(home, [...names.map(name => dirname(name)), ...SHARED].filter(isOurs));
  return { leftOut: names.map(name => join(home, name)), opened, mounts: [] };
}

/** Only what is really there: an install that fetched nothing leaves the user's own in sight. */
function readSeen(home: string, dir: string, isOurs: (name: string) => boolean): OwnHomePlan {
  const within = ['.cache', ...SHARED].flatMap(name =>
    readNames(join(dir, name)).map(entry => join(name, entry)),
  );
  const fresh = readNames(dir).filter(name => name !== '.cache' && readStats(join(home, name)) === null);
  const names = [...CACHES.filter(name => name !== '.cache'), ...within, ...fresh]
    .filter((name, at, all) => all.indexOf(name) === at && isOurs(name) && !holdsBuildCache(name))
    .filter(name => isFilled(join(dir, name)));
  return {
    leftOut: names.map(name => join(home, name)),
    opened: getFolders(home, names.map(name => dirname(name)).filter(isOurs)),
    mounts: names.map(name => ({ kind: 'shown', at: join(home, name), from: join(dir, name) })),
  };
}

function holdsBuildCache(name: string): boolean {
  return BUILD_CACHES.some(cache => `${cache}/`.startsWith(`${name}/`));
}

/** Folders of the user's in which something of ours takes its place; the home folder is laid out anyway. */
function getFolders(home: string, names: readonly string[]): readonly string[] {
  const folders = [...new Set(names)].filter(name => name !== '.').map(name => join(home, name));
  return folders.filter(path => readReal(path)[0] === path && readStats(path)?.isDirectory());
}

/** Links are not followed: whoever wrote them would choose what is shown. */
export function isFilled(path: string): boolean {
  const found = readStats(path);
  return found?.isDirectory() ? readNames(path).length > 0 : found?.isFile() === true && found.size > 0;
}

function readNames(dir: string): readonly string[] {
  return readStats(dir)?.isDirectory() ? readdirSync(dir) : [];
}
