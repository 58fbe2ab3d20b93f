import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { git, makeRepo, open, write } from '../support/git-fixture.ts';

const FILES = {
  'features.json': '{}\n',
  'notes/progress.txt': 'started\n',
  'src/a.js': 'export {}\n',
  'README.md': 'see features.json\n',
};

function commit(dir: string, files: Record<string, string>): string {
  write(dir, files);
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'Change');
  return git(dir, 'rev-parse', 'HEAD^{tree}');
}

describe('a tree without some of its files', async () => {
  const user = makeRepo(FILES);
  const workspace = await open(user);
  const idWithout = (tree: string) => workspace.idWithout?.(tree, ['features.json', 'notes/progress.txt']);
  const first = git(user, 'rev-parse', 'HEAD^{tree}');

  test('has the name that git would give it', async () => {
    const twin = makeRepo({ 'src/a.js': 'export {}\n', 'README.md': 'see features.json\n' });
    expect(await idWithout(first)).toBe(git(twin, 'rev-parse', 'HEAD^{tree}'));
  });

  test('keeps its name when these files change or go, and changes it with any other', async () => {
    const second = commit(user, { 'features.json': '{ }\n', 'notes/progress.txt': 'done\n' });
    expect(second).not.toBe(first);
    expect(await idWithout(second)).toBe(await idWithout(first));
    git(user, 'rm', '-q', '-r', 'notes');
    const third = commit(user, {});
    expect(await idWithout(third)).toBe(await idWithout(first));
    const fourth = commit(user, { 'src/a.js': 'export { };\n' });
    expect(await idWithout(fourth)).not.toBe(await idWithout(first));
  });

  test('leaves nothing behind in the repository', async () => {
    const before = git(user, 'count-objects', '-v');
    await idWithout(first);
    expect(git(user, 'count-objects', '-v')).toBe(before);
  });
});

describe('a tree that is laid out to be run', async () => {
  const user = makeRepo({ ...FILES, 'src/b.js': 'old\n' });
  const workspace = await open(user);
  const tree = git(user, 'rev-parse', 'HEAD^{tree}');

  test('tells which of its files were written over, and none that only look so', async () => {
    const { dir } = await workspace.pristine(1, tree);
    expect(await workspace.findWritten?.(1)).toEqual([]);
    write(dir, {
      'src/a.js': FILES['src/a.js'],
      'build/out.js': 'new\n',
      'notes/progress.txt': 'started\n',
    });
    expect(await workspace.findWritten?.(1)).toEqual([]);
    write(dir, { 'src/a.js': 'export { };\n' });
    rmSync(join(dir, 'src/b.js'));
    expect(await workspace.findWritten?.(1)).toEqual(['src/a.js', 'src/b.js']);
    await workspace.pristine(1, tree);
    expect(await workspace.findWritten?.(1)).toEqual([]);
  });
});

describe('words in a tree', async () => {
  const user = makeRepo(FILES);
  const workspace = await open(user);
  const tree = git(user, 'rev-parse', 'HEAD^{tree}');
  const mentions = (at: string, except: string[]) =>
    workspace.mentions?.(at, ['features.json', 'x.txt'], except);

  test('are found in any file but the excepted ones', async () => {
    expect(await mentions(tree, [])).toBe(true);
    expect(await mentions(tree, ['*.md'])).toBe(false);
    const reading = commit(user, { 'test/deep/books.js': "readFileSync('features.json')\n" });
    expect(await mentions(reading, ['*.md'])).toBe(true);
    expect(await workspace.findMentions?.(reading, ['features.json', 'x.txt'], ['*.md'])).toEqual([
      'test/deep/books.js',
    ]);
    expect(await workspace.findMentions?.(reading, ['nowhere at all'], [])).toEqual([]);
  });
});
