import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GitWorkspace } from '../../src/adapters/git/workspace.ts';
import {
  git,
  makeCandidate,
  makeRepo,
  makeTempDir,
  open,
  SHELL_ENV,
  takeUserImage,
  write,
} from '../support/git-fixture.ts';

const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };
const WORK = { 'b.txt': 'changed\n', 'new/one.txt': 'one\n', 'new/two.txt': 'two\n' };

const program = join(makeTempDir(), 'land-and-die.mjs');
beforeAll(() => {
  const entry = fileURLToPath(new URL('../support/land-and-die.ts', import.meta.url));
  buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });
});

interface Scene {
  readonly user: string;
  readonly workspace: GitWorkspace;
  readonly from: string;
  readonly commit: string;
}

/** A clean checkout of the base in which a landing was killed at that point. */
async function killAt(point: string, prepare: (user: string) => void = () => {}): Promise<Scene> {
  const user = makeRepo(FILES);
  prepare(user);
  const workspace = await open(user, { baseBranch: 'main' });
  const from = (await workspace.tip()).commit;
  const commit = await makeCandidate(workspace, WORK);
  const result = spawnSync(process.execPath, [program, user, dirname(workspace.home), commit, from, point], {
    encoding: 'utf8',
  });
  expect(result.signal, result.stderr).toBe('SIGKILL');
  return { user, workspace, from, commit };
}

/** Where what is under way in a repository is written down. */
const getIntents = (user: string): string => join(user, '.git/harness-intents');

const POINTS = [
  'before status',
  'before read-tree',
  'within read-tree',
  'after read-tree',
  'before update-ref',
  'within update-ref',
  'within update-ref after a slow checkout',
  'after update-ref',
];

describe('a landing killed', () => {
  test.each(POINTS.flatMap(point => [[point, 'alone'] as const, [point, 'beside others'] as const]))(
    '%s leaves a checkout that recovery %s makes whole, and the landing can go on',
    async (point, how) => {
      const { user, workspace, from, commit } = await killAt(point);
      expect(await workspace.recover(how === 'alone')).toEqual([]);
      expect(git(user, 'status', '--porcelain')).toBe('');
      expect([from, commit]).toContain(git(user, 'rev-parse', 'main'));
      expect(await workspace.land({ commit, expected: from })).toMatchObject({
        ok: true,
        commit,
        ref: 'refs/heads/main',
      });
      expect(git(user, 'status', '--porcelain')).toBe('');
      expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('changed\n');
      expect(await workspace.findLandings(from, git(user, 'rev-parse', 'main'))).toHaveLength(1);
      expect(existsSync(getIntents(user))).toBe(false);
      git(user, 'commit', '-q', '--allow-empty', '-m', 'the person can go on');
    },
  );

  test('after the index was put in place leaves a lock, which recovery clears', async () => {
    const { user, workspace, commit } = await killAt('after update-ref');
    const [copy = ''] = readdirSync(getIntents(user)).filter(name => name.endsWith('.index'));
    renameSync(join(getIntents(user), copy), join(user, '.git/index'));
    expect(await workspace.recover(true)).toEqual([]);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(git(user, 'rev-parse', 'HEAD')).toBe(commit);
  });

  test('while a copy of the index was being made is undone, and nothing is left of it', async () => {
    const { user, workspace, from } = await killAt('before read-tree');
    const intents = getIntents(user);
    const [copy = ''] = readdirSync(intents).filter(name => name.endsWith('.index'));
    renameSync(join(intents, copy), join(intents, `${copy}.draft`));
    writeFileSync(join(intents, 'landing.json.0123'), '{"tok');
    expect(await workspace.recover(true)).toEqual([]);
    expect(existsSync(intents)).toBe(false);
    expect(git(user, 'rev-parse', 'main')).toBe(from);
    expect(git(user, 'status', '--porcelain')).toBe('');
  });

  test('after the copy was refreshed, before any file was updated, is completed with its files', async () => {
    const { user, workspace, commit } = await killAt('before read-tree');
    const intents = getIntents(user);
    const [copy = ''] = readdirSync(intents).filter(name => name.endsWith('.index'));
    utimesSync(join(user, 'c.txt'), 1, 1);
    execFileSync('git', ['update-index', '-q', '--refresh'], {
      cwd: user,
      env: { ...SHELL_ENV, GIT_INDEX_FILE: join(intents, copy) },
    });
    expect(await workspace.recover(true)).toEqual([]);
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('changed\n');
    expect(git(user, 'status', '--porcelain')).toBe('');
  });

  test('with the base not checked out leaves only a ref lock, which recovery clears', async () => {
    const { user, workspace, from, commit } = await killAt('within update-ref', dir =>
      git(dir, 'switch', '-q', '-c', 'feature'),
    );
    expect(existsSync(join(user, '.git/refs/heads/main.lock'))).toBe(true);
    await workspace.recover(true);
    rmSync(join(user, '.git/HEAD.lock'), { force: true });
    expect(await workspace.land({ commit, expected: from })).toMatchObject({
      ok: true,
      ref: 'refs/heads/main',
    });
  });
});

describe('a turn', () => {
  test('whose holder was killed is ended by whoever wants it next, without a recovery', async () => {
    const { user, workspace, from, commit } = await killAt('within read-tree');
    expect(await workspace.land({ commit, expected: from })).toEqual({ ok: false, why: 'tip-moved' });
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(await workspace.land({ commit, expected: from })).toMatchObject({ ok: true, note: null });
    expect(existsSync(getIntents(user))).toBe(false);
  });

  test('is put right once, however many find it, and what a person should know is told once', async () => {
    const { user, workspace } = await killAt('within read-tree');
    write(user, { 'b.txt': 'my own words\n' });
    const others = await Promise.all([1, 2, 3].map(() => open(user, { baseBranch: 'main' })));
    const notes = await Promise.all([workspace, ...others].map(each => each.recover(false)));
    expect(notes.flat()).toHaveLength(1);
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('my own words\n');
    expect(existsSync(getIntents(user))).toBe(false);
  });

  test('whose repair was killed as well, twice over, is put right by the next', async () => {
    const { user, workspace, commit } = await killAt('before update-ref');
    const dead = readIntent(user, 'landing.json');
    for (const token of [dead.token, 'first', 'second']) {
      const claim = token === dead.token ? 'first' : token === 'first' ? 'second' : 'third';
      const text = JSON.stringify({ ...dead, token: claim, locks: [], landing: undefined });
      writeFileSync(join(getIntents(user), `repair-${token}.json`), text);
    }
    expect(await workspace.recover(false)).toEqual([]);
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(existsSync(getIntents(user))).toBe(false);
  });

  test.each([true, false])('of a living process is left to it (alone: %s)', async alone => {
    const { user, workspace } = await killAt('within read-tree');
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const { owner, ...rest } = readIntent(user, 'landing.json');
    const living = { ...rest, owner: { ...owner, pid: process.ppid, startTicks } };
    writeFileSync(join(getIntents(user), 'landing.json'), JSON.stringify(living));
    const before = takeUserImage(user);
    expect(await workspace.recover(alone)).toEqual([]);
    expect(takeUserImage(user)).toEqual(before);
    expect(existsSync(join(user, '.git/index.lock'))).toBe(true);
  });

  test('of an older harness, which wrote down the number of its process alone, is put right when that is gone', async () => {
    const { user, workspace, commit } = await killAt('within read-tree');
    const { owner, ...rest } = readIntent(user, 'landing.json');
    const write = (pid: number) =>
      writeFileSync(join(getIntents(user), 'landing.json'), JSON.stringify({ ...rest, pid }));
    write(process.ppid);
    await workspace.recover(false);
    expect(git(user, 'rev-parse', 'main')).not.toBe(commit);
    write(owner.pid);
    await workspace.recover(false);
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false);
  });

  test('on another machine is left to it, unless nobody else can be at work', async () => {
    const { user, workspace, commit } = await killAt('within read-tree');
    const { owner, ...rest } = readIntent(user, 'landing.json');
    const elsewhere = { ...rest, owner: { ...owner, host: 'm-elsewhere' } };
    writeFileSync(join(getIntents(user), 'landing.json'), JSON.stringify(elsewhere));
    await workspace.recover(false);
    expect(existsSync(join(user, '.git/index.lock'))).toBe(true);
    await workspace.recover(true);
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false);
  });
});

/** What is written down there, as it is found after a kill. */
function readIntent(user: string, name: string) {
  return JSON.parse(readFileSync(join(getIntents(user), name), 'utf8'));
}

describe('after a killed landing, what a person did', () => {
  test('by hand to a file stays, and a note explains', async () => {
    const { user, workspace } = await killAt('within read-tree');
    write(user, { 'b.txt': 'my own words\n' });
    const notes = await workspace.recover(true);
    expect(notes.join()).toMatch(/was interrupted while .* was being updated/);
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('my own words\n');
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false);
  });

  test('to an unrelated file stays, and the landing is completed', async () => {
    const { user, workspace, commit } = await killAt('within read-tree');
    write(user, { 'c.txt': 'my own words\n' });
    expect(await workspace.recover(true)).toEqual([]);
    expect(git(user, 'rev-parse', 'HEAD')).toBe(commit);
    expect(git(user, 'status', '--porcelain')).toBe(' M c.txt');
  });

  test('with the lock removed is left as it is, and a note explains', async () => {
    const { user, workspace } = await killAt('within read-tree');
    rmSync(join(user, '.git/index.lock'));
    const before = takeUserImage(user);
    expect(await workspace.recover(true)).toHaveLength(1);
    expect(takeUserImage(user)).toEqual(before);
    expect(await workspace.recover(true)).toEqual([]);
  });

  test('with a git of their own that holds the lock now is not disturbed', async () => {
    const { user, workspace } = await killAt('before read-tree');
    writeFileSync(join(user, '.git/index.lock'), 'DIRC of another git');
    writeFileSync(join(user, '.git/refs/heads/main.lock'), 'another value\n');
    writeFileSync(join(user, '.git/HEAD.lock'), '');
    utimesSync(join(user, '.git/HEAD.lock'), 1, 1);
    await workspace.recover(true);
    for (const lock of ['index.lock', 'refs/heads/main.lock', 'HEAD.lock'])
      expect(existsSync(join(user, '.git', lock)), lock).toBe(true);
  });
});

test('recovery clears locks of refs that are ours, and no other lock', async () => {
  const user = makeRepo();
  const workspace = await open(user);
  const ours = ['refs/harness/attempts/T1/1.lock', 'refs/heads/harness/landed.lock'];
  const theirs = [
    'index.lock',
    'HEAD.lock',
    'packed-refs.lock',
    'refs/heads/main.lock',
    'config.lock',
    'refs/heads/harness-other.lock',
  ];
  write(join(user, '.git'), Object.fromEntries([...ours, ...theirs].map(lock => [lock, ''])));
  await workspace.recover(true);
  expect([...ours, ...theirs].filter(lock => existsSync(join(user, '.git', lock)))).toEqual(theirs);
});

test('files that were touched and not changed do not keep a checkout from being moved', async () => {
  const user = makeRepo(FILES);
  for (const path of ['a.txt', 'b.txt']) utimesSync(join(user, path), 1, 1);
  const workspace = await open(user);
  const { commit: expected } = await workspace.tip();
  const commit = await makeCandidate(workspace, WORK);
  expect(await workspace.land({ commit, expected })).toMatchObject({ ok: true, ref: 'refs/heads/main' });
  expect(git(user, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('changed\n');
});
