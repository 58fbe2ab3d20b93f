import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestResult } from '../core/model/testing.ts';
import { passToPass } from './pass-to-pass.ts';

/** What a test says each time it is run: `p` and `f`; the last letter goes on for ever. */
interface Script {
  /** In the whole suite, and alone where it says something else there. */
  readonly suite: string;
  readonly alone?: string;
}

interface Case extends CheckCase {
  readonly onCandidate?: Script;
  readonly onBase?: Script;
  /** The task's own test. */
  readonly own?: Script;
  readonly ownOnBase?: Script;
  readonly quarantine?: readonly string[];
}

/** Code that may be lucky twice. */
const BY_CHANCE = { candidate: { ...HEALTHY, 'src/1': 'good if now() is even' } };

const GREEN: Script = { suite: 'p' };
const RED: Script = { suite: 'f' };

/** The old test and the task's own one say what the scripts say; everything else is healthy. */
async function check(given: Case) {
  const asked = new Map<string, number>();
  const say = (id: string, where: string, script: Script): TestResult => {
    const [line, key] = where.endsWith('suite')
      ? [script.suite, `${id} ${where}`]
      : [script.alone ?? script.suite, `${id} ${where}`];
    const at = asked.get(key) ?? 0;
    asked.set(key, at + 1);
    return { id, outcome: (line[at] ?? line.at(-1)) === 'p' ? 'passed' : 'failed' };
  };
  const answer: CheckCase['answer'] = ({ command, dir }) => {
    const isBase = dir === 'pristine-3';
    const where = `${isBase ? 'base' : 'candidate'} ${command === 'test' ? 'suite' : 'alone'}`;
    const old = isBase ? given.onBase : given.onCandidate;
    const own = isBase ? (given.ownOnBase ?? RED) : given.own;
    const results: TestResult[] = [];
    if (command !== 'test test/1') results.push(say('test/old', where, old ?? GREEN));
    const isReported = command !== 'test' || (own ?? GREEN).suite !== '';
    if (command !== 'test test/old' && isReported) results.push(say('test/1', where, own ?? GREEN));
    return { results };
  };
  const { ctx, ran } = await createCheckContext({ answer, base: BASE, ...given });
  const result = await passToPass({ ...ctx, quarantine: new Set(given.quarantine) });
  const { flaky } = ctx.tests;
  return { ...result, flaky: flaky.map(({ id }) => id), evidence: flaky[0]?.evidence ?? [], ran };
}

describe('a test that passed on the base and fails with the change', () => {
  it('is a regression when it stays so on both sides', async () => {
    const result = await check({ onCandidate: RED });
    expect(result).toMatchObject({ status: 'failed', flaky: [] });
    expect(result.findings).toEqual(['test/old passed before and is now failed']);
    const again = result.ran.filter(line => line.startsWith('test test/old'));
    expect(again).toEqual([
      ...Array(2).fill('test test/old @ pristine-2'),
      ...Array(2).fill('test test/old @ pristine-3'),
    ]);
  });

  it('is put aside, with the evidence, when the base is as unsteady', async () => {
    const result = await check({ onCandidate: RED, onBase: { suite: 'p', alone: 'pf' } });
    expect(result).toMatchObject({ status: 'passed', flaky: ['test/old'] });
    expect(result.summary).toContain('1 flaky');
    const onBase = result.evidence.filter(({ command }) => command === 'test test/old').slice(0, 2);
    expect(onBase.map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
  });

  it('is put aside when it is unsteady here and, looked at for longer, there', async () => {
    const result = await check({
      onCandidate: { suite: 'f', alone: 'pf' },
      onBase: { suite: 'p', alone: 'pppf' },
    });
    expect(result).toMatchObject({ status: 'passed', flaky: ['test/old'] });
  });

  it('speaks against the change when only the change makes it unsteady', async () => {
    const result = await check({ onCandidate: { suite: 'f', alone: 'pf' } });
    expect(result).toMatchObject({ status: 'failed', flaky: [] });
    expect(result.findings[0]).toMatch(/^flaky: test\/old passes on the base/);
  });

  it('is a regression when it passes alone and never among the others', async () => {
    const result = await check({ onCandidate: { suite: 'f', alone: 'p' } });
    expect(result.findings).toEqual(['test/old passed before and is now failed']);
  });

  it('is asked again among the others when it passes alone', async () => {
    const result = await check({ onCandidate: { suite: 'fp', alone: 'p' } });
    expect(result.findings[0]).toMatch(/^flaky: test\/old passes on the base/);
  });

  it('is judged among the others when it never passes alone, not even on the base', async () => {
    const onBase: Script = { suite: 'p', alone: 'f' };
    const broken = await check({ onCandidate: RED, onBase });
    expect(broken.findings).toEqual(['test/old passed before and is now failed']);
    const unsteady = await check({
      onCandidate: { suite: 'fp', alone: 'f' },
      onBase: { suite: 'f', alone: 'f' },
    });
    expect(unsteady).toMatchObject({ status: 'passed', flaky: ['test/old'] });
  });

  it('is believed at once when no re-runs are wanted', async () => {
    const result = await check({ onCandidate: { suite: 'fp' }, policy: { reruns: 0 } });
    expect(result).toMatchObject({ status: 'failed', flaky: [] });
    expect(result.ran.filter(line => line.startsWith('test test/old'))).toEqual([]);
  });

  it('does not block when it is in quarantine and still says yes at times', async () => {
    const result = await check({ onCandidate: { suite: 'f', alone: 'ffp' }, quarantine: ['test/old'] });
    expect(result).toMatchObject({ status: 'passed', flaky: [] });
    expect(result.ran.filter(line => line.startsWith('test test/old'))).toHaveLength(3);
  });

  it('costs no further run when it is in quarantine and green', async () => {
    const result = await check({ quarantine: ['test/old'] });
    expect(result).toMatchObject({ status: 'passed', flaky: [] });
    expect(result.ran.filter(line => line.startsWith('test test/old'))).toEqual([]);
  });

  it('is put before a person when it is in quarantine and red for good', async () => {
    const result = await check({ onCandidate: RED, quarantine: ['test/old'] });
    expect(result).toMatchObject({ status: 'needs-human', flaky: [] });
    expect(result.findings[0]).toMatch(
      /^test\/old is in quarantine: .*passed 0 of 6 times, without it 6 of 6/,
    );
  });

  it('is left in quarantine when it is hardly ever green without the change', async () => {
    const onBase: Script = { suite: 'p', alone: 'fffffp' };
    const result = await check({ onCandidate: RED, onBase, quarantine: ['test/old'] });
    expect(result).toMatchObject({ status: 'passed', flaky: [] });
  });
});

describe("a task's own test", () => {
  const flaky = { status: 'failed', summary: "the task's own tests do not agree with themselves", flaky: [] };

  it('counts when it says the same each time', async () => {
    expect(await check({})).toMatchObject({ status: 'passed', findings: [] });
  });

  it('never counts when it passed by luck', async () => {
    const result = await check({ own: { suite: 'p', alone: 'pf' }, ...BY_CHANCE });
    expect(result).toMatchObject(flaky);
    expect(result.findings[0]).toMatch(/^flaky: test\/1 passed, and when it was run again it was failed/);
  });

  it('never counts when it passes alone and not among the others', async () => {
    const result = await check({ own: { suite: 'f', alone: 'p' }, baseline: { failing: ['test/1'] } });
    expect(result).toMatchObject(flaky);
  });

  it('costs no run when the suite shows it a second time', async () => {
    const { ran } = await check({});
    expect(ran.filter(line => line.startsWith('test test/1'))).toEqual([
      'test test/1 @ pristine-2',
      'test test/1 @ pristine-3',
    ]);
  });

  it.each([
    ['in the suite', { suite: 'p', alone: 'f' }],
    ['alone, where the suite does not know it', { suite: '', alone: 'fp' }],
  ])('never counts when it failed on the base by luck, seen %s', async (_, ownOnBase) => {
    const result = await check({ ownOnBase });
    expect(result).toMatchObject(flaky);
    expect(result.findings).toEqual(['flaky: test/1 did not pass without the change, and then it did']);
  });

  it('proves nothing when it is in quarantine', async () => {
    expect(await check({ quarantine: ['test/1'] })).toMatchObject({ status: 'needs-human' });
  });

  it('is inconclusive when it does not come to an end again', async () => {
    let runs = 0;
    const answer: CheckCase['answer'] = ({ command }) => ({
      timedOut: command === 'test test/1' && ++runs === 2,
    });
    const { ctx } = await createCheckContext({ base: BASE, answer, ...BY_CHANCE });
    expect((await passToPass(ctx)).status).toBe('inconclusive');
  });
});
