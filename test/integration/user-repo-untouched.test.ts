import { chmodSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';
import { git, takeImage, write } from '../support/git-fixture.ts';
import { runUntilKilled } from '../support/killed-run.ts';

/** Task 1 lands after a kill in its first session, task 2 breaks task 1's work first, task 3 only lies. */
const AGENT = `tasks:
  "1":
    attempts:
      - [{ edit: { file: src/half.txt, content: "half\\n" } }, { run: sleep 60 }]
      - [{ delete: src/half.txt }, { edit: { file: src/1.txt, content: "1\\n" } }, { claim: done }]
  "2":
    attempts:
      - [{ edit: { file: src/2.txt, content: "2\\n" } }, { delete: src/1.txt }, { claim: done }]
      - [{ edit: { file: src/2.txt, content: "2\\n" } }, { claim: done }]
  "3": [{ lie: done }]
`;

const FILES = {
  'agent.yaml': AGENT,
  '.gitignore': 'ignored/\n*.log\n',
  'test/all.sh': 'ls src/1.txt\n',
  'notes/staged.txt': 'staged\n',
  'notes/unstaged.txt': 'unstaged\n',
  'notes/both.txt': 'both\n',
  'notes/gone.txt': 'gone\n',
  'notes/script.sh': 'echo\n',
  'notes/stashed.txt': 'stashed\n',
};

/** Work of every kind that a person can have lying about, on the base branch. */
function makeBusyProject(more: Readonly<Record<string, string>>): string {
  const user = makeProject(FILES);
  git(user, 'branch', 'topic');
  git(user, 'tag', '-a', 'v1', '-m', 'one');
  git(user, 'update-ref', 'refs/remotes/origin/main', 'main');
  git(user, 'notes', 'add', '-m', 'a note of their own', 'main');
  git(user, 'config', 'alias.st', 'status');
  write(user, { 'notes/stashed.txt': 'put aside\n', 'stashed-too.txt': 'x\n' });
  git(user, 'stash', 'push', '-q', '--include-untracked');
  write(user, {
    'notes/staged.txt': 'staged now\n',
    'notes/both.txt': 'both staged\n',
    'added.txt': 'added\n',
  });
  git(user, 'add', 'notes', 'added.txt');
  write(user, {
    'notes/both.txt': 'both, and more\n',
    'notes/unstaged.txt': 'unstaged now\n',
    'untracked.txt': 'untracked\n',
    'ignored/cache.bin': 'cache\n',
    'debug.log': 'log\n',
    ...more,
  });
  utimesSync(join(user, 'features.json'), 1_000_000, 1_000_000);
  rmSync(join(user, 'notes/gone.txt'));
  chmodSync(join(user, 'notes/script.sh'), 0o755);
  symlinkSync('notes/both.txt', join(user, 'link'));
  for (const hook of [
    'reference-transaction',
    'post-index-change',
    'post-checkout',
    'post-merge',
    'pre-commit',
  ]) {
    write(user, { [`.git/hooks/${hook}`]: '#!/bin/sh\ntouch trapped\n' });
    chmodSync(join(user, '.git/hooks', hook), 0o755);
  }
  return user;
}

/** All that is not ours, with bytes, modes and times: files, index, HEAD, refs, reflogs, stash, config, hooks. */
function takeWholeImage(user: string): Record<string, string> {
  const ours = [
    '.harness',
    '.git/refs/harness',
    '.git/refs/heads/harness',
    '.git/logs/refs/heads/harness',
    '.git/refs/notes/harness-proofs',
  ];
  return takeImage(user, path => ours.includes(path) || path === '.git/objects');
}

/** Objects only come, never go or change; git itself renews the times of those it meets again. */
function takeObjects(user: string): Record<string, string> {
  const image = Object.entries(takeImage(join(user, '.git/objects')));
  return Object.fromEntries(image.map(([path, text]) => [path, text.replace(/ [\d.]+ /, ' ')]));
}

/** What the person's own git says, without the lines about refs and files that are ours. */
function getAnswers(user: string): string[] {
  return [
    git(user, '--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--show-stash', '--ignored'),
    git(user, 'stash', 'list'),
    git(user, 'reflog', '--all'),
    git(user, 'for-each-ref'),
  ].flatMap(text =>
    text
      .split('\n')
      .filter(line => !/refs\/(heads\/)?harness\/|refs\/notes\/harness-proofs|! \.harness\//.test(line)),
  );
}

const getOutcomes = (stdout: string): string[] =>
  (JSON.parse(stdout) as { attempts: { task: string; outcome: string }[] }).attempts.map(
    ({ task, outcome }) => `${task} ${outcome}`,
  );

test.each([
  ['unfinished work of every kind', {}],
  ['a file where the work will be', { 'src/1.txt': 'mine, not the agent’s\n' }],
])('a repository with %s is byte-identical after landings, rejections and a kill', async (_, more) => {
  const user = makeBusyProject(more);
  const before = getAnswers(user);
  const image = takeWholeImage(user);
  const objects = takeObjects(user);

  expect(await runUntilKilled(user, '1', 'src/half.txt')).toBe('SIGKILL');
  expect(takeWholeImage(user)).toEqual(image);
  const { stdout } = await runCli(user, ['run', '--all', '--json']);

  expect(takeWholeImage(user)).toEqual(image);
  expect(takeObjects(user)).toMatchObject(objects);
  expect(getAnswers(user)).toEqual(before);
  expect(getOutcomes(stdout)).toEqual(
    expect.arrayContaining(['1 landed', '2 rejected', '2 landed', '3 rejected']),
  );
  expect(git(user, 'log', '--format=%s', 'main..harness/landed').split('\n')).toHaveLength(2);
  expect(git(user, 'show', 'harness/landed:src/1.txt')).toBe('1');
  expect(git(user, 'fsck', '--no-dangling')).toBe('');
});

test('a clean checkout of the base branch is moved along, also after a kill', async () => {
  const user = makeProject(FILES);
  expect(await runUntilKilled(user, '1', 'src/half.txt')).toBe('SIGKILL');
  const { stdout } = await runCli(user, ['run', '--all', '--json']);

  expect(getOutcomes(stdout)).toEqual(expect.arrayContaining(['1 landed', '2 landed']));
  expect(git(user, 'log', '--format=%s', 'main').split('\n')).toHaveLength(3);
  expect(git(user, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(git(user, 'status', '--porcelain')).toBe('');
  expect(git(user, 'ls-files').split('\n')).toEqual(
    git(user, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n'),
  );
  expect(git(user, 'diff-index', 'HEAD')).toBe('');
  expect(readFileSync(join(user, 'src/2.txt'), 'utf8')).toBe('2\n');
  expect(git(user, 'branch', '--list', 'harness/*')).toBe('');
  expect(readdirSync(join(user, '.git')).filter(name => name.endsWith('.lock'))).toEqual([]);
});
