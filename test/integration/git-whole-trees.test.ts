import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, makeRepo, makeTempDir, open, write } from '../support/git-fixture.ts';

const read = (...parts: string[]): string => readFileSync(join(...parts), 'utf8');
const swap = `tr 'a-z' 'n-za-m'`;

/** A checkout with one file behind a filter that git has in another form. */
function makeFiltered(): string {
  const user = makeRepo({ '.gitattributes': '*.sealed filter=rot\n' });
  git(user, 'config', 'filter.rot.clean', swap);
  git(user, 'config', 'filter.rot.smudge', swap);
  write(user, { 'data/key.sealed': 'hello\n', 'plain.txt': 'plain\n' });
  git(user, 'add', '-A');
  git(user, 'commit', '-q', '-m', 'sealed');
  return user;
}

function makeLfs(content: string, inStore: boolean): string {
  const oid = createHash('sha256').update(content).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
  const user = makeRepo({
    '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
    'a.bin': pointer,
  });
  if (inStore) {
    const path = join(user, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return user;
}

function makeWithSubmodule(): string {
  const inner = makeRepo({ 'deep.txt': 'deep\n' });
  const lib = makeRepo({ 'index.js': 'export const one = 1;\n' });
  git(lib, 'submodule', '--quiet', 'add', inner, 'inner');
  git(lib, 'commit', '-q', '-m', 'inner');
  const user = makeRepo({ 'a.txt': 'a\n' });
  git(user, 'submodule', '--quiet', 'add', lib, 'vendor/lib');
  git(user, 'submodule', '--quiet', 'update', '--init', '--recursive');
  git(user, 'commit', '-q', '-m', 'lib');
  return user;
}

describe('files behind a filter', () => {
  it('have the content of the checkout in worktrees and pristine trees, and stay what they were in git', async () => {
    const user = makeFiltered();
    const workspace = await open(user);
    const tip = await workspace.tip();
    const pristine = await workspace.pristine(0, tip.tree);
    expect(read(pristine.dir, 'data/key.sealed')).toBe('hello\n');
    expect(await workspace.findGaps?.(0)).toEqual([]);
    expect(await workspace.findWritten?.(0)).toEqual([]);
    const { dir } = await workspace.prepare(0, tip.commit);
    expect(read(dir, 'data/key.sealed')).toBe('hello\n');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    const now = new Date();
    utimesSync(join(dir, 'data/key.sealed'), now, now);
    rmSync(join(dir, '../harness.git/index'));
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
  });

  it('are laid out again after a run has written to them, and that run is told', async () => {
    const workspace = await open(makeFiltered());
    const { tree } = await workspace.tip();
    const { dir } = await workspace.pristine(0, tree);
    const file = join(dir, 'data/key.sealed');
    const { mtime } = statSync(file);
    writeFileSync(file, 'HELLO\n');
    utimesSync(file, mtime, mtime);
    expect(await workspace.findWritten?.(0)).toEqual(['data/key.sealed']);
    await workspace.pristine(0, tree);
    expect(read(file)).toBe('hello\n');
  });

  it('are a gap where the checkout has changed them, unless they were seen before', async () => {
    const user = makeFiltered();
    const workspace = await open(user);
    const { tree } = await workspace.tip();
    write(user, { 'data/key.sealed': 'other\n' });
    const { dir } = await workspace.pristine(0, tree);
    expect(await workspace.findGaps?.(0)).toMatchObject([{ path: 'data/key.sealed' }]);
    expect(read(dir, 'data/key.sealed')).toBe('uryyb\n');
    git(user, 'checkout', '--', 'data/key.sealed');
    await workspace.pristine(0, tree);
    expect(await workspace.findGaps?.(0)).toEqual([]);
    write(user, { 'data/key.sealed': 'other\n' });
    await workspace.pristine(1, tree);
    expect(await workspace.findGaps?.(1)).toEqual([]);
  });

  it('cannot be changed by work here when only a program can record them', async () => {
    const workspace = await open(makeFiltered());
    const { commit } = await workspace.tip();
    const { dir } = await workspace.prepare(0, commit);
    write(dir, { 'data/key.sealed': 'mine\n' });
    await expect(workspace.snapshot(0)).rejects.toThrow('data/key.sealed passes through the filter rot');
  });

  it('are as git has them where no such filter is set up', async () => {
    const user = makeRepo({ '.gitattributes': '*.ipynb filter=strip\n', 'a.ipynb': '{}\n' });
    const workspace = await open(user);
    const tip = await workspace.tip();
    await workspace.pristine(0, tip.tree);
    expect(await workspace.findGaps?.(0)).toEqual([]);
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, { 'a.ipynb': '{"a":1}\n' });
    const { tree } = await workspace.snapshot(0);
    expect(await workspace.readFile(tree, 'a.ipynb')).toBe('{"a":1}\n');
  });

  it('of Git LFS come from its store, and new contents go there', async () => {
    const user = makeLfs('big content', true);
    const workspace = await open(user);
    const tip = await workspace.tip();
    const pristine = await workspace.pristine(0, tip.tree);
    expect(read(pristine.dir, 'a.bin')).toBe('big content');
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, { 'b.bin': 'new content' });
    const { tree } = await workspace.snapshot(0);
    expect(await workspace.changes(tip.tree, tree)).toMatchObject([{ path: 'b.bin', kind: 'added' }]);
    expect(await workspace.readFile(tree, 'b.bin')).toMatch(
      /^version https:\/\/git-lfs.*\noid sha256:.*\nsize 11\n$/,
    );
    await workspace.pristine(0, tree);
    expect(read(pristine.dir, 'b.bin')).toBe('new content');
  });

  it('of Git LFS that are not in the clone are a gap, and a wrong content is not taken', async () => {
    const user = makeLfs('big content', true);
    const [oid] = [createHash('sha256').update('big content').digest('hex')];
    writeFileSync(join(user, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid), 'bad content');
    const workspace = await open(user);
    const { dir } = await workspace.pristine(0, (await workspace.tip()).tree);
    expect(await workspace.findGaps?.(0)).toMatchObject([{ path: 'a.bin', fix: 'git lfs pull' }]);
    expect(read(dir, 'a.bin')).toContain('oid sha256');
    writeFileSync(join(dir, 'a.bin'), 'filled by an install');
    expect(await workspace.findGaps?.(0)).toEqual([]);
  });
});

describe('submodules', () => {
  it('are filled from the clone, with those inside them, and stay what they were in git', async () => {
    const user = makeWithSubmodule();
    const workspace = await open(user);
    const tip = await workspace.tip();
    const pristine = await workspace.pristine(0, tip.tree);
    expect(read(pristine.dir, 'vendor/lib/index.js')).toContain('one = 1');
    expect(read(pristine.dir, 'vendor/lib/inner/deep.txt')).toBe('deep\n');
    expect(await workspace.findGaps?.(0)).toEqual([]);
    const { dir } = await workspace.prepare(0, tip.commit);
    expect(read(dir, 'vendor/lib/inner/deep.txt')).toBe('deep\n');
    expect(git(dir, 'status', '--porcelain')).toBe('');
    write(dir, { 'vendor/lib/build.log': 'noise\n' });
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
  });

  it('are laid out anew after a run has written in them, and that run is told', async () => {
    const workspace = await open(makeWithSubmodule());
    const { tree } = await workspace.tip();
    const { dir } = await workspace.pristine(0, tree);
    write(dir, { 'vendor/lib/index.js': 'export const one = 2;\n', 'vendor/lib/extra.js': '' });
    expect(await workspace.findWritten?.(0)).toEqual(['vendor/lib/index.js']);
    await workspace.pristine(0, tree);
    expect(read(dir, 'vendor/lib/index.js')).toContain('one = 1');
    expect(readdirSync(join(dir, 'vendor/lib')).sort()).toEqual(['.gitmodules', 'index.js', 'inner']);
  });

  it('count as opened when a file in them is read', async () => {
    const workspace = await open(makeWithSubmodule());
    const { dir } = await workspace.pristine(0, (await workspace.tip()).tree);
    const findOpened = await workspace.watch?.(0);
    read(dir, 'vendor/lib/inner/deep.txt');
    expect(await findOpened?.()).toEqual(['vendor/lib']);
  });

  it('that are not in the clone are an empty folder and a gap, until something fills them', async () => {
    const user = makeWithSubmodule();
    rmSync(join(user, '.git/modules'), { recursive: true });
    rmSync(join(user, 'vendor/lib'), { recursive: true });
    const workspace = await open(user);
    const { dir } = await workspace.pristine(0, (await workspace.tip()).tree);
    expect(readdirSync(join(dir, 'vendor/lib'))).toEqual([]);
    expect(await workspace.findGaps?.(0)).toMatchObject([
      { path: 'vendor/lib', fix: 'git submodule update --init --recursive' },
    ]);
    write(dir, { 'vendor/lib/index.js': '' });
    expect(await workspace.findGaps?.(0)).toEqual([]);
  });

  it('behind a link that somebody put in their way leave what it points to alone', async () => {
    const outside = makeTempDir();
    write(outside, { 'lib/precious.txt': 'mine\n' });
    const workspace = await open(makeWithSubmodule());
    const { commit } = await workspace.tip();
    const { dir } = await workspace.prepare(0, commit);
    rmSync(join(dir, 'vendor'), { recursive: true });
    symlinkSync(outside, join(dir, 'vendor'));
    await workspace.prepare(0, commit);
    expect(read(outside, 'lib/precious.txt')).toBe('mine\n');
    expect(read(dir, 'vendor/lib/index.js')).toContain('one = 1');
  });
});

it('names two files that are one and the same on a disk without capitals', async () => {
  const user = makeRepo({ 'src/Util.js': '1\n', 'src/util.js': '2\n' });
  const workspace = await open(user);
  const { tree } = await workspace.tip();
  const { dir } = await workspace.pristine(0, tree);
  expect(await workspace.findGaps?.(0)).toEqual([]);
  // As such a disk answers: what was written as HEAD is found as head.
  writeFileSync(join(dir, '../harness.git/head'), '');
  await workspace.pristine(0, tree);
  expect(await workspace.findGaps?.(0)).toMatchObject([
    { path: 'src/util.js', why: expect.stringContaining('src/Util.js') },
    { path: 'src/Util.js', why: expect.stringContaining('src/util.js') },
  ]);
});
