import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { useTempDir } from '../../../test/support/real-processes.ts';
import { createHeldOut } from './held-out.ts';

const makeDir = useTempDir();

function makePlaces() {
  const [root, tree, outside] = [makeDir(), makeDir(), makeDir()];
  const put = (dir: string, path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  put(root, 'all/spec/deep/a.test.js', 'held out');
  put(outside, 'deep/a.test.js', 'mine');
  return {
    tree,
    outside,
    heldOut: createHeldOut(root),
    read: () => readFileSync(join(outside, 'deep/a.test.js'), 'utf8'),
  };
}

it('lays tests into a tree and takes them out again', async () => {
  const { tree, heldOut } = makePlaces();
  const takeOut = await heldOut.layFiles('1', tree);
  expect(readFileSync(join(tree, 'spec/deep/a.test.js'), 'utf8')).toBe('held out');
  await takeOut();
  expect(readdirSync(join(tree, 'spec/deep'))).toEqual([]);
});

it('follows links inside the tree, as the project does', async () => {
  const { tree, heldOut } = makePlaces();
  mkdirSync(join(tree, 'test'));
  symlinkSync('test', join(tree, 'spec'));
  await heldOut.layFiles('1', tree);
  expect(existsSync(join(tree, 'test/deep/a.test.js'))).toBe(true);
});

it('writes through no link that leads out of it, and removes nothing there', async () => {
  const { tree, outside, heldOut, read } = makePlaces();
  symlinkSync(outside, join(tree, 'spec'));
  await heldOut.layFiles('1', tree);
  expect(readFileSync(join(tree, 'spec/deep/a.test.js'), 'utf8')).toBe('held out');
  expect(read()).toBe('mine');
});

it('removes nothing outside when a test has put a link in the way meanwhile', async () => {
  const { tree, outside, heldOut, read } = makePlaces();
  const takeOut = await heldOut.layFiles('1', tree);
  rmSync(join(tree, 'spec'), { recursive: true });
  symlinkSync(outside, join(tree, 'spec'));
  await takeOut();
  expect(read()).toBe('mine');
});
