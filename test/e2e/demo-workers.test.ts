import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { makeTempDir } from '../support/git-fixture.ts';

test('the demo with four workers catches a conflict of texts and one of meanings in the queue, and lands all through a kill', async () => {
  const dir = makeTempDir();
  const { code, stdout, stderr } = await runCli(dir, ['demo', '--workers', '4', '--json'], { TMPDIR: dir });
  const [last = '', ...others] = stdout.trimEnd().split('\n').reverse();
  expect(code, stderr).toBe(0);
  expect(others).toEqual([]);
  const { claims, batches, ...result } = JSON.parse(last) as Record<string, number>;
  expect(result).toEqual({
    ...{ workers: 4, tasks: 8, landed: 8, falseClaimsCaught: 3, kills: 1, lost: 0, doubled: 0, orphans: 0 },
    ...{ conflicts: 1, semanticConflicts: 1 },
  });
  // Who is cut off by the kill, and what lands together, is a matter of chance.
  expect(claims).toBeGreaterThanOrEqual(12);
  expect(batches).toBeGreaterThanOrEqual(1);
  expect(stderr).toMatch(/queue {4}✘ [34] does not fit onto .*: src\/cart\.js/);
  expect(stderr).toMatch(/queue {4}✘ [12] is green alone and red together with .*: test\//);
  expect(stderr).toMatch(/[34] {2}.* did not fit, then (?:.*, then )?did it/);
  expect(stderr).toMatch(/[12] {2}.* was red with others, then (?:.*, then )?did it/);
  expect(readdirSync(dir)).toEqual([]);
}, 240_000);

test.each([
  [['--workers', '1'], /--workers takes 2 to 8 here, and not 1/],
  [['--workers', '9'], /--workers takes 2 to 8 here, and not 9/],
])('the demo refuses %j, which the story cannot be played with', async (flags, message) => {
  const { code, stderr } = await runCli(makeTempDir(), ['demo', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
