import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBaseEnv, SAFE_CONFIG } from '../../adapters/git/repo/git-env.ts';
import { openRepo, type RepoFacts } from '../../adapters/git/repo/repo.ts';
import { type GitResult, runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';

/** A repository of our own that borrows the objects of the user's: nothing that is done there is seen in theirs. */
export interface Scratch {
  /** Its checkout, which holds the base. */
  readonly dir: string;
  readonly base: string;
  /** What is judged, as a tree; its objects are there. */
  readonly tree: string;
  /** What is judged, in words. */
  readonly what: string;
  readonly subject: string;
  dispose(): void;
}

export interface ChangeRange {
  readonly base: string;
  /** The checkout as it is when not given, committed or not. */
  readonly head?: string | undefined;
}

/** Lays out the commit that a change stands on, and reads the change, without a trace in the user's repository. */
export async function makeScratch(cwd: string, { base, head }: ChangeRange): Promise<Scratch> {
  const repo = await openRepo(cwd, { mayBeEmpty: true });
  const tip = await readCommit(repo, head ?? 'HEAD', '--head');
  const named = await readCommit(repo, base, '--base');
  const joined = await git(repo.root, ['merge-base', named, tip]);
  const from = joined.code === 0 ? joined.stdout.toString().trim() : named;
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'harness-verify-'));
  const dispose = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const dir = await borrow(repo, home, from);
    const tree = head === undefined ? await snapshot(repo, dir) : `${tip}^{tree}`;
    const id = (await need(dir, ['rev-parse', tree])).trim();
    const subject = (await need(dir, ['log', '-1', '--format=%s', tip])).trim();
    const what = head === undefined ? `your checkout of ${repo.headBranch ?? tip.slice(0, 10)}` : head;
    return { dir, base: from, tree: id, what, subject, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** By name, or by what the remote calls it, as in a fresh clone of another branch. */
async function readCommit({ root }: RepoFacts, name: string, field: string): Promise<string> {
  for (const spelt of [name, `origin/${name}`]) {
    const { code, stdout } = await git(root, ['rev-parse', '-q', '--verify', `${spelt}^{commit}`]);
    if (code === 0) return stdout.toString().trim();
  }
  throw new HarnessError('usage', `${field}: there is no branch, tag or commit ${name}`, {
    field,
    fix: `git branch -a lists the branches; harness verify ${field} <one of them>`,
  });
}

async function borrow(repo: RepoFacts, home: string, base: string): Promise<string> {
  const dir = join(home, 'repo');
  await need(home, ['init', '-q', `--object-format=${repo.objectFormat}`, '-b', 'main', dir]);
  const own = join(dir, '.git');
  mkdirSync(join(own, 'objects', 'info'), { recursive: true });
  writeFileSync(join(own, 'objects', 'info', 'alternates'), `${repo.objectsDir}\n`);
  copyIfThere(join(repo.commonDir, 'shallow'), join(own, 'shallow'));
  for (const [name, value] of Object.entries(repo.coreSettings))
    if (name !== 'sharedrepository') await need(dir, ['config', `core.${name}`, value]);
  await need(dir, ['update-ref', 'refs/heads/main', base]);
  await need(dir, ['reset', '-q', '--hard']);
  return dir;
}

/** What is on disk in the user's checkout and not ignored, by their index as far as it knows; theirs is not touched. */
async function snapshot(repo: RepoFacts, dir: string): Promise<string> {
  const own = join(dir, '.git');
  const index = join(own, 'head-index');
  copyIfThere(join(repo.gitDir, 'index'), index);
  mkdirSync(join(own, 'info'), { recursive: true });
  copyIfThere(join(repo.commonDir, 'info', 'exclude'), join(own, 'info', 'exclude'));
  const env = { GIT_DIR: own, GIT_WORK_TREE: repo.root, GIT_INDEX_FILE: index };
  await need(repo.root, ['-c', 'core.splitIndex=false', 'add', '-A'], env);
  return (await need(repo.root, ['write-tree'], env)).trim();
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
}

function git(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<GitResult> {
  return runGit([...SAFE_CONFIG, ...args], { cwd, env: { ...getBaseEnv(), ...env } });
}

async function need(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await git(cwd, args, env);
  if (code === 0) return stdout.toString();
  const [why = ''] = stderr.trim().split('\n');
  throw new HarnessError('repo', `git ${args[0]} could not check out the change: ${why}`, {
    fix: 'git status and git fsck say what is wrong with the repository',
  });
}
