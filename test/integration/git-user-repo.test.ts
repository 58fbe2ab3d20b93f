import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git, makeRepo, open, takeUserImage, write } from '../support/git-fixture.ts';

/** Staged, unstaged, untracked and ignored work, a stash, hooks that would leave a trace. */
function makeBusyRepo(): string {
  const user = makeRepo({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', '.gitignore': 'ignored/\n' });
  write(user, { 'a.txt': 'stashed\n' });
  git(user, 'stash', '-q');
  write(user, { 'a.txt': 'staged\n', 'b.txt': 'unstaged\n', 'untracked.txt': 'u\n', 'ignored/x': 'x\n' });
  git(user, 'add', 'a.txt');
  const hooks = [
    'reference-transaction',
    'post-index-change',
    'post-checkout',
    'post-merge',
    'pre-commit',
    'post-commit',
  ];
  for (const hook of hooks) {
    write(user, { [`.git/hooks/${hook}`]: '#!/bin/sh\ntouch trapped\n' });
    chmodSync(join(user, '.git/hooks', hook), 0o755);
  }
  return user;
}

test('a busy repository is byte-identical through all that happens before a landing', async () => {
  const user = makeBusyRepo();
  const before = takeUserImage(user);
  const workspace = await open(user);
  const tip = await workspace.tip();
  const { dir } = await workspace.prepare(0, tip.commit);
  write(dir, { 'new.txt': 'new\n', 'b.txt': 'agent\n' });
  const { tree } = await workspace.snapshot(0);
  const commit = await workspace.commit({ tree, parent: tip.commit, message: 'Work', atMs: 1 });
  await workspace.keep('attempts/T1/1', commit);
  await workspace.pristine(0, tree);
  await workspace.changes(tip.commit, commit);
  await workspace.findLandings(tip.commit, commit);
  const other = await workspace.commit({
    tree: await workspace.compose({ tree: tip.tree, put: [{ path: 'z', text: 'z' }] }),
    parent: tip.commit,
    message: 'z',
    atMs: 1,
  });
  await workspace.rebase(commit, other);
  await workspace.prepare(0, tip.commit);
  await workspace.drop(['attempts/T1/1', 'never-there']);
  await workspace.recover(true);
  workspace.cleanup();
  expect(takeUserImage(user)).toEqual(before);
});

test('landing beside a busy checkout adds one branch and changes nothing else', async () => {
  const user = makeBusyRepo();
  const before = takeUserImage(user);
  const workspace = await open(user);
  const tip = await workspace.tip();
  const tree = await workspace.compose({
    tree: tip.tree,
    put: [{ path: 'untracked.txt', text: 'landed\n' }],
  });
  const commit = await workspace.commit({ tree, parent: tip.commit, message: 'Work', atMs: 1 });
  const result = await workspace.land({ commit, expected: tip.commit });
  expect(result).toMatchObject({ ok: true, ref: 'refs/heads/harness/landed' });
  const after = Object.entries(takeUserImage(user)).filter(
    ([path]) => before[path] !== takeUserImage(user)[path],
  );
  expect(after.map(([path]) => path).sort()).toEqual([
    '.git/logs/refs/heads/harness/',
    '.git/logs/refs/heads/harness/landed',
    '.git/refs/heads/harness/',
    '.git/refs/heads/harness/landed',
  ]);
  expect(git(user, 'rev-parse', 'main')).toBe(tip.commit);
});

test('kept commits survive a garbage collection, dropped ones do not, packed or loose', async () => {
  const user = makeRepo();
  const workspace = await open(user);
  const tip = await workspace.tip();
  const make = (message: string): Promise<string> =>
    workspace.commit({ tree: tip.tree, parent: tip.commit, message, atMs: 1 });
  const [kept, dropped] = [await make('kept'), await make('dropped')];
  await workspace.keep('attempts/T1/1', kept);
  await workspace.keep('attempts/T1/2', dropped);
  git(user, 'pack-refs', '--all');
  expect((await workspace.tip()).commit).toBe(tip.commit);
  await workspace.drop(['attempts/T1/2']);
  git(user, 'gc', '-q', '--prune=now');
  git(user, 'cat-file', '-e', kept);
  expect(() => git(user, 'cat-file', '-e', dropped)).toThrow();
  await expect(workspace.keep('../heads/main', kept)).rejects.toThrow();
});
