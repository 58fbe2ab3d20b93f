import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a checkout and what git keeps for it are. */
export interface GitDirs {
  readonly root: string;
  readonly gitDir: string;
  /** Shared by all worktrees: refs and objects. */
  readonly commonDir: string;
  /** The main worktree, where the state lives. */
  readonly mainRoot: string;
}

/** The nearest folder upwards that is a checkout, without asking git; like git, not taken in by an empty `.git`. */
export function findRoot(cwd: string): string | null {
  for (let dir = resolve(cwd); ; dir = dirname(dir)) {
    const entry = join(dir, '.git');
    if (existsSync(join(entry, 'HEAD')) || statSync(entry, { throwIfNoEntry: false })?.isFile()) return dir;
    if (dirname(dir) === dir) return null;
  }
}

/** The places of a checkout, told from its files alone. */
export function readGitDirs(root: string): GitDirs {
  const entry = join(root, '.git');
  if (statSync(entry).isDirectory()) return { root, gitDir: entry, commonDir: entry, mainRoot: root };
  const link = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))?.[1] ?? '.git';
  const gitDir = resolve(root, link.trimEnd());
  const shared = readIfThere(join(gitDir, 'commondir'));
  if (shared === null) return { root, gitDir, commonDir: gitDir, mainRoot: root };
  const commonDir = resolve(gitDir, shared.trim());
  const mainRoot = basename(commonDir) === '.git' ? dirname(commonDir) : commonDir;
  return { root, gitDir, commonDir, mainRoot };
}

/** A ref's commit from git's files; null when there is no such ref, undefined when only git can tell. */
export function readRefFile(commonDir: string, ref: string): string | null | undefined {
  if (existsSync(join(commonDir, 'reftable'))) return undefined;
  try {
    const loose = readIfThere(join(commonDir, ref));
    if (loose !== null) return /^([0-9a-f]{40,64})\n?$/.exec(loose)?.[1];
    const packed = readIfThere(join(commonDir, 'packed-refs')) ?? '';
    const at = packed.indexOf(` ${ref}\n`);
    if (at < 0) return null;
    return /^[0-9a-f]{40,64}$/.exec(packed.slice(packed.lastIndexOf('\n', at) + 1, at))?.[0];
  } catch {
    // Unreadable, or another ref is a file where this one has a folder.
    return undefined;
  }
}

/** The text of a file; null when it is not there. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** The first line of a file, if there is such a file. */
export function readLine(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return null;
  }
}
