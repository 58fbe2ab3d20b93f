import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import type { Files } from '../../test/support/bench.ts';
import { type CheckCase, createCheckContext } from '../../test/support/check-bench.ts';
import type { TestOutcome, TestRun } from '../core/model/testing.ts';
import type { AlteredTest } from '../ports/index.ts';
import { canary } from './canary.ts';

const ALTERED: AlteredTest = {
  text: 'altered',
  textWithNonces: 'with nonces',
  nonceNames: ['q7 1'],
  alterations: 2,
  tests: [
    { names: ['x'], line: 1, isSure: true },
    { names: ['y'], line: 2, isSure: true },
  ],
};

type Said = Readonly<Record<string, TestOutcome>> | Partial<TestRun>;
const GREEN: Said = { x: 'passed', y: 'passed' };
const RED: Said = { x: 'failed', y: 'failed', 'q7 1': 'failed' };

/** What the runner says of the test file as it is, altered, with nonces alone, and altered on the base. */
interface Story {
  readonly altered: Said;
  readonly nonces?: Said;
  readonly onBase?: Said;
  readonly test?: Partial<AlteredTest> | null;
  readonly given?: CheckCase;
}

async function check({ altered, nonces, onBase, test, given }: Story) {
  const answer = (_: unknown, files: Files) => {
    const kind = files['test/1'];
    if (kind === 'altered') return toRun((files['src/1'] ? altered : onBase) ?? GREEN);
    return toRun((kind === 'with nonces' ? nonces : undefined) ?? GREEN);
  };
  const bench = await createCheckContext({ answer, ...given });
  const sources = {
    alterTest: async () => (test === null ? null : { ...ALTERED, ...test }),
    mutate: async () => null,
    readNames: async () => null,
  };
  const result = await canary({ ...bench.ctx, ports: { ...bench.ctx.ports, sources } });
  return { ...result, ran: bench.ran };
}

function toRun(said: Said): Partial<TestRun> {
  if ('results' in said || 'timedOut' in said || 'reportProblem' in said) return said as Partial<TestRun>;
  const results = Object.entries(said as Record<string, TestOutcome>).map(([name, outcome]) => ({
    id: `test/1 > ${name}`,
    outcome,
  }));
  return { results };
}

const withoutTests = { tests: [], alterations: 0 };
const NOTHING: Said = { results: [], reportProblem: 'the file cannot be loaded' };

describe('canary', () => {
  it.each<[string, Story]>([
    ['everything that must fail does', { altered: RED }],
    ['altered tests fail, though the added ones are filtered out', { altered: { x: 'failed', y: 'failed' } }],
    [
      'the altered file cannot be loaded, but tests can be added',
      { altered: NOTHING, nonces: { x: 'passed', 'q7 1': 'failed' } },
    ],
    [
      'a test that survives does so on the base too',
      { altered: { ...RED, y: 'passed' }, onBase: { x: 'failed', y: 'passed' } },
    ],
    ['only added tests can fail', { altered: { x: 'passed', 'q7 1': 'failed' }, test: withoutTests }],
  ])('passes when %s', async (_, story) => {
    expect(await check(story)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, Story, string]>([
    ['the whole altered file is green', { altered: { ...GREEN, 'q7 1': 'passed' } }, 'must fail passes'],
    ['an added test passes', { altered: { ...RED, 'q7 1': 'passed' } }, 'does nothing but fail'],
    ['all altered tests pass', { altered: { ...RED, x: 'passed', y: 'passed' } }, 'whatever it expects'],
    [
      'added tests are never heard of',
      { altered: NOTHING, nonces: GREEN },
      'was added to test/1 and gave no result',
    ],
  ])('refuses when %s', async (_, story, words) => {
    const result = await check(story);
    expect(result).toMatchObject({ status: 'failed', summary: expect.stringContaining('tampered') });
    expect(result.findings.join()).toContain(words);
  });

  it.each<[string, Story]>([
    [
      'one altered test of two passes, and not on the base',
      { altered: { ...RED, y: 'passed' }, onBase: RED },
    ],
    ['nothing can be added to the test file', { altered: NOTHING, nonces: NOTHING }],
    ['no altered expectation is ever met', { altered: { ...GREEN, 'q7 1': 'failed' }, test: { tests: [] } }],
  ])('asks a person when %s', async (_, story) => {
    expect((await check(story)).status).toBe('needs-human');
  });

  it('is content with a failure where only an exit code can be seen', async () => {
    const given = { policy: { testing: { ...simPolicy.testing, runner: 'command' as const } } };
    const one = (outcome: TestOutcome): Said => ({ results: [{ id: 'test/1', outcome }] });
    expect((await check({ altered: one('failed'), given })).status).toBe('passed');
    expect((await check({ altered: one('passed'), given })).status).toBe('failed');
  });

  it.each([
    ['fails where it must', { exitCode: 1 }, 'passed'],
    ['passes although the line was reached', { exitCode: 0, isIn: true }, 'failed'],
    ['passes whatever it begins with', { exitCode: 0 }, 'failed'],
    ['fails only by what it begins with', { exitCode: 0, first: 1 }, 'failed'],
    ['fails only by that, and may end itself', { exitCode: 0, first: 1, own: 'exec true || ' }, 'skipped'],
  ])('puts a line into a plain script, which %s', async (_, { exitCode, ...said }, status) => {
    const { first = exitCode, isIn, own } = { first: undefined, isIn: false, own: '', ...said };
    const text = `${own}test -f src/1`;
    const bench = await createCheckContext({
      base: { 'test/1.sh': text },
      candidate: { 'test/1.sh': text, 'src/1': 'good' },
      task: { testFile: 'test/1.sh' },
      policy: { testing: { ...simPolicy.testing, runner: 'command' as const } },
      answer: (_, files) => {
        const script = files['test/1.sh'] ?? '';
        if (!script.includes('exit 1')) return { exitCode: 0 };
        return { exitCode: script.startsWith('echo') ? first : exitCode, outputTail: isIn ? script : '' };
      },
    });
    const sources = { alterTest: async () => null, mutate: async () => null, readNames: async () => null };
    const found = await canary({ ...bench.ctx, ports: { ...bench.ctx.ports, sources } });
    expect(found.status).toBe(status);
  });

  it('makes the script of a validation fail where there is no test', async () => {
    const judge = async (isEnded: boolean, command = 'timeout 9 sh tools/check.sh') => {
      const base = { 'tools/check.sh': 'test -f src/1' };
      const { ctx } = await createCheckContext({
        base,
        candidate: { ...base, 'src/1': 'good' },
        task: { testFile: null, validation: { command, timeoutSeconds: 9 } },
        answer: (_, files) => {
          const script = files['tools/check.sh'] ?? '';
          const isMissed = script === '' && command.includes('|');
          return { exitCode: isMissed || (script.includes('exit 1') && !isEnded) ? 1 : 0 };
        },
      });
      return (await canary(ctx)).status;
    };
    expect(await judge(false)).toBe('passed');
    expect(await judge(true)).toBe('failed');
    expect(await judge(true, 'sh tools/check.sh | grep -q good')).toBe('skipped');
  });

  it('warns where the command runs only tests of certain names', async () => {
    const testing = { ...simPolicy.testing, feature: 'test {file} -t x' };
    const story = { altered: NOTHING, nonces: GREEN, given: { policy: { testing } } };
    expect((await check(story)).status).toBe('warned');
  });

  it('says what it could not do', async () => {
    expect((await check({ altered: RED, test: null })).status).toBe('skipped');
    expect((await check({ altered: RED, test: { ...withoutTests, nonceNames: [] } })).status).toBe('skipped');
    expect((await check({ altered: RED, given: { task: { testFile: null } } })).status).toBe('skipped');
    const late = { timedOut: true, results: [] };
    expect((await check({ altered: late, nonces: late })).status).toBe('inconclusive');
  });
});
