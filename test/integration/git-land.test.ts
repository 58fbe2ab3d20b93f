import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import {
  git,
  makeCandidate,
  makeRepo,
  makeTempDir,
  open,
  takeUserImage,
  write,
} from '../support/git-fixture.ts';

const FILES = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'old/gone.txt': 'gone\n',
  '.gitignore': 'ignored.txt\nbuild\n',
};
const WORK = { 'b.txt': 'changed\n', 'new/one.txt': 'one\n' };
const LANDED = 'refs/heads/harness/landed';

interface Situation {
  readonly name: string;
  readonly make?: (user: string) => void;
  readonly work?: Readonly<Record<string, string>>;
}

const FREE: readonly Situation[] = [
  { name: 'a clean checkout of the base follows' },
  {
    name: 'a clean checkout with unrelated untracked and ignored files follows',
    make: user => write(user, { 'mine.txt': 'm', 'ignored.txt': 'i' }),
  },
  {
    name: 'a file that was only touched does not count as changed',
    make: user => writeFileSync(join(user, 'a.txt'), readFileSync(join(user, 'a.txt'))),
  },
  {
    name: 'a checkout of another branch is left alone',
    make: user => git(user, 'switch', '-q', '-c', 'feature'),
  },
  { name: 'a detached checkout is left alone', make: user => git(user, 'checkout', '-q', '--detach') },
  {
    name: 'changes on another branch do not matter',
    make: user => {
      git(user, 'switch', '-q', '-c', 'feature');
      write(user, { 'a.txt': 'mine' });
    },
  },
  {
    name: 'a worktree whose folder is gone does not matter',
    make: user => {
      git(user, 'switch', '-q', '-c', 'feature');
      const linked = join(makeTempDir(), 'linked');
      git(user, 'worktree', 'add', '-q', linked, 'main');
      git(user, 'worktree', 'list');
      remove(linked);
    },
  },
];

const BLOCKED: readonly Situation[] = [
  { name: 'an unstaged change', make: user => write(user, { 'a.txt': 'mine\n' }) },
  {
    name: 'a staged change',
    make: user => {
      write(user, { 'a.txt': 'mine\n' });
      git(user, 'add', 'a.txt');
    },
  },
  {
    name: 'a staged new file',
    make: user => {
      write(user, { 'mine.txt': 'mine\n' });
      git(user, 'add', 'mine.txt');
    },
  },
  { name: 'a deleted file', make: user => remove(join(user, 'a.txt')) },
  {
    name: 'an untracked file where the commit has one',
    make: user => write(user, { 'new/one.txt': 'mine\n' }),
  },
  {
    name: 'an ignored file where the commit has one',
    make: user => write(user, { 'ignored.txt': 'my secret\n' }),
    work: { 'ignored.txt': 'theirs\n' },
  },
  { name: 'an untracked file where the commit has a folder', make: user => write(user, { new: 'mine\n' }) },
  {
    name: 'a link where the commit has a folder',
    make: user => symlinkSync(makeTempDir(), join(user, 'build')),
    work: { 'build/x.txt': 'x\n' },
  },
  { name: 'an index.lock', make: user => write(user, { '.git/index.lock': '' }) },
  { name: 'a bisect', make: user => git(user, 'bisect', 'start') },
  {
    name: 'a rebase of the base',
    make: user => {
      write(user, { 'a.txt': 'more\n' });
      git(user, 'commit', '-q', '-am', 'more');
      expect(() => git(user, '-c', 'sequence.editor=false', 'rebase', '--exec', 'false', 'HEAD~1')).toThrow();
    },
  },
  {
    name: 'two checkouts of the base',
    make: user => git(user, 'worktree', 'add', '-q', '-f', join(makeTempDir(), 'linked'), 'main'),
  },
];

describe('landing on the base branch', () => {
  test.each(FREE)('$name', async ({ make }) => {
    const user = makeRepo(FILES);
    make?.(user);
    const workspace = await open(user, { baseBranch: 'main' });
    const tip = await workspace.tip();
    const wasOnMain = git(user, 'status', '--branch', '--porcelain=v2').includes('branch.head main');
    const statusBefore = git(user, 'status', '--porcelain', '--ignored');
    const commit = await makeCandidate(workspace, WORK);
    expect(await workspace.land({ commit, expected: tip.commit })).toEqual({
      ok: true,
      commit,
      ref: 'refs/heads/main',
      note: null,
    });
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(git(user, 'status', '--porcelain', '--ignored')).toBe(statusBefore);
    expect(existsSync(join(user, 'new/one.txt'))).toBe(wasOnMain);
    expect(git(user, 'reflog', '-1', 'main')).toContain('harness: land');
    expect(await workspace.tip()).toMatchObject({ commit, ref: 'refs/heads/main' });
    expect(git(user, 'fsck', '--no-dangling')).toBe('');
  });
});

describe('landing beside the base branch', () => {
  test.each(BLOCKED)('$name keeps the checkout as it is, byte for byte', async ({ make, work }) => {
    const user = makeRepo(FILES);
    make?.(user);
    const workspace = await open(user, { baseBranch: 'main' });
    const tip = await workspace.tip();
    const commit = await makeCandidate(workspace, work ?? WORK);
    const before = takeUserImage(user);
    const result = await workspace.land({ commit, expected: tip.commit });
    expect(result).toMatchObject({
      ok: true,
      commit,
      ref: LANDED,
      note: expect.stringContaining('git merge --ff-only --no-overwrite-ignore harness/landed'),
    });
    const after = takeUserImage(user);
    for (const path of Object.keys(after).filter(path => path.includes('refs/heads/harness')))
      delete after[path];
    expect(after).toEqual(before);
    expect(git(user, 'rev-parse', 'main')).toBe(tip.commit);
    expect(await workspace.tip()).toMatchObject({ commit, ref: LANDED });
  });

  test('what landed there comes to the base as soon as nothing is in the way', async () => {
    const user = makeRepo(FILES);
    write(user, { 'a.txt': 'mine\n' });
    const workspace = await open(user);
    const start = (await workspace.tip()).commit;
    const one = await makeCandidate(workspace, WORK, 'T1');
    await workspace.land({ commit: one, expected: start });
    git(user, 'checkout', '-q', 'a.txt');
    const two = await makeCandidate(workspace, { 'two.txt': '2\n' }, 'T2');
    expect(await workspace.land({ commit: two, expected: one })).toMatchObject({
      ok: true,
      ref: 'refs/heads/main',
      note: null,
    });
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect((await workspace.findLandings(start, two)).map(landing => landing.task)).toEqual(['T1', 'T2']);
  });

  test('a person can take it with the command of the note', async () => {
    const user = makeRepo(FILES);
    write(user, { 'mine.txt': 'm\n', 'a.txt': 'mine\n' });
    const workspace = await open(user);
    const commit = await makeCandidate(workspace, WORK);
    await workspace.land({ commit, expected: (await workspace.tip()).commit });
    git(user, 'merge', '-q', '--ff-only', 'harness/landed');
    expect(await workspace.tip()).toMatchObject({ commit, ref: 'refs/heads/main' });
  });

  test('the policy "branch" never moves the base', async () => {
    const user = makeRepo(FILES);
    const workspace = await open(user, { land: 'branch' });
    const tip = await workspace.tip();
    expect(tip.ref).toBe(LANDED);
    const commit = await makeCandidate(workspace, WORK);
    expect(await workspace.land({ commit, expected: tip.commit })).toEqual({
      ok: true,
      commit,
      ref: LANDED,
      note: null,
    });
    expect(git(user, 'rev-parse', 'main')).toBe(tip.commit);
  });

  test('a dirty checkout of harness/landed itself is an error that says what to do', async () => {
    const user = makeRepo(FILES);
    const workspace = await open(user, { land: 'branch', baseBranch: 'main' });
    const start = (await workspace.tip()).commit;
    const one = await makeCandidate(workspace, WORK);
    await workspace.land({ commit: one, expected: start });
    git(user, 'switch', '-q', 'harness/landed');
    const two = await makeCandidate(workspace, { 'two.txt': '2\n' });
    expect(await workspace.land({ commit: two, expected: one })).toMatchObject({ ok: true });
    expect(git(user, 'status', '--porcelain')).toBe('');
    write(user, { 'a.txt': 'mine\n' });
    const three = await makeCandidate(workspace, { 'three.txt': '3\n' });
    await expect(workspace.land({ commit: three, expected: two })).rejects.toMatchObject({
      details: { fix: expect.stringContaining('git switch main') },
    });
  });
});

describe('landing twice, late or wrongly', async () => {
  const user = makeRepo(FILES);
  const workspace = await open(user);
  const start = (await workspace.tip()).commit;
  const commit = await makeCandidate(workspace, WORK);
  const late = await makeCandidate(workspace, { 'late.txt': 'late\n' });
  await workspace.land({ commit, expected: start });

  test('a commit that has landed lands again as nothing', async () => {
    for (const expected of [start, commit]) {
      expect(await workspace.land({ commit, expected })).toEqual({
        ok: true,
        commit,
        ref: 'refs/heads/main',
        note: null,
      });
    }
    expect(git(user, 'reflog', 'show', 'main', '--format=%H').split('\n')).toHaveLength(2);
  });

  test('a tip that moved is said so', async () => {
    expect(await workspace.land({ commit: late, expected: start })).toEqual({ ok: false, why: 'tip-moved' });
  });

  test('a commit that does not build on the tip is refused', async () => {
    await expect(workspace.land({ commit: late, expected: commit })).rejects.toMatchObject({
      code: 'internal',
    });
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
  });

  test('a branch that moves in the very moment is not overrun, and the checkout is put back', async () => {
    const racing = await open(user, {
      runGit: async (args, options) => {
        if (args.includes('update-ref') && args.includes('refs/heads/main'))
          git(user, 'update-ref', 'refs/heads/main', theirs);
        return runGit(args, options);
      },
    });
    const tip = await workspace.tip();
    const theirs = await workspace.commit({ tree: tip.tree, parent: tip.commit, message: 'theirs', atMs: 5 });
    const mine = await makeCandidate(workspace, { 'a.txt': 'raced\n' });
    expect(await racing.land({ commit: mine, expected: tip.commit })).toEqual({
      ok: false,
      why: 'tip-moved',
    });
    expect(git(user, 'rev-parse', 'main')).toBe(theirs);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(readFileSync(join(user, 'a.txt'), 'utf8')).toBe('a\n');
  });

  test('of many landings at once on one tip exactly one wins', async () => {
    const tip = await workspace.tip();
    const commits = await Promise.all(
      [1, 2, 3, 4].map(at => makeCandidate(workspace, { [`r${at}.txt`]: 'r\n' }, `R${at}`)),
    );
    const results = await Promise.all(
      commits.map(one => workspace.land({ commit: one, expected: tip.commit })),
    );
    expect(results.filter(result => result.ok)).toHaveLength(1);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(user, '.git/refs/heads/harness/landed'))).toBe(false);
  });

  test('a ref lock of somebody else is named and stays', async () => {
    const tip = await workspace.tip();
    const lock = join(user, '.git/refs/heads/main.lock');
    writeFileSync(lock, '');
    const mine = await makeCandidate(workspace, { 'a.txt': 'locked\n' });
    const attempt = workspace.land({ commit: mine, expected: tip.commit });
    await expect(attempt).rejects.toMatchObject({ code: 'locked', details: { file: lock } });
    expect(existsSync(lock)).toBe(true);
    expect(git(user, 'status', '--porcelain')).toBe('');
    remove(lock);
  });
});

function remove(path: string): void {
  rmSync(path, { recursive: true });
}
