import { existsSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTempDir } from '../../../test/support/git-fixture.ts';
import { clearDirs, collectFiles } from './artifact-dirs.ts';

function makeTree(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = join(makeTempDir(), 'tree');
  mkdirSync(dir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}
const getPaths = async (dir: string, wanted = ['shots']) =>
  (await collectFiles(dir, wanted)).files.map(({ path }) => path);

it('what tells of a failure is kept first', async () => {
  const dir = makeTree({ 'shots/a.png': 'a', 'shots/deep/test-failed-1.png': 'f', 'other/b': 'b' });
  expect(await getPaths(dir, ['shots/', 'other', 'gone'])).toEqual([
    'shots/deep/test-failed-1.png',
    'other/b',
    'shots/a.png',
  ]);
});

it('a file that is too long is named and not kept', async () => {
  const dir = makeTree({ 'shots/film.webm': Buffer.alloc(10_000_001), 'shots/a.png': 'a' });
  expect(await collectFiles(dir, ['shots'])).toMatchObject({
    files: [{ path: 'shots/a.png' }],
    left: ['shots/film.webm: 10000001 bytes, more than 10000000'],
  });
});

it('no more is kept than there is room for', async () => {
  const ten = Buffer.alloc(9_999_999);
  const names = [1, 2, 3, 4, 5, 6].map(at => `shots/${at}`);
  const dir = makeTree(Object.fromEntries(names.map(name => [name, ten])));
  const { files, left } = await collectFiles(dir, ['shots']);
  expect([files.length, left]).toEqual([5, ['shots/6: no room left in 50000000 bytes']]);
});

it('of very many files some are kept, some are named, and all are counted', async () => {
  const names = Array.from({ length: 230 }, (_, at) => `shots/${at}`);
  const dir = makeTree(Object.fromEntries(names.map(name => [name, ''])));
  const { files, left } = await collectFiles(dir, ['shots']);
  expect([files.length, left.length, left.at(-1)]).toEqual([200, 21, '10 more files']);
});

it('links are not followed, whatever they replace', async () => {
  const dir = makeTree({ 'shots/a.png': 'a', 'real/b.png': 'b' });
  const outside = makeTree({ 'secret.txt': 's' });
  symlinkSync(join(outside, 'secret.txt'), join(dir, 'shots/link.txt'));
  symlinkSync(outside, join(dir, 'shots/folder'));
  symlinkSync(outside, join(dir, 'linked'));
  linkSync(join(dir, 'real/b.png'), join(dir, 'shots/b.png'));
  expect(await getPaths(dir, ['shots', 'linked', 'linked/deep', '../tree/../..'])).toEqual([
    'shots/a.png',
    'shots/b.png',
  ]);
});

it('folders are emptied inside the tree and nowhere else', async () => {
  const dir = makeTree({ 'shots/forged.txt': 'f', 'src/a': 'a' });
  const outside = makeTree({ 'deep/mine.txt': 'm' });
  symlinkSync(outside, join(dir, 'linked'));
  await clearDirs(dir, ['shots', 'linked/deep', `../../${outside.split('/').at(-2)}`, 'gone']);
  expect([existsSync(join(dir, 'shots')), existsSync(join(dir, 'src/a'))]).toEqual([false, true]);
  expect(existsSync(join(outside, 'deep/mine.txt'))).toBe(true);
});
