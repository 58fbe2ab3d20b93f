import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, makeRepo, write } from '../../../test/support/git-fixture.ts';
import { findChangedInCheckout } from './audit.ts';

function replace(path: string, make: () => unknown): void {
  rmSync(path);
  make();
}

it.each<[string, (path: string) => void, string[]]>([
  ['as it was', () => undefined, []],
  ['edited', path => write(join(path, '../..'), { 'test/a.js': 'weaker' }), ['test/a.js']],
  ['with other line ends', path => write(join(path, '../..'), { 'test/a.js': 'strict\r\n' }), []],
  ['a link to nowhere', path => replace(path, () => symlinkSync('/dev/null', path)), ['test/a.js']],
  [
    'a pipe',
    path => replace(path, () => execFileSync('sh', ['-c', 'mk"$1" "$0"', path, 'fifo'])),
    ['test/a.js'],
  ],
  ['gone', path => rmSync(path), ['test/a.js']],
])('a test that is %s', (_, change, changed) => {
  const dir = makeRepo({ 'test/a.js': 'strict\n' }, '--template=');
  const id = git(dir, 'rev-parse', 'HEAD:test/a.js');
  change(join(dir, 'test/a.js'));
  expect(findChangedInCheckout(dir, 'sha1', { 'test/a.js': id })).toEqual(changed);
});

it('a link that was committed is what it was as long as it leads there', () => {
  const dir = makeRepo({ 'a.txt': '' }, '--template=');
  symlinkSync('a.txt', join(dir, 'link'));
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'link');
  const id = git(dir, 'rev-parse', 'HEAD:link');
  expect(findChangedInCheckout(dir, 'sha1', { link: id })).toEqual([]);
});
