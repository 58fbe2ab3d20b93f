import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { git, makeRepo, makeTempDir, open, write } from '../support/git-fixture.ts';

const FILES = { 'a/b/1.txt': '1\n', 'a/2.txt': '2\n', '3.txt': '3\n', 'vendor/4.txt': '4\n' };

describe('what a run left in a pristine tree', async () => {
  const user = makeRepo(FILES);
  const workspace = await open(user);
  const tip = await workspace.tip();
  const name = fc.constantFrom('a', 'b', '1.txt', '3.txt', 'node_modules', 'vendor', 'x', '.git', 'ü');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).filter(([first]) => first !== '.git');

  test('goes, but for installed dependencies, whatever it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(path, { maxLength: 12 }), async paths => {
        const { dir } = await workspace.pristine(0, tip.tree);
        for (const parts of paths) tryToWrite(dir, parts);
        await workspace.pristine(0, tip.tree);
        const left = findFiles(dir, '').filter(file => !file.startsWith('.git/'));
        expect(left.filter(file => !isInstalled(file))).toEqual(Object.keys(FILES).sort());
        for (const [file, text] of Object.entries(FILES))
          expect(readFileSync(join(dir, file), 'utf8')).toBe(text);
        for (const file of left.filter(isInstalled))
          rmSync(join(dir, file), { recursive: true, force: true });
      }),
      { numRuns: 25 },
    );
  });

  test('a tracked folder moved away behind a link comes back, and what is behind the link stays', async () => {
    const { dir } = await workspace.prepare(1, tip.commit);
    const elsewhere = makeTempDir();
    renameSync(join(dir, 'a'), join(elsewhere, 'a'));
    symlinkSync(join(elsewhere, 'a'), join(dir, 'a'));
    write(elsewhere, { 'a/precious.txt': 'mine' });
    await workspace.prepare(1, tip.commit);
    expect(findFiles(dir, '').filter(file => !file.startsWith('.git/'))).toEqual(Object.keys(FILES).sort());
    expect(readFileSync(join(elsewhere, 'a/precious.txt'), 'utf8')).toBe('mine');
    expect((await workspace.snapshot(1)).tree).toBe(tip.tree);
  });
});

describe("an agent's own repository", async () => {
  const user = makeRepo(FILES);
  const workspace = await open(user);
  const tip = await workspace.tip();
  const precious = makeTempDir();
  write(precious, { 'file.txt': 'mine' });

  const touches: Readonly<Record<string, (gitDir: string) => void>> = {
    'a hook': gitDir => write(gitDir, { 'hooks/pre-commit': '#!/bin/sh\nexit 1\n' }),
    'another setting': gitDir => writeFileSync(join(gitDir, 'config'), '[core]\n\tbare = true\n'),
    'an exclude file': gitDir => write(gitDir, { 'info/exclude': '*\n' }),
    'a branch': gitDir => writeFileSync(join(gitDir, 'refs/heads/other'), `${tip.commit}\n`),
    'a file less': gitDir => rmSync(join(gitDir, 'objects/info/alternates')),
    'a folder instead of a file': gitDir => {
      rmSync(join(gitDir, 'HEAD'));
      mkdirSync(join(gitDir, 'HEAD'));
    },
    'an index that is a link': gitDir => {
      rmSync(join(gitDir, 'index'));
      symlinkSync(join(precious, 'file.txt'), join(gitDir, 'index'));
    },
    'a second name of its index': gitDir => {
      rmSync(join(gitDir, 'index'));
      linkSync(join(precious, 'file.txt'), join(gitDir, 'index'));
    },
    'a folder that is a link': gitDir => {
      rmSync(join(gitDir, 'refs'), { recursive: true });
      symlinkSync(precious, join(gitDir, 'refs'));
    },
    'files nobody may write to': gitDir => {
      chmodSync(join(gitDir, 'index'), 0o400);
      chmodSync(join(gitDir, 'refs'), 0o500);
    },
  };

  test.each(Object.keys(touches))('with %s is made anew, and nothing behind a link changes', async touch => {
    const { dir } = await workspace.prepare(0, tip.commit);
    const before = findFiles(join(dir, '.git'), '');
    touches[touch]?.(join(dir, '.git'));
    await workspace.prepare(0, tip.commit);
    expect(findFiles(join(dir, '.git'), '')).toEqual(before);
    expect(git(dir, 'status', '--porcelain', '--ignored')).toBe('');
    expect(git(dir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/harness/work');
    expect(readFileSync(join(precious, 'file.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(precious)).toEqual(['file.txt']);
  });
});

/** Below one of the names that stay, outside of what is tracked. */
function isInstalled(file: string): boolean {
  const parts = file.split('/').slice(0, -1);
  return parts.some((part, at) => part === 'node_modules' || (part === 'vendor' && at > 0));
}

function tryToWrite(dir: string, parts: readonly string[]): void {
  try {
    write(dir, { [parts.join('/')]: 'left over' });
  } catch {
    // Something else is there already.
  }
}

function findFiles(dir: string, below: string): string[] {
  if (!existsSync(join(dir, below))) return [];
  const entries = readdirSync(join(dir, below), { withFileTypes: true });
  return entries
    .flatMap(entry => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? findFiles(dir, path) : [path];
    })
    .sort();
}
