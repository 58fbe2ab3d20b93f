import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { Mutant } from '../ports/index.ts';
import { mutation } from './mutation.ts';

const mutant = (kind: Mutant['kind'], text: string): Mutant => ({
  kind,
  text,
  line: 1,
  what: `it is ${text}`,
});
const ALL = [
  mutant('body', 'emptied'),
  mutant('single', 'one'),
  mutant('single', 'two'),
  mutant('effect', 'effect'),
];
const noTest: Files = Object.fromEntries(Object.entries(BASE).filter(([path]) => path !== 'test/1'));

/** Which broken texts the tests notice. */
async function check(
  noticed: readonly string[],
  mutants: readonly Mutant[] | null = ALL,
  given: CheckCase = {},
) {
  const tried: string[] = [];
  const answer = (_: unknown, files: Files): Partial<TestRun> => {
    const text = files['src/1'];
    if (text === undefined) return { results: [{ id: 'test/1', outcome: 'failed' }] };
    if (text !== 'good') tried.push(text);
    const outcome = noticed.includes(text) ? 'failed' : 'passed';
    return { results: [{ id: 'test/1', outcome }] };
  };
  const bench = await createCheckContext({ answer, ...given });
  const sources = { alterTest: async () => null, mutate: async () => mutants, readNames: async () => null };
  const result = await mutation({ ...bench.ctx, ports: { ...bench.ctx.ports, sources } });
  return { ...result, tried };
}

const WROTE_TEST: CheckCase = { base: noTest, candidate: HEALTHY };

describe('mutation', () => {
  it('is content with the first broken variant that an approved test notices: all emptied at once', async () => {
    expect(await check(['emptied'])).toMatchObject({ status: 'passed', tried: ['emptied'] });
    expect(await check(['two'])).toMatchObject({ status: 'passed', tried: ['emptied', 'one', 'two'] });
  });

  it('asks something finer of a test that the agent wrote', async () => {
    expect(await check(['emptied'], ALL, WROTE_TEST)).toMatchObject({
      status: 'failed',
      tried: ['one', 'two'],
    });
    expect(await check(['one'], ALL, WROTE_TEST)).toMatchObject({ status: 'passed', tried: ['one'] });
    const only = [mutant('body', 'emptied')];
    expect((await check(['emptied'], only, WROTE_TEST)).status).toBe('passed');
  });

  it('names what nobody noticed: refused where the agent wrote the test, else a person is asked', async () => {
    const refused = await check([], ALL, WROTE_TEST);
    expect(refused).toMatchObject({ status: 'failed', summary: expect.stringContaining('2 ways tried') });
    expect(refused.findings).toEqual([
      'the tests still pass when in src/1:1 it is one',
      'the tests still pass when in src/1:1 it is two',
    ]);
    expect((await check([])).status).toBe('needs-human');
  });

  it('empties what it cannot break, where the agent wrote the test', async () => {
    expect(await check([''], null, WROTE_TEST)).toMatchObject({ status: 'passed', tried: [''] });
    const refused = await check([], [], WROTE_TEST);
    expect(refused).toMatchObject({
      status: 'failed',
      findings: ['the tests still pass when src/1 is empty'],
    });
  });

  it('breaks what runs by itself only where there is nothing else', async () => {
    expect((await check([])).tried).not.toContain('effect');
    expect((await check([], [mutant('effect', 'effect')])).tried).toEqual(['effect']);
  });

  it('counts a variant that takes too long, or leaves no report, as noticed', async () => {
    const answer = (more: Partial<TestRun>) => (_: unknown, files: Files) =>
      files['src/1'] === 'good' ? { results: [{ id: 'test/1', outcome: 'passed' as const }] } : more;
    for (const more of [{ timedOut: true }, { results: [], reportProblem: 'none' }])
      expect((await check([], ALL, { answer: answer(more) })).status).toBe('passed');
  });

  it('tries no more than it may, and says when time ran out before anything was noticed', async () => {
    expect(
      (await check([], ALL, { policy: { mutation: { mutants: 2, budgetMs: 60_000 } } })).tried,
    ).toHaveLength(2);
    const late = await check([], ALL, { ...WROTE_TEST, policy: { mutation: { mutants: 8, budgetMs: -1 } } });
    expect(late).toMatchObject({ status: 'needs-human', tried: [] });
  });

  it.each<[string, readonly Mutant[] | null, CheckCase]>([
    ['the language is not known', null, {}],
    ['nothing can be broken', [], {}],
    ['it is switched off', ALL, { policy: { mutation: { mutants: 0, budgetMs: 1 } } }],
    ['no test file can be run', ALL, { task: { testFile: null } }],
  ])('is skipped when %s', async (_, mutants, given) => {
    expect((await check([], mutants, given)).status).toBe('skipped');
  });
});
