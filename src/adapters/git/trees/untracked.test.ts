import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findRespelt } from './untracked.ts';

const dir = mkdtempSync(join(tmpdir(), 'harness-respelt-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('names in other capitals are told apart from those that stay, go or are composed otherwise', () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: dir });
  git('init', '-q');
  mkdirSync(join(dir, 'till'));
  for (const path of ['Cart.py', 'gone.py', 'till/Discount.py', 'till/stays.py', 'caf\u00e9.py'])
    writeFileSync(join(dir, path), path);
  git('add', '-A');
  for (const [from, to] of [
    ['Cart.py', 'CART.py'],
    ['till/Discount.py', 'till/discount.py'],
    ['caf\u00e9.py', 'cafe\u0301.py'],
  ] as const)
    renameSync(join(dir, from), join(dir, to));
  rmSync(join(dir, 'gone.py'));
  const index = readFileSync(join(dir, '.git', 'index'));
  expect([...findRespelt(dir, index, 'sha1')].sort()).toEqual([
    ['Cart.py', 'CART.py'],
    ['till/Discount.py', 'discount.py'],
  ]);
});
