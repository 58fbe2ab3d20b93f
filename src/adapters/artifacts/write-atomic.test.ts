import { linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import { getWriteError, isTemporary, writeAtomic } from './write-atomic.ts';

const makeStateDir = useStateDirs();

it.each([true, false])('a file is replaced as a whole (durable: %s)', durable => {
  const dir = makeStateDir();
  writeAtomic(join(dir, 'deep', 'a.json'), 'old', { durable });
  writeAtomic(join(dir, 'deep', 'a.json'), 'new', { durable });
  expect(readFileSync(join(dir, 'deep', 'a.json'), 'utf8')).toBe('new');
  expect(readdirSync(join(dir, 'deep'))).toEqual(['a.json']);
});

it('whoever has the old file open goes on reading the old file', () => {
  const dir = makeStateDir();
  writeAtomic(join(dir, 'a.json'), 'old', { durable: false });
  linkSync(join(dir, 'a.json'), join(dir, 'opened before'));
  writeAtomic(join(dir, 'a.json'), 'new', { durable: false });
  expect(readFileSync(join(dir, 'opened before'), 'utf8')).toBe('old');
});

it('a write that fails leaves nothing behind', () => {
  const dir = makeStateDir();
  mkdirSync(join(dir, 'a.json', 'in the way'), { recursive: true });
  expect(() => writeAtomic(join(dir, 'a.json'), 'new', { durable: false })).toThrow();
  expect(readdirSync(dir)).toEqual(['a.json']);
});

it.each([
  ['.a.json.12-3.tmp', true],
  ['a.json.tmp', false],
  ['.gitignore', false],
])('%s is a leftover: %s', (name, expected) => {
  expect(isTemporary(name)).toBe(expected);
});

it.each(['ENOSPC', 'EROFS', 'EACCES'])('%s is told with the file and a way out', code => {
  const error = getWriteError(Object.assign(new Error('x'), { code }), '/p/x');
  expect(error).toMatchObject({ code: 'environment', details: { file: '/p/x', fix: expect.any(String) } });
});
