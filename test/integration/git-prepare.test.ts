import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import { git, makeRepo, makeTempDir, open, SHELL_ENV, takeImage, write } from '../support/git-fixture.ts';

const FILES = { 'src/a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'node_modules/\n*.tmp\n' };

describe("the agent's worktree", async () => {
  const user = makeRepo(FILES);
  git(user, 'branch', 'other');
  write(user, { 'b.txt': 'stashed\n' });
  git(user, 'stash', '-q');
  const workspace = await open(user);
  const tip = await workspace.tip();

  test("has a git that works, and nothing of the user's refs, stash, config or hooks", async () => {
    git(user, 'config', 'user.name', 'The user');
    git(user, 'remote', 'add', 'origin', 'https://example.org/x.git');
    const { dir } = await workspace.prepare(0, tip.commit);
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(tip.commit);
    expect(git(dir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/harness/work');
    expect(git(dir, 'remote')).toBe('');
    expect(git(dir, 'stash', 'list')).toBe('');
    expect(git(dir, 'log', '--oneline').split('\n')).toHaveLength(1);
    write(dir, { 'b.txt': 'work\n' });
    git(dir, 'commit', '-q', '-am', 'work');
    git(dir, 'gc', '-q', '--prune=now');
    const made = git(dir, 'rev-parse', 'HEAD');
    expect(() => git(user, 'cat-file', '-e', made)).toThrow();
    expect(git(user, 'stash', 'list')).not.toBe('');
  });

  test('is reused: tracked files are reset, untracked ones go, ignored ones stay', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, {
      'b.txt': 'x',
      'new/deep/file': 'x',
      'node_modules/dep/index.js': 'x',
      'src/sub/.git/HEAD': 'x',
      'src/.git/HEAD': 'x',
    });
    mkdirSync(join(dir, 'empty'));
    rmSync(join(dir, 'src/a.txt'));
    mkdirSync(join(dir, 'src/a.txt'));
    write(dir, { 'src/a.txt/in': 'x' });
    await workspace.prepare(0, tip.commit);
    expect(readdirSync(dir).sort()).toEqual(['.git', '.gitignore', 'b.txt', 'node_modules', 'src']);
    expect(readFileSync(join(dir, 'src/a.txt'), 'utf8')).toBe('a\n');
    expect(readdirSync(join(dir, 'src'))).toEqual(['a.txt']);
    expect(existsSync(join(dir, 'node_modules/dep/index.js'))).toBe(true);
  });

  test('is never followed through a link that the agent put in its place', async () => {
    const { dir } = await workspace.prepare(1, tip.commit);
    const precious = makeTempDir();
    write(precious, { 'thesis.txt': 'years of work', '.git/config': 'mine' });
    const before = takeImage(precious);
    rmSync(dir, { recursive: true });
    symlinkSync(precious, dir);
    await workspace.prepare(1, tip.commit);
    rmSync(join(dir, '.git'), { recursive: true });
    symlinkSync(join(precious, '.git'), join(dir, '.git'));
    symlinkSync(precious, join(dir, 'way'));
    await workspace.prepare(1, tip.commit);
    expect(takeImage(precious)).toEqual(before);
    expect((await workspace.snapshot(1)).tree).toBe(tip.tree);
    rmSync(join(dir, '..'), { recursive: true });
    symlinkSync(precious, join(dir, '..'));
    await workspace.prepare(1, tip.commit);
    expect(takeImage(precious)).toEqual(before);
  });

  test('is not wedged by folders nobody may write to', async () => {
    const { dir } = await workspace.prepare(2, tip.commit);
    write(dir, { 'new/file': 'x' });
    for (const path of ['src/a.txt', 'src', 'new/file', 'new', '.git/objects', '.git'])
      chmodSync(join(dir, path), 0o500);
    await workspace.prepare(2, tip.commit);
    expect(readdirSync(dir).sort()).toEqual(['.git', '.gitignore', 'b.txt', 'src']);
  });

  test('is made anew when nothing else helps', async () => {
    let failures = 2;
    const flaky = await open(user, {
      runGit: async (args, options) => {
        if (args[0] === 'read-tree' && failures-- > 0)
          return { code: 128, stdout: Buffer.alloc(0), stderr: 'error: unable to unlink old b.txt' };
        return runGit(args, options);
      },
    });
    const { dir } = await flaky.prepare(3, tip.commit);
    expect(readFileSync(join(dir, 'b.txt'), 'utf8')).toBe('b\n');
    expect(failures).toBe(-1);
  });

  test('gives a clear error for a commit that is not there', async () => {
    await expect(workspace.prepare(0, 'f'.repeat(40))).rejects.toMatchObject({ code: 'repo' });
  });
});

describe('a git killed in a slot', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`d${at % 10}/f${at}.txt`, `${at}\n`]),
  );
  const workspace = await open(makeRepo({ ...many, '.gitignore': 'cache/\n' }));
  const tip = await workspace.tip();

  test('leaves locks that the next prepare clears, each of them', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    const own = join(dir, '../harness.git');
    for (const lock of ['index.lock', 'HEAD.lock', 'config.lock', 'refs/base.lock'])
      writeFileSync(join(own, lock), '');
    for (const lock of ['index.lock', 'HEAD.lock', 'refs/heads/harness/work.lock'])
      writeFileSync(join(dir, '.git', lock), '');
    write(dir, { 'cache/kept': 'the slot was repaired, not made anew' });
    await workspace.prepare(0, tip.commit);
    expect(existsSync(join(dir, 'cache/kept'))).toBe(true);
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    git(dir, 'commit', '-q', '--allow-empty', '-m', 'the agent can commit');
  });

  test('never leaves anything that keeps the slot from working', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    const env = { ...SHELL_ENV, GIT_DIR: join(dir, '../harness.git'), GIT_WORK_TREE: dir };
    for (let round = 0; round < 12; round++) {
      for (let at = 0; at < 300; at += 3) write(dir, { [`d${at % 10}/f${at}.txt`]: `${round}-${at}\n` });
      const child = spawn('git', ['add', '-A'], { cwd: dir, env, stdio: 'ignore' });
      const ended = new Promise(resolve => child.on('close', resolve));
      await new Promise(resolve => setTimeout(resolve, round));
      child.kill('SIGKILL');
      await ended;
      await workspace.prepare(0, tip.commit);
      expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    }
  });
});

test('what tools cache inside of installed packages goes, and breaks no seal; what they add elsewhere does', async () => {
  const user = makeRepo({ 'a.txt': 'a\n', '.gitignore': 'node_modules\n' });
  const workspace = await open(user);
  const tip = await workspace.tip();
  const { dir } = await workspace.pristine(0, tip.tree);
  write(dir, { 'node_modules/esm/index.js': '', 'node_modules/esm/.cache/brought.js': '' });
  await workspace.seal?.(0);
  write(dir, { 'node_modules/esm/node_modules/.cache/esm/1.js': '' });
  expect(await workspace.isSealed?.(0)).toBe(true);
  expect(existsSync(join(dir, 'node_modules/esm/node_modules/.cache'))).toBe(false);
  expect(existsSync(join(dir, 'node_modules/esm/.cache/brought.js'))).toBe(true);
  write(dir, { 'node_modules/esm/node_modules/other/index.js': '' });
  expect(await workspace.isSealed?.(0)).toBe(false);
});

describe('a pristine tree', async () => {
  const user = makeRepo({ ...FILES, 'vendor/lib/own.txt': 'own\n' });
  const workspace = await open(user);
  const tip = await workspace.tip();

  test('tells those who ask git its commit, the same each time', async () => {
    const { dir } = await workspace.pristine(0, tip.tree);
    const head = git(dir, 'rev-parse', 'HEAD').trim();
    expect(git(dir, 'rev-parse', 'HEAD^{tree}').trim()).toBe(tip.tree);
    expect(git(dir, 'status', '--porcelain')).toBe('');
    await workspace.pristine(0, tip.tree);
    expect(git(dir, 'describe', '--always', '--abbrev=40').trim()).toBe(head);
  });

  test('holds the tree and nothing else but installed dependencies', async () => {
    const { dir } = await workspace.pristine(0, tip.tree);
    write(dir, {
      'node_modules/dep/index.js': 'x',
      'src/node_modules/dep/index.js': 'x',
      'vendor/lib/planted.txt': 'x',
      'vendor/other/planted.txt': 'x',
      'left.tmp': 'x',
      'new.txt': 'x',
      'b.txt': 'x',
      'src/.git/HEAD': 'x',
    });
    await workspace.pristine(0, tip.tree);
    const files = Object.keys(takeImage(dir, path => path === '.git')).filter(path => !path.endsWith('/'));
    expect(files.sort()).toEqual([
      '.gitignore',
      'b.txt',
      'node_modules/dep/index.js',
      'src/a.txt',
      'src/node_modules/dep/index.js',
      'vendor/lib/own.txt',
    ]);
    expect(readFileSync(join(dir, 'b.txt'), 'utf8')).toBe('b\n');
  });

  test('a link in the place of dependencies does not stay', async () => {
    const { dir } = await workspace.pristine(0, tip.tree);
    rmSync(join(dir, 'node_modules'), { recursive: true, force: true });
    symlinkSync('/etc', join(dir, 'node_modules'));
    await workspace.pristine(0, tip.tree);
    expect(existsSync(join(dir, 'node_modules'))).toBe(false);
  });

  test('is apart from the slot of the same number, and cleanup removes both and nothing else', async () => {
    const slot = await workspace.prepare(0, tip.commit);
    const place = await workspace.pristine(0, tip.tree);
    expect(place.dir).not.toBe(slot.dir);
    writeFileSync(join(workspace.home, 'note'), 'not a slot');
    expect(workspace.cleanup().length).toBe(2);
    expect(existsSync(slot.dir) || existsSync(place.dir)).toBe(false);
    expect(existsSync(join(workspace.home, 'note'))).toBe(true);
    expect((await workspace.prepare(0, tip.commit)).dir).toBe(slot.dir);
  });
});

describe('what was installed in one pristine tree', async () => {
  const user = makeRepo({ ...FILES, 'lib/vendor/own.txt': 'v1\n' });
  const workspace = await open(user);
  const whole = (await workspace.tip()).tree;
  const tree = await workspace.compose({ tree: whole, drop: ['lib/vendor/own.txt'] });

  test('is copied into another, with links as they are and apart from it', async () => {
    const { dir } = await workspace.pristine(3, tree);
    const other = await workspace.pristine(2, tree);
    write(dir, { 'node_modules/dep/index.js': 'x', 'tools/node_modules/b/b.js': 'y' });
    write(join(dir, '..'), { 'home/.npm/_cacache/big': 'no', 'home/.config/mounted/file': '' });
    symlinkSync('../dep/index.js', join(dir, 'node_modules/dep/link'));
    expect(await workspace.copyInstalled?.(3, 2)).toBe(true);
    expect(readFileSync(join(other.dir, 'node_modules/dep/link'), 'utf8')).toBe('x');
    expect(readFileSync(join(other.dir, 'tools/node_modules/b/b.js'), 'utf8')).toBe('y');
    writeFileSync(join(other.dir, 'node_modules/dep/index.js'), 'mine');
    expect(readFileSync(join(dir, 'node_modules/dep/index.js'), 'utf8')).toBe('x');
    expect(existsSync(join(other.dir, '../home'))).toBe(false);
  });

  test.each<[string, string, (dir: string) => void]>([
    ['a file knows its place', tree, dir => write(dir, { 'node_modules/.bin/tool': `#!${dir}/dep\n` })],
    ['a link leads there', tree, dir => symlinkSync(join(dir, 'b.txt'), join(dir, 'node_modules/absolute'))],
    ['it is in the home folder, too', tree, dir => write(join(dir, '..'), { 'home/.local/lib/t.py': 'z' })],
    [
      'it filled a cache that is shown',
      tree,
      dir => write(join(dir, '..'), { 'home/.cache/browsers/b': 'z' }),
    ],
    ['a folder of that name is the project’s own', whole, () => undefined],
  ])('is not copied where %s', async (_, from, spoil) => {
    const { dir } = await workspace.pristine(5, from);
    rmSync(join(dir, '../home'), { recursive: true, force: true });
    await workspace.pristine(4, tree);
    write(dir, { 'node_modules/dep/index.js': 'x' });
    spoil(dir);
    expect(await workspace.copyInstalled?.(5, 4)).toBe(false);
    rmSync(join(dir, 'node_modules'), { recursive: true, force: true });
  });
});
