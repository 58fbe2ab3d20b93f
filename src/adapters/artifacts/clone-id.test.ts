import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readCloneId } from './clone-id.ts';

const dir = mkdtempSync(join(tmpdir(), 'harness-clone-id-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('is the same each time, another one in a copy, and in a clone that is made anew at the same place', () => {
  const [one, copy] = [join(dir, 'one/.harness'), join(dir, 'copy/.harness')];
  const first = readCloneId(one);
  expect(readCloneId(one)).toBe(first);
  cpSync(join(dir, 'one'), join(dir, 'copy'), { recursive: true });
  rmSync(join(dir, 'one'), { recursive: true });
  expect(new Set([first, readCloneId(copy), readCloneId(one)]).size).toBe(3);
});
