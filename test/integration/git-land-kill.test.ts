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
  'after update-ref',
];

describe('a landing killed', () => {
  test.each(POINTS)(
    '%s leaves a checkout that recovery makes whole, and the landing can go on',
    async point => {
      const { user, workspace, from, commit } = await killAt(point);
      expect(await workspace.recover()).toEqual([]);
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
    expect(await workspace.recover()).toEqual([]);
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(git(user, 'rev-parse', 'HEAD')).toBe(commit);
  });

  test('while a copy of the index was being made is undone, and nothing is left of it', async () => {
    const { user, workspace, from } = await killAt('before read-tree');
    const intents = getIntents(user);
    const [copy = ''] = readdirSync(intents).filter(name => name.endsWith('.index'));
    renameSync(join(intents, copy), join(intents, `${copy}.draft`));
    writeFileSync(join(intents, 'landing.json.0123'), '{"tok');
    expect(await workspace.recover()).toEqual([]);
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
    expect(await workspace.recover()).toEqual([]);
    expect(git(user, 'rev-parse', 'main')).toBe(commit);
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('changed\n');
    expect(git(user, 'status', '--porcelain')).toBe('');
  });

  test('with the base not checked out leaves only a ref lock, which recovery clears', async () => {
    const { user, workspace, from, commit } = await killAt('within update-ref', dir =>
      git(dir, 'switch', '-q', '-c', 'feature'),
    );
    expect(existsSync(join(user, '.git/refs/heads/main.lock'))).toBe(true);
    await workspace.recover();
    rmSync(join(user, '.git/HEAD.lock'), { force: true });
    expect(await workspace.land({ commit, expected: from })).toMatchObject({
      ok: true,
      ref: 'refs/heads/main',
    });
  });
});

describe('after a killed landing, what a person did', () => {
  test('by hand to a file stays, and a note explains', async () => {
    const { user, workspace } = await killAt('within read-tree');
    write(user, { 'b.txt': 'my own words\n' });
    const notes = await workspace.recover();
    expect(notes.join()).toMatch(/was interrupted while .* was being updated/);
    expect(readFileSync(join(user, 'b.txt'), 'utf8')).toBe('my own words\n');
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false);
  });

  test('to an unrelated file stays, and the landing is completed', async () => {
    const { user, workspace, commit } = await killAt('within read-tree');
    write(user, { 'c.txt': 'my own words\n' });
    expect(await workspace.recover()).toEqual([]);
    expect(git(user, 'rev-parse', 'HEAD')).toBe(commit);
    expect(git(user, 'status', '--porcelain')).toBe(' M c.txt');
  });

  test('with the lock removed is left as it is, and a note explains', async () => {
    const { user, workspace } = await killAt('within read-tree');
    rmSync(join(user, '.git/index.lock'));
    const before = takeUserImage(user);
    expect(await workspace.recover()).toHaveLength(1);
    expect(takeUserImage(user)).toEqual(before);
    expect(await workspace.recover()).toEqual([]);
  });

  test('with a git of their own that holds the lock now is not disturbed', async () => {
    const { user, workspace } = await killAt('before read-tree');
    writeFileSync(join(user, '.git/index.lock'), 'DIRC of another git');
    writeFileSync(join(user, '.git/refs/heads/main.lock'), 'another value\n');
    writeFileSync(join(user, '.git/HEAD.lock'), '');
    utimesSync(join(user, '.git/HEAD.lock'), 1, 1);
    await workspace.recover();
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
  await workspace.recover();
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
