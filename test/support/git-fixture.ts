import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import type { RunGit } from '../../src/adapters/git/repo/run-git.ts';
import { type GitWorkspace, openWorkspace } from '../../src/adapters/git/workspace.ts';

const made: string[] = [];
afterAll(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** A folder that is gone when the test file is done. */
export function makeTempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'harness-git-')));
  made.push(dir);
  return dir;
}

/** Nobody's own git settings reach a test. */
process.env.HOME = makeTempDir();
delete process.env.XDG_CONFIG_HOME;

/** The environment of somebody at a shell: an identity, a fixed time, nothing inherited but PATH. */
export const SHELL_ENV = {
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
};

/** Runs git as a person would, and fails the test when it fails. */
export function git(dir: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    cwd: dir,
    env: SHELL_ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd();
}

/** Writes files, making folders on the way. */
export function write(dir: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

/** A repository on branch main with these files committed. */
export function makeRepo(
  files: Readonly<Record<string, string>> = { 'src/a.txt': 'a\n', 'b.txt': 'b\n' },
  ...initArgs: string[]
): string {
  const dir = join(makeTempDir(), 'project');
  mkdirSync(dir);
  git(dir, 'init', '-q', '-b', 'main', ...initArgs);
  write(dir, files);
  git(dir, 'add', '-A', '-f');
  git(dir, 'commit', '-q', '-m', 'Start');
  return dir;
}

export interface OpenOptions {
  readonly land?: 'base' | 'branch';
  readonly baseBranch?: string;
  readonly remote?: string;
  readonly cacheDir?: string;
  readonly runGit?: RunGit;
}

/** The workspace of a repository, with a cache of its own. */
export async function open(dir: string, options: OpenOptions = {}): Promise<GitWorkspace> {
  const { baseBranch = null, remote = null } = options;
  const repo = await openRepo(dir, { baseBranch, remote });
  return openWorkspace({
    repo,
    land: options.land ?? 'base',
    cacheDir: options.cacheDir ?? join(dirname(dir), 'cache'),
    ...(options.runGit ? { runGit: options.runGit } : {}),
  });
}

/** A commit on the tip with some files written over it, as a task would make it. */
export async function makeCandidate(
  workspace: GitWorkspace,
  files: Readonly<Record<string, string>>,
  task = 'T1',
): Promise<string> {
  const tip = await workspace.tip();
  const tree = await workspace.compose({
    tree: tip.tree,
    put: Object.entries(files).map(([path, text]) => ({ path, text })),
  });
  const message = `Do ${task}\n\nHarness-Task: ${task}\nHarness-Attempt: 1\n`;
  return workspace.commit({ tree, parent: tip.commit, message, atMs: 1_700_000_000_000 });
}

/** Path → kind, mode and hash of all below a folder; two equal values mean that not a byte differs. */
export function takeImage(
  dir: string,
  skip: (path: string) => boolean = () => false,
): Record<string, string> {
  const image: Record<string, string> = {};
  const walk = (path: string): void => {
    if (skip(path)) return;
    const full = join(dir, path);
    const stat = lstatSync(full);
    if (stat.isDirectory()) {
      image[`${path}/`] = stat.mode.toString(8);
      for (const name of readdirSync(full)) walk(path === '' ? name : `${path}/${name}`);
    } else {
      const content = stat.isSymbolicLink() ? readlinkSync(full) : readFileSync(full);
      // Git touches an object that it is asked to write again, so that no gc takes it.
      const when = /\.git\/objects\//.test(full) ? '' : ` ${stat.mtimeMs}`;
      image[path] = `${stat.mode.toString(8)}${when} ${createHash('sha256').update(content).digest('hex')}`;
    }
  };
  walk('');
  return image;
}

/** Everything of a user's repository but the objects and the refs that are ours. */
export function takeUserImage(dir: string): Record<string, string> {
  return takeImage(dir, path =>
    /^\.git\/(objects|harness-intents|refs\/harness|refs\/notes\/harness-proofs)$/.test(path),
  );
}
