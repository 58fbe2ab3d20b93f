import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import {
  BASE,
  type CheckCase,
  changeRuns,
  createCheckContext,
  HEALTHY,
} from '../../../test/support/check-bench.ts';
import { CHECK_NAMES } from '../../core/model/check.ts';
import { getVerdict } from '../../core/model/verdict.ts';
import { runChecks } from './run-checks.ts';

async function check(given: CheckCase = {}) {
  const bench = await createCheckContext(given);
  const results = await runChecks(bench.ctx);
  return { results, ran: bench.ran, word: getVerdict(results).word, bench };
}

it('every check is told in the table of ARCHITECTURE.md, in its order', () => {
  const [, table = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('| check | passes when |');
  const rows = table.slice(0, table.indexOf('\n\n')).matchAll(/^\| ([a-z0-9-]+) \| \S/gm);
  expect([...rows].map(([, name]) => name)).toEqual(CHECK_NAMES);
});

describe('runChecks', () => {
  it('proves a healthy candidate by every check, in order', async () => {
    const { results, word } = await check();
    const names = results.map(result => result.check);
    expect(names).toEqual(CHECK_NAMES.filter(name => names.includes(name)));
    expect(names).toEqual(expect.arrayContaining(['claim', 'protected', 'fail-to-pass', 'pass-to-pass']));
    for (const { status } of results) expect(['passed', 'skipped']).toContain(status);
    expect(word).toBe('proven');
  });

  it.each<[string, CheckCase, string, string]>([
    ['a foreign claim', { claims: ['2'] }, 'claim', 'rejected'],
    ['a weakened test', { candidate: { ...BASE, 'test/1': 'weakened' } }, 'protected', 'rejected'],
    ['a lie', { candidate: { ...BASE, 'src/1': 'bad' } }, 'fail-to-pass', 'rejected'],
    ['a regression', { candidate: { ...HEALTHY, 'src/old': 'bad' } }, 'pass-to-pass', 'rejected'],
    ['a task nothing can prove', { task: { testFile: null } }, 'fail-to-pass', 'needs-human'],
    [
      'a suite out of time',
      { answer: ({ command }) => (command === 'test' ? { timedOut: true } : {}) },
      'pass-to-pass',
      'inconclusive',
    ],
  ])('stops at %s', async (_, given, last, word) => {
    const found = await check(given);
    expect(found.results.at(-1)?.check).toBe(last);
    expect(found.word).toBe(word);
  });

  it.each([
    ['the work at hand', true, 'proven', 'Ada said yes to this'],
    ['other work', false, 'needs-human', ''],
  ])('what was left to a person is settled by a yes to %s alone', async (_, isThis, word, said) => {
    const { ctx } = await createCheckContext({ task: { testFile: null } });
    const tree = isThis ? ctx.candidate.tree : 'another';
    const answer = { tree, passed: true, by: 'Ada', note: '' };
    const results = await runChecks({ ...ctx, person: { answer, shownTree: ctx.candidate.tree } });
    expect(getVerdict(results).word).toBe(word);
    expect(results.find(({ check }) => check === 'fail-to-pass')?.summary).toContain(said);
  });

  it('no yes of a person settles what a check refuses', async () => {
    const { ctx } = await createCheckContext({ candidate: { ...BASE, 'src/1': 'bad' } });
    const { tree } = ctx.candidate;
    const answer = { tree, passed: true, by: 'Ada', note: '' };
    const results = await runChecks({ ...ctx, person: { answer, shownTree: tree } });
    expect(getVerdict(results).word).toBe('rejected');
  });

  it('runs no test for a candidate that is refused on sight', async () => {
    expect((await check({ claims: ['2'] })).ran).toEqual([]);
  });

  it('judges in trees that no agent has touched, one for each side', async () => {
    expect((await check()).ran).toEqual([
      'test test/1 @ pristine-2',
      'test test/1 @ pristine-3',
      'test @ pristine-2',
      // What it says and opens there; a run remembers that of the baseline.
      'test @ pristine-3',
    ]);
  });
});

describe('checks side by side', () => {
  /** With a place of its own for what must fail, the task's file is looked at there as well. */
  const isNotAgain = (purpose: string) => purpose !== 'own tests again, candidate';

  /** Runs that take a moment, and which of them were there at the same time. */
  async function checkBoth(given: CheckCase) {
    const judge = async (isSideBySide: boolean) => {
      const { ctx, ran } = await createCheckContext(given);
      const there = new Map<string, number>();
      const most = { all: 0, inOnePlace: 0 };
      const { tests } = ctx.ports;
      const run: typeof tests.run = async request => {
        there.set(request.dir, (there.get(request.dir) ?? 0) + 1);
        const counts = [...there.values()];
        most.all = Math.max(
          most.all,
          counts.reduce((a, b) => a + b),
        );
        most.inOnePlace = Math.max(most.inOnePlace, ...counts);
        await new Promise(resolve => setTimeout(resolve, 5));
        there.set(request.dir, (there.get(request.dir) ?? 0) - 1);
        return tests.run(request);
      };
      const changed = changeRuns(ctx, { isSideBySide, ports: { tests: { run } } });
      const results = await runChecks(changed);
      const left = [...there.values()].reduce((a, b) => a + b, 0);
      return {
        results: results.map(({ durationMs, ...rest }) => rest),
        runs: changed.tests.records,
        ran,
        most,
        left,
      };
    };
    return { one: await judge(false), both: await judge(true) };
  }

  it.each<[string, CheckCase, number]>([
    ['a healthy candidate', {}, 2],
    ['a lie', { candidate: { ...BASE, 'src/1': 'bad' } }, 1],
    ['a regression', { candidate: { ...HEALTHY, 'src/old': 'bad' } }, 2],
    ['worse lint', { policy: { lintCommand: 'lint', lintBlocks: true } }, 2],
  ])('say the same of %s, by the same runs, one at a time in each place', async (_, given, atOnce) => {
    const { one, both } = await checkBoth(given);
    expect(both.results).toEqual(one.results);
    const names = (runs: typeof both.runs) => runs.map(({ purpose }) => purpose).filter(isNotAgain);
    expect(names(both.runs)).toEqual(names(one.runs));
    expect([one.most.all, one.most.inOnePlace, both.most.inOnePlace]).toEqual([1, 1, 1]);
    expect(both.most.all).toBeGreaterThanOrEqual(atOnce);
    expect(both.left).toBe(0);
  });

  it('take the first look where the suite will be, and the second where what must fail is', async () => {
    const { both } = await checkBoth({});
    expect([...new Set(both.ran)].sort()).toEqual([
      'test @ pristine-2',
      'test @ pristine-3',
      'test test/1 @ pristine-1001',
      'test test/1 @ pristine-2',
      'test test/1 @ pristine-3',
    ]);
    const policy = { testing: { ...simPolicy.testing, feature: null, full: 'test' } };
    // Asked once more for what it leaves to chance.
    const candidate = { ...HEALTHY, 'src/2': 'now()' };
    const { both: one } = await checkBoth({ policy, candidate });
    expect([...new Set(one.ran)].sort()).toEqual(['test @ pristine-2', 'test @ pristine-3']);
  });
});
