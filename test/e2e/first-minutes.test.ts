import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../support/cli.ts';
import { makeNewcomer, SITUATIONS } from './first-minutes/situations.ts';

const LINES_OF_A_SCREEN = 30;

it('there are at least thirty', () => {
  expect(new Set(SITUATIONS.map(({ name }) => name)).size).toBe(SITUATIONS.length);
  expect(SITUATIONS.length).toBeGreaterThanOrEqual(30);
});

describe.concurrent('first minutes: command, reason and fix on one screen, and nobody is charged', () => {
  it.each(SITUATIONS)('$name', async situation => {
    const { args = ['run'], spoil, code, says, env } = situation;
    const dir = makeNewcomer(situation);
    const elsewhere = spoil?.(dir);
    const result = await runCli(elsewhere ?? dir, args, env);
    const said = result.stderr + result.stdout;
    for (const words of says) expect(said).toMatch(typeof words === 'string' ? getPattern(words) : words);
    expect(result.code, said).toBe(code);
    expect(said.trimEnd().split('\n').length, said).toBeLessThanOrEqual(LINES_OF_A_SCREEN);
    expect(said).not.toContain('\n    at ');
    if (elsewhere !== undefined) return;
    const log = await runCli(dir, ['log', '--type', 'attempt', '--json']);
    const counted = log.stdout.split('\n').filter(line => line.includes('"attempt.ended"'));
    for (const line of counted) expect(line).toContain('"outcome":"partial"');
    const status = await runJson<{ tasks?: { attempts?: number }[] }>(dir, ['status', '--all']).catch(() => ({
      tasks: [],
    }));
    for (const task of status.tasks ?? []) expect(task.attempts ?? 0, JSON.stringify(task)).toBe(0);
  });

  it('a healthy project runs', async () => {
    const { code, stderr } = await runCli(makeNewcomer({ name: '', code: 0, says: [] }), ['run']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('task 1 landed')]);
  });
});

function getPattern(words: string): RegExp {
  return new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
