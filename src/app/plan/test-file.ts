import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { findMeantPath } from '../../core/base/tree-path.ts';
import { getRelativeProgram } from '../../core/shell/command-line.ts';
import { getAddArgs, getCommitLine } from '../../core/shell/commit-line.ts';
import type { Checkout, Where } from '../project/open-checkout.ts';

/** What is known of a test file before its task is added. */
export type TestFileState = 'none' | 'committed' | 'changed' | 'untracked' | 'ignored' | 'absent';

/** How a test file stands, refusing one that is a slip of another or no file at all. */
export async function readTestFile(
  { gitDirs: { root } }: Checkout,
  path: string | undefined,
  isNew: boolean,
): Promise<TestFileState> {
  if (path === undefined) return 'none';
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  const field = '--test-file';
  if (stat?.isDirectory())
    throw new HarnessError('usage', `${path} is a folder: a task is proven by one file`, {
      ...{ file: path, field },
      fix: `harness add … --test-file ${path.replace(/\/$/, '')}/<file>`,
    });
  if (stat) return readState(root, path);
  const listed = await git(root, ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const meant = isNew ? null : findMeantPath(path, listed.split('\0'));
  if (meant === null) return 'absent';
  throw new HarnessError('usage', `${path} is not there, and ${meant} is`, {
    ...{ file: path, field },
    fix: `--test-file ${meant}, or --new-test when that file is still to be written`,
  });
}

async function readState(root: string, path: string): Promise<TestFileState> {
  const status = await git(root, ['status', '--porcelain', '--ignored', '-z', '--', path]);
  const word = status.slice(0, 2);
  return word === '' ? 'committed' : word === '??' ? 'untracked' : word === '!!' ? 'ignored' : 'changed';
}

/** What the person should know about a test that is not, as it stands, what the work will be judged by. */
export function getTestNote(path: string, state: TestFileState): string | null {
  switch (state) {
    case 'none':
    case 'committed':
      return null;
    case 'absent':
      return `${path} is not there yet: whoever does the task writes it. Write and commit it first, and no agent can change it`;
    case 'ignored':
      return `${path} is ignored by git: no run sees it until it is committed (git add -f)`;
    case 'changed':
      return `${path} has changes that are not committed: what is committed decides`;
    case 'untracked':
      return `${path} is not committed: no run sees it until it is`;
  }
}

/**
 * Backlog and test, and what a run needs beside them and git does not have as it is: a proof made with settings that
 * no commit holds cannot be made again.
 */
export async function findToCommit(
  { gitDirs: { root }, configFile, config }: Checkout,
  file: string,
  testFile: string | undefined,
  state: TestFileState,
): Promise<readonly string[]> {
  const test = testFile !== undefined && isToCommit(state) ? [testFile] : [];
  const program = getRelativeProgram(config.agent.command ?? '')?.replace(/^\.\//, '');
  const others = [configFile, ...(program === undefined ? [] : [program])];
  const found = await Promise.all(others.map(async path => ({ path, state: await readState(root, path) })));
  return [file, ...test, ...found.filter(one => isToCommit(one.state)).map(({ path }) => path)];
}

/** Those of these paths that git does not have as they are. */
export async function listUncommitted(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const states = await Promise.all(paths.map(path => readState(root, path)));
  return paths.filter((_, at) => states[at] !== 'committed');
}

const isToCommit = (state: TestFileState) => state === 'untracked' || state === 'changed';

/** Commits these files and nothing else that is staged, as the person would: their name, their hooks. */
export async function commitFiles(
  io: Pick<Where, 'env'>,
  root: string,
  paths: readonly string[],
  message: string,
): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(io.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('GIT_') ? [] : [[name, value]],
    ),
  );
  for (const args of [
    [...getAddArgs(paths), '--', ...paths],
    ['commit', '-q', '-m', message, '--', ...paths],
  ]) {
    const { code, stderr, stdout } = await runGit(args, { cwd: root, env });
    if (code === 0) continue;
    const why = `${stderr}${stdout}`.trim().split('\n').slice(0, 5).join('\n');
    throw new HarnessError('repo', `the task is added, and git ${args[0]} refused: ${why}`, {
      fix: `fix that, then ${getCommitLine(paths, message)}`,
    });
  }
  return (await git(root, ['rev-parse', 'HEAD'])).trim();
}

async function git(cwd: string, args: string[]): Promise<string> {
  return (await runGit(args, { cwd, env: getBaseEnv() })).stdout.toString();
}
