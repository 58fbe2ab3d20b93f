import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { hasBwrap } from '../sandbox/stage.ts';
import { makeTempDir } from '../support/git-fixture.ts';

/** What `init` writes about the network for a suite of which only the exit code is seen. */
function init(suite: string): string {
  const dir = makeTempDir();
  mkdirSync(join(dir, 'test'));
  writeFileSync(join(dir, 'test/all.sh'), suite);
  writeFileSync(join(dir, 'package.json'), '{ "name": "shop", "scripts": { "test": "sh test/all.sh" } }\n');
  const options = {
    cwd: dir,
    stdio: 'pipe',
    env: { ...process.env, HARNESS_CACHE_DIR: makeTempDir() },
  } as const;
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'Start'],
  ])
    execFileSync('git', args, options);
  execFileSync(process.execPath, [inject('harnessProgram'), 'init'], options);
  const config = readFileSync(join(dir, '.harness.yaml'), 'utf8');
  expect(config).toMatch(/runner: command/);
  return /test_network: "?(\w+)/.exec(config)?.[1] ?? 'as it is';
}

it.skipIf(!hasBwrap).each([
  ['says the same without one', 'echo "3 ok in $(date +%N)ms"', 'off'],
  ['leaves something out without one', 'echo "$(wc -l < /proc/net/route) ok"', 'as it is'],
  ['says nothing', 'true', 'as it is'],
])(
  'a suite that %s',
  (_, suite, network) => {
    expect(init(`${suite}\n`)).toBe(network);
  },
  60_000,
);
