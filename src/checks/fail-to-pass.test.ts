import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import type { Files } from '../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestOutcome, TestRun } from '../core/model/testing.ts';
import { failToPass } from './fail-to-pass.ts';

async function check(given: CheckCase) {
  const bench = await createCheckContext(given);
  return { ...(await failToPass(bench.ctx)), ran: bench.ran };
}

/** The candidate's run gives this; on the base the project answers for itself. */
function onCandidate(run: Partial<TestRun>): CheckCase {
  return { answer: (_, files) => (files['src/1'] === 'good' ? run : undefined) };
}

const results = (...outcomes: TestOutcome[]) => outcomes.map((outcome, i) => ({ id: `t${i}`, outcome }));
const noTest: Files = Object.fromEntries(Object.entries(BASE).filter(([path]) => path !== 'test/1'));
const done: Files = { ...BASE, 'src/1': 'good' };
const validation = { command: 'make check', timeoutSeconds: 5 };

/** A validation that passes when the task is done. */
const judge: CheckCase['answer'] = ({ command, idWithoutReport }, files) =>
  command === 'make check'
    ? {
        results: [{ id: idWithoutReport, outcome: files['src/1'] === 'good' ? 'passed' : 'failed' }],
        exitCode: files['src/1'] === 'good' ? 0 : 1,
      }
    : undefined;

describe('fail to pass', () => {
  it.each<[string, CheckCase]>([
    ['the approved test turns from red to green', {}],
    ['a new test fails without the change', { base: noTest, candidate: HEALTHY }],
    ['the validation turns from red to green', { task: { testFile: null, validation }, answer: judge }],
    ['test and validation both turn', { task: { validation }, answer: judge }],
  ])('passes when %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, CheckCase, string]>([
    ['the test is red with the change', { candidate: { ...BASE, 'src/1': 'bad' } }, 'test/1: failed'],
    [
      'one that was red is not heard of any more',
      {
        answer: (_, files) => ({
          results: files['src/1'] === 'good' ? results('passed') : results('failed', 'failed'),
        }),
      },
      't1 is there on the base',
    ],
    ['one of two is red', onCandidate({ results: results('passed', 'failed') }), 't1: failed'],
    ['a test is skipped', onCandidate({ results: results('passed', 'skipped') }), 't1: skipped'],
    ['a test is still to do', onCandidate({ results: results('todo') }), 't0: todo'],
    ['a test breaks', onCandidate({ results: results('error') }), 't0: error'],
    ['nothing is collected', onCandidate({ results: [] }), 'no tests were collected'],
    [
      'no report is written',
      onCandidate({ results: [], reportProblem: 'the command left no report' }),
      'the command left no report',
    ],
    [
      'the test file is not there',
      { base: noTest, candidate: { ...noTest, 'src/1': 'good' } },
      'write the test file',
    ],
    [
      'the validation is red',
      { task: { testFile: null, validation }, candidate: { ...BASE, 'src/1': 'bad' }, answer: judge },
      'validation: make check: failed',
    ],
    [
      'the dependencies cannot be installed with the change',
      {
        policy: { environment: { ...environment(), install: 'npm ci' } },
        shell: () => ({ exitCode: 1, output: 'out of sync' }),
      },
      'out of sync',
    ],
  ])('fails when %s', async (_, given, finding) => {
    const result = await check(given);
    expect(result.status).toBe('failed');
    expect(result.findings.join('\n')).toContain(finding);
  });

  it('asks a person when the agent wrote the test and only its exit code can be seen', async () => {
    const testing = { ...simPolicy.testing, runner: 'command' } as const;
    const wrote = { base: noTest, candidate: HEALTHY, policy: { testing } };
    expect(await check(wrote)).toMatchObject({ status: 'needs-human' });
    expect(await check({ policy: { testing } })).toMatchObject({ status: 'passed' });
  });

  it('leaves an approved test that passes without the change to what else holds the work, and says so', async () => {
    const result = await check({ base: done, candidate: { ...done, 'src/2': 'new' } });
    expect(result).toMatchObject({ status: 'passed', basis: expect.stringContaining('unchanged') });
  });

  it.each([
    [true, ['getaddrinfo ENOTFOUND example.org', 'tests have no network here']],
    [false, ['getaddrinfo ENOTFOUND example.org']],
  ])('says so where a red test missed the network that it does not have: %s', async (hasNone, words) => {
    const message = 'getaddrinfo ENOTFOUND example.org';
    const { ctx } = await createCheckContext({
      answer: () => ({ results: [{ id: 'test/1', outcome: 'failed', message }] }),
    });
    const { findings } = await failToPass({ ...ctx, ports: { ...ctx.ports, hasNoTestNetwork: hasNone } });
    expect(findings).toEqual(words.map(word => expect.stringContaining(word)));
  });

  it('asks a person when the validation passes without the change', async () => {
    const given = { base: done, candidate: { ...done, 'src/2': 'new' }, answer: judge };
    expect((await check({ ...given, task: { testFile: null, validation } })).status).toBe('needs-human');
  });

  it('asks a person when there is nothing to prove the task by', async () => {
    expect((await check({ task: { testFile: null } })).status).toBe('needs-human');
  });

  const LATE = { timedOut: true, exitCode: null, results: [] } as const;
  it.each<[string, CheckCase]>([
    ['with the change', onCandidate({ timedOut: true, exitCode: null, results: [] })],
    [
      'without the change, and are slow with it',
      { answer: (_, files) => (files['src/1'] ? { durationMs: 1e9 } : LATE) },
    ],
    ['as no command can run the file', { policy: { testing: { ...testing(), full: null, feature: null } } }],
  ])('is inconclusive when the tests did not come to an end %s', async (_, given) => {
    expect((await check(given)).status).toBe('inconclusive');
  });

  it('takes an approved test that hangs without the change, and is over soon with it, for red', async () => {
    const answer: CheckCase['answer'] = (_, files) => (files['src/1'] ? undefined : LATE);
    expect((await check({ answer })).status).toBe('passed');
  });

  it('runs a test on the base only where the base has it', async () => {
    expect((await check({ base: noTest, candidate: HEALTHY })).ran).toHaveLength(1);
    expect((await check({})).ran).toHaveLength(2);
  });

  it('never takes one command’s answer for another’s, though they are the same words', async () => {
    const policy = { testing: { ...testing(), runner: 'command' as const, full: 'make', feature: null } };
    const answer: CheckCase['answer'] = request => ({
      results: [{ id: request.idWithoutReport, outcome: 'passed' }],
    });
    const bench = await createCheckContext({
      base: done,
      candidate: { ...done, 'src/2': 'new' },
      policy,
      answer,
    });
    await bench.ctx.tests.baseline(bench.ctx.baseTree);
    expect((await failToPass(bench.ctx)).basis).toContain('nothing turned from red to green');
  });
});

function testing() {
  return { runner: 'node' as const, full: 'test', feature: 'test {file}', reportPath: null };
}

function environment() {
  return {
    init: null,
    reset: null,
    healthCheck: null,
    stop: null,
    lockfiles: ['package.json'],
    acceptUnfilled: [],
  };
}

describe('a base of whose tests nothing is heard', () => {
  const lost = (outputTail: string) => ({
    ...{ results: [], exitCode: 1, reportProblem: 'the command left no report (exit 1)', outputTail },
  });
  const onBase = (run: Partial<TestRun>, suite: Partial<TestRun>): CheckCase => ({
    answer: ({ command }, files) => {
      if (files['src/1']) return undefined;
      return command === 'test' ? suite : run;
    },
  });

  it('proves nothing where nothing says why', async () => {
    const result = await check(onBase(lost('Killed'), lost('Killed')));
    expect(result).toMatchObject({ status: 'inconclusive', findings: ['Killed'] });
    expect(result.summary).toContain('no report without the change');
  });

  it('will do where the output names what the change brings', async () => {
    expect((await check(onBase(lost("Cannot find module './1'"), lost('')))).status).toBe('passed');
  });

  it('will do where the suite reports well but for an approved test of the task', async () => {
    const suite: Partial<TestRun> = { results: [{ id: 'test/old', outcome: 'passed' }] };
    expect((await check(onBase(lost('error CS0103'), suite))).status).toBe('passed');
  });
});

describe('a test that is skipped', () => {
  /** The task's file on the base, and with the change. */
  const both = (without: Partial<TestRun>, withChange: Partial<TestRun>): CheckCase => ({
    answer: (_, files) => (files['src/1'] === 'good' ? withChange : without),
  });
  const broken = [{ id: 'test/1', outcome: 'error' as const, message: 'undefined: sum' }];

  it('on the base too has no part in the judgement', async () => {
    const result = await check(
      both({ results: results('failed', 'skipped') }, { results: results('passed', 'skipped') }),
    );
    expect(result).toMatchObject({ status: 'passed', summary: '1 test turned from red to green' });
  });

  it('only with the change rejects it, whatever became of it before', async () => {
    for (const outcome of ['failed', 'passed'] as const) {
      const result = await check(
        both({ results: results('failed', outcome) }, { results: results('passed', 'skipped') }),
      );
      expect(result).toMatchObject({ status: 'failed', findings: ['t1: skipped'] });
    }
  });

  it('proves nothing, on the base or with the change', async () => {
    const all = { results: results('skipped', 'skipped') };
    expect((await check(both(all, all))).status).not.toBe('passed');
  });

  it.each<[string, TestOutcome, string]>([
    ['was so before the file was approved', 'skipped', 'passed'],
    ['ran before the file was approved', 'passed', 'failed'],
  ])('and %s, where the base does not compile', async (_, earlier, status) => {
    const bench = await createCheckContext({
      answer: (_, files) => {
        if (files['test/1'] === 'as it was') return { results: results('failed', earlier) };
        return files['src/1'] === 'good'
          ? { results: results('passed', 'skipped') }
          : { results: broken, exitCode: 1 };
      },
    });
    const workspace = { ...bench.ctx.ports.workspace, readEarlier: async () => 'as it was' };
    const ports = { ...bench.ctx.ports, workspace };
    expect((await failToPass({ ...bench.ctx, ports })).status).toBe(status);
  });

  it('is put before a person where it is new and the base does not compile', async () => {
    const result = await check(
      both({ results: broken, exitCode: 1 }, { results: results('passed', 'skipped') }),
    );
    expect(result).toMatchObject({
      status: 'needs-human',
      findings: [expect.stringContaining('t1: skipped')],
    });
  });

  it('in a test that the agent wrote rejects it', async () => {
    const wrote = {
      base: noTest,
      candidate: HEALTHY,
      ...onCandidate({ results: results('passed', 'skipped') }),
    };
    expect(await check(wrote)).toMatchObject({ status: 'failed', findings: ['t1: skipped'] });
  });
});

describe('a runner of which nothing is heard with the change', () => {
  const lost = {
    results: [],
    exitCode: 1,
    reportProblem: 'the report is empty (exit 1)',
    outputTail: 'read-only',
  };

  it('and nothing on the base without the task’s test is the environment’s fault', async () => {
    const result = await check({ answer: () => lost });
    expect(result).toMatchObject({ status: 'inconclusive', measures: { environment: 1 } });
    expect(result.findings).toEqual(['read-only']);
  });

  it('but from the base is the change’s', async () => {
    expect((await check(onCandidate(lost))).status).toBe('failed');
    const crashes: CheckCase = { answer: (_, files) => (files['test/1'] === '' ? { results: [] } : lost) };
    expect((await check(crashes)).status).toBe('failed');
  });
});

describe('a file that says nothing by itself', () => {
  const policy = { testing: { ...testing(), runner: 'command' as const } };
  /** Alone it is always content; the suite is once the task is done. */
  const called: CheckCase['answer'] = ({ command, idWithoutReport }, files) => {
    const isGood = command !== 'test' || files['src/1'] === 'good';
    const outcome = isGood ? 'passed' : 'failed';
    return { exitCode: isGood ? 0 : 1, results: [{ id: idWithoutReport, outcome }] };
  };

  it('is asked through the suite that calls it', async () => {
    const result = await check({ policy, answer: called });
    expect(result).toMatchObject({ status: 'passed', summary: '1 test turned from red to green' });
    expect(result.commands).toEqual(['test']);
  });

  it('is left alone where the suite is red with the change as well', async () => {
    const undone = { policy, answer: called, candidate: { ...BASE, 'src/1': 'bad' } };
    expect((await check(undone)).commands).toEqual(['test test/1']);
  });
});
