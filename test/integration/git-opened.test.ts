import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, makeRepo, open } from '../support/git-fixture.ts';

it('tells which files of a pristine tree were opened, and leaves them as they are', async () => {
  const user = makeRepo({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' });
  const workspace = await open(user);
  const { dir } = await workspace.pristine(0, git(user, 'rev-parse', 'HEAD^{tree}').trim());
  readFileSync(join(dir, 'src/c.txt'));
  const findOpened = await workspace.watch?.(0);
  expect(await findOpened?.()).toBeNull();
  const { mtimeMs } = statSync(join(dir, 'src/b.txt'));
  readFileSync(join(dir, 'src/b.txt'));
  expect(await findOpened?.()).toEqual(['src/b.txt']);
  expect(Math.abs(statSync(join(dir, 'src/b.txt')).mtimeMs - mtimeMs)).toBeLessThan(1);
  expect(await workspace.findWritten?.(0)).toEqual([]);
});

it('sees nothing opened by a program that asks git how the tree stands', async () => {
  const user = makeRepo({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
  const workspace = await open(user);
  const { dir } = await workspace.pristine(0, git(user, 'rev-parse', 'HEAD^{tree}').trim());
  readFileSync(join(dir, 'a.txt'));
  const findOpened = await workspace.watch?.(0);
  git(dir, 'diff', '--stat');
  git(dir, 'status', '--short');
  expect(await findOpened?.()).toBeNull();
});
