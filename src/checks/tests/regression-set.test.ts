import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../../test/support/check-bench.ts';
import { makeTask } from '../../../test/support/history.ts';
import type { TaskDef } from '../../core/model/task.ts';
import type { TestOutcome } from '../../core/model/testing.ts';
import { getVerdict } from '../../core/model/verdict.ts';
import type { HeldOut } from '../../ports/index.ts';
import { getValidation, runOwnProof } from '../../testruns/own-proof.ts';
import { passToPass } from '../pass-to-pass.ts';
import { holdLanded } from './regression-set.ts';

const VALIDATION = { command: 'check seven', timeoutSeconds: 9 };
const validated: TaskDef = { ...makeTask('7'), testFile: null, validation: VALIDATION };
const tested: TaskDef = { ...makeTask('8'), testFile: 'checks/8', validation: null };
const ID = 'validation: check seven';

/** `check seven` and `checks/8` want `src/seven`; the base has it, the candidate has what is given. */
const answer: NonNullable<CheckCase['answer']> = ({ command, idWithoutReport }, files) => {
  if (command !== 'check seven' && command !== 'test checks/8' && command !== 'test test/secret')
    return undefined;
  const isGood = files['src/seven'] === 'good' && files['checks/8'] !== 'changed to red';
  const outcome: TestOutcome = isGood || files['checks/8'] === 'weakened' ? 'passed' : 'failed';
  return { exitCode: outcome === 'passed' ? 0 : 1, results: [{ id: idWithoutReport, outcome }] };
};

interface Given extends CheckCase {
  readonly landed?: readonly TaskDef[];
  readonly seven?: string;
  readonly heldOut?: HeldOut;
  readonly quarantine?: ReadonlySet<string>;
}

async function hold({ landed = [validated], seven, heldOut, quarantine, ...given }: Given) {
  const more = { 'src/seven': 'good', 'checks/8': 'assert 8' };
  const candidate = { ...HEALTHY, ...more, ...(seven === undefined ? {} : { 'src/seven': seven }) };
  const bench = await createCheckContext({ base: { ...BASE, ...more }, candidate, answer, ...given });
  const ports = { ...bench.ports, ...(heldOut ? { heldOut } : {}) };
  const ctx = { ...bench.ctx, ports, landed, quarantine };
  const result = await passToPass(ctx);
  return { ...result, ctx, ran: bench.ran.filter(line => /check|secret/.test(line)) };
}

describe('what proved a landed task', () => {
  it('passes with a change that leaves it alone, and is named in the summary', async () => {
    const { status, summary } = await hold({});
    expect(status).toBe('passed');
    expect(summary).toContain('what proved one landed task holds');
  });

  it.each<[string, TaskDef, string]>([
    [
      'its validation',
      validated,
      'validation: check seven, which proved task 7, passed before and fails now',
    ],
    ['its test outside of the suite', tested, 'checks/8, which proved task 8, passed before and fails now'],
  ])('rejects whoever breaks %s', async (_, task, words) => {
    const { status, findings } = await hold({ landed: [task], seven: 'bad' });
    expect(status).toBe('failed');
    expect(findings).toEqual([expect.stringContaining(words)]);
  });

  it.each<[string, string, 'failed' | 'passed']>([
    ['a script that decides', 'sh tools/check.sh', 'failed'],
    ['a program whose output is looked at', 'sh tools/check.sh | grep -q good', 'passed'],
  ])("goes by the base's own version of %s", async (_, command, status) => {
    const task = { ...validated, validation: { command, timeoutSeconds: 9 } };
    const script = 'tools/check.sh';
    const run: CheckCase['answer'] = ({ command: asked, idWithoutReport }, files) => {
      if (asked !== command) return undefined;
      const text = files[script] ?? '';
      const says = text === '' ? !command.includes('|') : text === 'weak' || files['src/seven'] === 'good';
      const outcome: TestOutcome = says ? 'passed' : 'failed';
      return { exitCode: says ? 0 : 1, results: [{ id: idWithoutReport, outcome }] };
    };
    const more = { 'src/seven': 'good', [script]: 'strict' };
    const result = await hold({
      landed: [task],
      base: { ...BASE, ...more },
      candidate: { ...HEALTHY, 'src/seven': 'bad', [script]: 'weak' },
      answer: run,
    });
    expect(result.status).toBe(status);
  });

  it('rejects whoever breaks what it held out, without a word to the agent about which', async () => {
    const heldOut: HeldOut = {
      list: async id => (id === '7' ? [{ path: 'test/secret', sha256: 'abc', text: '' }] : []),
      layFiles: async () => async () => undefined,
    };
    const task = { ...makeTask('7'), testFile: 'test/old' };
    const result = await hold({ landed: [task], heldOut, seven: 'bad' });
    expect(result).toMatchObject({ status: 'failed', private: true });
    expect(result.findings.join()).toContain('test/secret');
    expect(JSON.stringify(getVerdict([result]))).not.toContain('secret');
    expect((await hold({ landed: [task], heldOut })).status).toBe('passed');
  });

  it('is not run where the suite was seen running it, or the same bytes have answered', async () => {
    expect((await hold({ landed: [{ ...makeTask('9'), testFile: 'test/old' }] })).ran).toEqual([]);
    const { ctx, ran } = await hold({});
    expect(ran).toHaveLength(1);
    expect((await passToPass(ctx)).status).toBe('passed');
    expect(ran).toHaveLength(1);
  });

  it('holds nobody who comes after it was broken, and leaves it for the look at everything', async () => {
    const base = { ...BASE, 'src/seven': 'bad' };
    const result = await hold({ base, candidate: { ...base, 'src/1': 'good' } });
    expect(result).toMatchObject({ status: 'passed', measures: { left: 1 } });
  });

  it('is left for the look at everything when there is no time', async () => {
    const policy = { regression: { budgetMs: 0, interval: 5 } };
    const result = await hold({ policy, seven: 'bad' });
    expect(result).toMatchObject({ status: 'passed', measures: { left: 1 } });
    expect(result.summary).toContain('1 left for the look at everything');
    expect(result.ran).toEqual([]);
  });

  it('decides nothing when it comes to no end with the change', async () => {
    const slow: typeof answer = (request, files) =>
      request.command === 'check seven' && files['src/seven'] === 'bad'
        ? { exitCode: null, timedOut: true, results: [] }
        : answer(request, files);
    expect(await hold({ answer: slow, seven: 'bad' })).toMatchObject({
      status: 'inconclusive',
      measures: { timedOut: 1 },
    });
  });

  it.each<[string, boolean, string]>([
    ['is the fault of a change that makes it unsteady', true, 'failed'],
    ['is nobody’s fault where it was unsteady before', false, 'passed'],
  ])('%s', async (_, steadyBefore, status) => {
    let [there, here] = [0, 0];
    const shaky: typeof answer = ({ command, idWithoutReport: id }, files) => {
      if (command !== 'check seven') return undefined;
      const isGreen = files['src/seven'] === 'bad' ? here++ % 2 === 1 : steadyBefore || there++ % 2 === 0;
      return { exitCode: isGreen ? 0 : 1, results: [{ id, outcome: isGreen ? 'passed' : 'failed' }] };
    };
    expect((await hold({ answer: shaky, seven: 'bad' })).status).toBe(status);
  });

  it('neither blocks nor proves while it is in quarantine', async () => {
    expect((await hold({ seven: 'bad', quarantine: new Set([ID]) })).status).toBe('passed');
  });

  const changed = { 'src/seven': 'bad', 'checks/8': 'weakened' };
  it.each<[string, Partial<TaskDef>, string]>([
    ['is asked as the base has it, whatever a later task makes of it', {}, 'failed'],
    ['is asked as it is now where the task may change it', { mayChange: ['checks/**'] }, 'passed'],
  ])('%s', async (_, task, status) => {
    const candidate = { ...HEALTHY, ...changed };
    expect((await hold({ landed: [tested], candidate, task })).status).toBe(status);
  });

  it.each<[string, readonly string[], number]>([
    ['is not run where the change cannot touch what it opened on the base', ['src/seven'], 0],
    ['is run where the change is in what it opened', ['src/old'], 1],
  ])('%s', async (_, opened, runs) => {
    const watched: typeof answer = (request, files) => {
      const given = answer(request, files);
      return given && { ...given, opened };
    };
    const base = { ...BASE, 'src/1': 'bad', 'src/seven': 'good' };
    const candidate = { ...base, 'src/1': 'good', 'src/old': 'good again' };
    const { ctx, ran } = await createCheckContext({ base, candidate, answer: watched });
    const where = { purpose: 'before', side: 'base', tree: ctx.baseTree } as const;
    await runOwnProof(ctx.tests, getValidation('7', VALIDATION), where);
    const before = ran.length;
    await holdLanded({ ...ctx, landed: [validated] });
    expect(ran.slice(before).filter(line => line.startsWith('check seven'))).toHaveLength(runs);
  });
});
