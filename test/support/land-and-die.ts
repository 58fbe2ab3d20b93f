/**
 * A program that lands a commit and is killed at a chosen point, as a whole: no cleanup of ours runs.
 * Arguments: repository, cache, commit, expected tip, point.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { type RunGit, runGit } from '../../src/adapters/git/repo/run-git.ts';
import { openWorkspace } from '../../src/adapters/git/workspace.ts';

const [dir = '', cacheDir = '', commit = '', expected = '', point = ''] = process.argv.slice(2);

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

const writeHalf = (path: string, text: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
};

const run: RunGit = async (args, options) => {
  const command = args.find(arg => ['read-tree', 'update-ref', 'status'].includes(arg)) ?? '';
  if (point === `before ${command}`) die();
  if (command === 'read-tree' && point === 'within read-tree') {
    writeHalf('new/one.txt', 'one\n');
    writeHalf('b.txt', 'chan');
    writeFileSync(`${options.env.GIT_INDEX_FILE}.lock`, 'half an index');
    die();
  }
  if (command === 'update-ref' && point.startsWith('within update-ref')) {
    writeFileSync(join(dir, '.git/refs/heads/main.lock'), `${commit}\n`);
    writeFileSync(join(dir, '.git/HEAD.lock'), '');
    die();
  }
  const result = await runGit(args, options);
  if (command === 'read-tree' && point.endsWith('after a slow checkout'))
    utimesSync(join(dir, '.git/harness-intents/landing.json'), 1, 1);
  if (point === `after ${command}`) die();
  return result;
};

const workspace = openWorkspace({
  repo: await openRepo(dir, { baseBranch: 'main' }),
  land: 'base',
  cacheDir,
  runGit: run,
});
await workspace.land({ commit, expected });
