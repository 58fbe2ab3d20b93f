import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTempDir } from '../../../../test/support/real-processes.ts';
import { createSandboxProbe } from './program.ts';

const makeDir = useTempDir();

function writeProgram(lines: string): { dir: string; program: string } {
  const dir = makeDir();
  const program = join(dir, 'codex');
  writeFileSync(program, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return { dir, program };
}

test('a machine without namespaces is told from one with them, with what to do', async () => {
  const { dir, program } = writeProgram('echo "bwrap: No permissions to create a new namespace" >&2; exit 1');
  const problem = await createSandboxProbe()(program, {}, dir);
  expect(problem).toContain('bwrap: No permissions to create a new namespace.');
  expect(problem).toContain('Allow user namespaces');
});

test('a good answer is asked for once', async () => {
  const { dir, program } = writeProgram(
    `[ "$*" = "sandbox -- true" ] || exit 1\n[ -f asked ] && touch twice\ntouch asked`,
  );
  const probe = createSandboxProbe();
  const env = { PATH: process.env.PATH ?? '' };
  expect(await probe(program, env, dir)).toBeNull();
  expect(await probe(program, env, dir)).toBeNull();
  expect(existsSync(join(dir, 'twice'))).toBe(false);
});
