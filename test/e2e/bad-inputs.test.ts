import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';
import { makeTempDir, takeImage } from '../support/git-fixture.ts';
import { ARGUMENTS } from './bad-inputs/arguments.ts';
import { BACKLOGS } from './bad-inputs/backlogs.ts';
import { CONFIGS } from './bad-inputs/configs.ts';
import { REPOS } from './bad-inputs/repos.ts';

const BAD_INPUTS = [...CONFIGS, ...BACKLOGS, ...REPOS, ...ARGUMENTS];

let healthy: string;
beforeAll(() => {
  healthy = makeProject();
});

it('there are at least forty', () => {
  expect(new Set(BAD_INPUTS.map(row => row.name)).size).toBe(BAD_INPUTS.length);
  expect(BAD_INPUTS.length).toBeGreaterThanOrEqual(40);
});

describe.concurrent('wrong input is named with its fix, and no file changes', () => {
  it.each(BAD_INPUTS)('$name', async ({ args, says, spoil, code, env }) => {
    const dir = copyHealthy();
    const elsewhere = spoil(dir);
    const before = takeProjectImage(dir);
    const result = await runCli(typeof elsewhere === 'string' ? elsewhere : dir, args, env);
    const said = result.stdout + result.stderr;
    expect(said.length).toBeLessThan(5_000);
    expect(said).not.toContain('\n    at ');
    for (const words of says) expect(said).toContain(words);
    expect(result.code, said).toBe(code);
    expect(takeProjectImage(dir)).toEqual(before);
  });
});

describe.concurrent('a program gets the same as JSON', () => {
  it.each([
    ['run --al', 'usage', /--al/],
    ['statsu', 'usage', /statsu/],
    ['run --task 9', 'usage', /"9"/],
    ['add', 'usage', /title/],
  ] as const)('harness %s', async (command, code, message) => {
    const { stdout, stderr } = await runCli(copyHealthy(), [...command.split(' '), '--json']);
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code, details: { fix: expect.stringMatching(/\S/) } });
    expect(error.message).toMatch(message);
    expect(stderr).toBe('');
  });
});

function copyHealthy(): string {
  const dir = join(makeTempDir(), 'project');
  cpSync(healthy, dir, { recursive: true });
  return dir;
}

/** Everything of the project and what lies beside it, but the harness's own records and cache. */
function takeProjectImage(dir: string): Record<string, string> {
  return takeImage(dirname(dir), path => path === 'project/.harness' || path === 'cache');
}
