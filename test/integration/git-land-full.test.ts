import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { git, makeCandidate, makeRepo, makeTempDir, open, takeImage, write } from '../support/git-fixture.ts';

const mounted: string[] = [];
afterAll(() => {
  for (const dir of mounted) execFileSync('umount', [dir]);
});

const FILES = { 'a.txt': 'a\n', 'b/old.txt': 'old\n', 'gone.txt': 'gone\n', 'z.txt': 'z\n' };

/** Everything a person has there; a link alone is made anew. */
const look = (user: string) => {
  const { link, ...image } = takeImage(user, path => /^\.git\/(objects|.*harness.*)$/.test(path));
  return { ...image, link: link?.replace(/ [\d.]+ /, ' ') };
};

describe('an update of the checkout that git cannot finish', () => {
  test('is taken back to the last byte, whatever had been written', async () => {
    const user = makeRepo({ ...FILES, '.gitattributes': '*.bin filter=picky\n' });
    symlinkSync('a.txt', join(user, 'link'));
    git(user, 'add', 'link');
    git(user, 'commit', '-q', '-m', 'A link');
    git(user, 'config', 'filter.picky.smudge', 'false');
    git(user, 'config', 'filter.picky.required', 'true');
    const workspace = await open(user);
    const { commit: expected } = await workspace.tip();
    const commit = await makeCandidate(workspace, {
      'a.txt': 'changed\n',
      'b/new/deep.txt': 'new\n',
      'm.bin': 'bytes',
      'z.txt': 'changed\n',
      link: 'no link any more\n',
    });
    const before = look(user);
    expect(await workspace.land({ commit, expected })).toMatchObject({
      ok: true,
      ref: 'refs/heads/harness/landed',
    });
    expect(look(user)).toEqual(before);
    expect(git(user, 'status', '--porcelain')).toBe('');
  });

  test.skipIf(!canMount())('for want of room says so, and lands once there is room again', async () => {
    const disk = makeTempDir();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]);
    mounted.push(disk);
    const user = join(disk, 'project');
    mkdirSync(user);
    git(user, 'init', '-q', '--template=', '-b', 'main');
    write(user, { ...FILES, 'big.txt': 'x'.repeat(200_000) });
    git(user, 'add', '-A');
    git(user, 'commit', '-q', '-m', 'Start');
    const workspace = await open(user, { cacheDir: makeTempDir() });
    const { commit: expected } = await workspace.tip();
    const commit = await makeCandidate(workspace, {
      'a.txt': 'changed\n',
      'big.txt': 'y'.repeat(900_000),
      'more.txt': 'y'.repeat(900_000),
      'z.txt': 'changed\n',
    });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc(bavail * bsize - 700_000));
    const before = takeImage(user);
    await expect(workspace.land({ commit, expected })).rejects.toThrow(/the disk is full/);
    expect(takeImage(user)).toEqual(before);
    expect(existsSync(join(user, '.git/index.lock'))).toBe(false);
    execFileSync('rm', [join(disk, 'filler')]);
    expect(await workspace.recover(true)).toEqual([]);
    expect(await workspace.land({ commit, expected })).toMatchObject({ ok: true, ref: 'refs/heads/main' });
    expect(git(user, 'status', '--porcelain')).toBe('');
    expect(readdirSync(join(user, '.git')).filter(name => name.startsWith('harness'))).toEqual([]);
  });
});

function canMount(): boolean {
  const dir = makeTempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir], { stdio: 'ignore' });
    execFileSync('umount', [dir]);
    return true;
  } catch {
    return false;
  }
}
