import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { EndToEndPolicy } from '../core/model/policy.ts';
import type { TestOutcome, TestRun } from '../core/model/testing.ts';
import { getStatement } from '../core/proof/proof.ts';
import { e2e } from './e2e.ts';

const SETTINGS: EndToEndPolicy = {
  ...{ command: 'node --test e2e', runner: 'node', artifactDirs: ['shots'] },
  application: { command: 'npm start', url: 'http://127.0.0.1:HARNESS_PORT', readyMs: 1_000 },
};
const BY_EXIT_CODE: EndToEndPolicy = { ...SETTINGS, command: 'sh e2e.sh', runner: 'command' };
const ENDED = { exitCode: 0, timedOut: false, outputTail: 'the end' } as const;

type Run = Partial<TestRun>;

/** A run in which tests of one file came out so. */
function ran(outcomes: Readonly<Record<string, TestOutcome>>): Run {
  const results = Object.entries(outcomes).map(([name, outcome]) => ({
    ...{ id: `e2e/shop.js > ${name}`, outcome },
    ...(outcome === 'failed' ? { message: `${name} is not as it was` } : {}),
  }));
  const isRed = Object.values(outcomes).includes('failed');
  return { ...ENDED, exitCode: isRed ? 1 : 0, results };
}
const GREEN = ran({ cart: 'passed', search: 'passed' });
const RED = ran({ cart: 'failed', search: 'passed' });
const exits = (exitCode: number): Run => ({
  ...{ ...ENDED, exitCode },
  results: [{ id: 'e2e', outcome: exitCode === 0 ? 'passed' : 'failed' }],
});
const HUNG: Run = { ...ENDED, exitCode: null, timedOut: true, results: [], reportProblem: 'out of time' };
const EMPTY: Run = { ...ENDED, results: [], reportProblem: 'no tests were collected' };
const CRASHED: Run = { ...ENDED, exitCode: 9, results: [], reportProblem: 'the command left no report' };
const unserved = (fault: 'down' | 'foreign' | 'unseen'): Run => ({
  ...{ ...ENDED, exitCode: null, results: [], reportProblem: `it is ${fault}` },
  unserved: { fault, why: `it is ${fault}` },
});

interface Given {
  /** What each run with the change gives, the last one for all that follow. */
  readonly after?: readonly Run[];
  readonly before?: readonly Run[];
  readonly settings?: EndToEndPolicy | null;
  readonly more?: CheckCase;
  readonly session?: number;
}

async function check({
  after = [GREEN],
  before = [GREEN],
  settings = SETTINGS,
  more = {},
  session,
}: Given = {}) {
  const counts = { after: 0, before: 0 };
  const bench = await createCheckContext({
    ...more,
    policy: { e2e: settings, ...more.policy },
    answer: ({ endToEnd }, files) => {
      if (!endToEnd) return undefined;
      const side = 'src/1' in files ? 'after' : 'before';
      const runs = side === 'after' ? after : before;
      const run = runs[Math.min(counts[side]++, runs.length - 1)];
      const files_ = [{ path: 'shots/cart failed.png', bytes: new TextEncoder().encode('a picture') }];
      return { ...run, produced: { files: files_, left: ['shots/film.webm: too big'] } };
    },
  });
  const ctx = session === undefined ? bench.ctx : { ...bench.ctx, attempt: { session } };
  return { ...bench, ctx, result: await e2e(ctx), counts };
}

describe('e2e', () => {
  it.each<[string, Given, string]>([
    ['no command', { settings: null }, 'skipped'],
    ['all green on both sides', {}, 'passed'],
    ['a test that is newly red', { after: [RED] }, 'failed'],
    ['a test that was red before', { after: [RED], before: [RED] }, 'warned'],
    ['a test that was red before and is green now', { before: [RED] }, 'passed'],
    [
      'a new test that is green',
      { after: [ran({ cart: 'passed', search: 'passed', pay: 'passed' })] },
      'passed',
    ],
    [
      'a new test that is red',
      { after: [ran({ cart: 'passed', search: 'passed', pay: 'failed' })] },
      'failed',
    ],
    ['a test that is no longer run', { after: [ran({ cart: 'passed' })] }, 'failed'],
    ['a test that is left out now', { after: [ran({ cart: 'passed', search: 'skipped' })] }, 'failed'],
    ['red once, then green', { after: [RED, GREEN] }, 'passed'],
    ['red twice of three times', { after: [RED, RED, GREEN] }, 'failed'],
    ['as red on the base when it is asked again', { after: [RED], before: [GREEN, RED] }, 'passed'],
    ['nothing to run with the change', { after: [EMPTY] }, 'failed'],
    ['nothing to run at all', { after: [EMPTY], before: [EMPTY] }, 'inconclusive'],
    [
      'nothing but tests that are left out',
      { after: [ran({ a: 'skipped' })], before: [EMPTY] },
      'inconclusive',
    ],
    ['the first tests there are', { before: [EMPTY] }, 'passed'],
    ['a time-out', { after: [HUNG] }, 'inconclusive'],
    ['red, and a time-out on the base', { after: [RED], before: [HUNG] }, 'inconclusive'],
    ['a lost report', { after: [CRASHED] }, 'failed'],
    ['a report that is lost on both sides', { after: [CRASHED], before: [CRASHED] }, 'inconclusive'],
    ['an application that no longer comes up', { after: [unserved('down')] }, 'failed'],
    ['an application that comes up at the second try', { after: [unserved('down'), GREEN, GREEN] }, 'passed'],
    ['one that never came up', { after: [unserved('down')], before: [unserved('down')] }, 'inconclusive'],
    ['one that comes up only now', { before: [unserved('down')] }, 'passed'],
    ['a foreign server', { after: [unserved('foreign')] }, 'inconclusive'],
    [
      'red, and a foreign server on the base',
      { after: [RED], before: [unserved('foreign')] },
      'inconclusive',
    ],
    ['a port that nobody can look at', { after: [unserved('unseen')] }, 'inconclusive'],
    ['an exit code that is good', { after: [exits(0)], settings: BY_EXIT_CODE }, 'passed'],
    ['one that is newly bad', { after: [exits(1)], before: [exits(0)], settings: BY_EXIT_CODE }, 'failed'],
    [
      'a good one of a run that says it was of nothing',
      { after: [{ ...exits(0), outputTail: 'No tests found' }], before: [exits(0)], settings: BY_EXIT_CODE },
      'failed',
    ],
    ['one that was bad before', { after: [exits(1)], before: [exits(1)], settings: BY_EXIT_CODE }, 'warned'],
  ])('%s', async (_, given, status) => {
    expect((await check(given)).result).toMatchObject({ check: 'e2e', status });
  });

  it('tells the agent which tests are red, what they say and how the output ended', async () => {
    const { result } = await check({ after: [RED] });
    expect(result.failing).toEqual(['e2e/shop.js > cart']);
    expect(result.findings[0]).toContain('cart is not as it was');
    expect(result.findings).toContain('the end of the output:\nthe end');
  });

  it('says that an exit code is weaker', async () => {
    for (const after of [[exits(0)], [exits(1)]])
      expect((await check({ after, before: [exits(0)], settings: BY_EXIT_CODE })).result.summary).toContain(
        'exit code alone',
      );
  });

  it('blames the ground for what cannot be run on the base', async () => {
    for (const given of [
      { after: [unserved('down')], before: [unserved('down')] },
      { after: [unserved('foreign')] },
      { after: [EMPTY], before: [EMPTY] },
    ])
      expect((await check(given)).result.measures).toEqual({ environment: 1 });
  });

  it('believes nothing before it was seen as often as policy says, on both sides', async () => {
    expect((await check({ after: [RED] })).counts).toEqual({ after: 3, before: 3 });
    expect((await check({ after: [RED], more: { policy: { reruns: 0 } } })).counts).toEqual({
      after: 1,
      before: 1,
    });
  });

  it('lets a test go that the task lets go', async () => {
    const base = { ...BASE, 'e2e/shop.js': 'two' };
    const candidate = { ...HEALTHY, 'e2e/shop.js': 'one' };
    const more = { base, candidate, task: { mayChange: ['e2e/shop.js'] } };
    expect((await check({ after: [ran({ cart: 'passed' })], more })).result.status).toBe('passed');
  });

  it('asks the base once for all work that stands on it', async () => {
    const { ctx, counts } = await check();
    await e2e(ctx);
    expect(counts).toEqual({ after: 1, before: 1 });
  });

  it('keeps what the candidate left with its session, and lists what it did not keep', async () => {
    const { result, written } = await check({ session: 7 });
    expect(result.artifacts?.map(({ path }) => path)).toEqual([
      'sessions/session-7-task-1/e2e/shots/cart failed.png',
    ]);
    expect([...written.keys()]).toEqual(result.artifacts?.map(({ path }) => path));
    expect(result.findings).toEqual(['not kept: shots/film.webm: too big']);
  });

  it('puts the ids of both sides into the statement', async () => {
    const { ctx, result } = await check({ before: [RED] });
    const { e2e: said } = getStatement(
      {
        ...{ task: ctx.task, policy: ctx.policy, base: { commit: 'b', tree: ctx.baseTree } },
        ...{ tree: ctx.candidate.tree, config: null, runs: ctx.tests.records, unreliable: new Set<string>() },
        ...{ blobs: {}, checks: [result] },
        verdict: { word: 'proven', decidedBy: null, reason: '', findings: [] },
      },
      () => '',
    ).tests;
    expect(said).toEqual({
      before: { failed: ['e2e/shop.js > cart'], passed: ['e2e/shop.js > search'] },
      after: { passed: ['e2e/shop.js > cart', 'e2e/shop.js > search'] },
    });
  });
});
