import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { makeTempDir } from '../support/git-fixture.ts';

test('the demo lands six tasks through three false claims and a kill, and leaves nothing behind', async () => {
  const dir = makeTempDir();
  const { code, stdout, stderr } = await runCli(dir, ['demo', '--json'], { TMPDIR: dir });
  const [last = '', ...others] = stdout.trimEnd().split('\n').reverse();
  expect(code, stderr).toBe(0);
  expect(others).toEqual([]);
  expect(last).toBe(
    '{"tasks":6,"landed":6,"claims":9,"falseClaimsCaught":3,"kills":1,"lost":0,"doubled":0,"orphans":0}',
  );
  expect(stderr).toContain('weakened a test, then did it');
  expect(readdirSync(dir)).toEqual([]);
}, 180_000);

test.each(['claude', 'codex'])(
  'the demo with %s says what is missing before it plays anything',
  async agent => {
    const { code, stderr } = await runCli(makeTempDir(), ['demo', '--agent', agent]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not installed[\s\S]*npm (?:install|i) /);
  },
);
