import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { createStepBench, type StepOptions } from '../../test/support/step-bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Workspace } from '../ports/index.ts';

async function run(options: StepOptions = {}, broken: Partial<Workspace> = {}) {
  const bench = await createStepBench(options);
  await bench.walkTo('prepared');
  Object.assign(bench.ctx.ports.workspace, broken);
  const { events: recorded } = await bench.ask('preflight');
  // Every first look at a tree measures its files.
  const events = recorded.filter(({ type }) => type !== 'sizes.measured');
  return { events, last: events.at(-1) as HarnessEvent, ran: bench.ran };
}

function environment(changes: Partial<typeof simPolicy.environment>): StepOptions {
  return { policy: { environment: { ...simPolicy.environment, ...changes } } };
}

const failing =
  (...commands: string[]): NonNullable<StepOptions['shell']> =>
  command =>
    commands.includes(command) ? { exitCode: 1, output: `${command} is broken` } : {};

describe('preflight', () => {
  it('passes on firm ground, and remembers what passes there', async () => {
    const { events, ran } = await run();
    expect(events).toMatchObject([
      { type: 'baseline.measured', passing: ['test/old'], failing: ['test/1'] },
      {
        type: 'preflight.passed',
        checks: [
          { name: 'provable' },
          { name: 'working_directory' },
          { name: 'harness_files' },
          { name: 'git_state' },
          { name: 'environment' },
          { name: 'baseline_tests' },
          { name: 'budget' },
        ].map(check => ({ ...check, passed: true, durationMs: expect.any(Number) })),
      },
    ]);
    expect(ran).toEqual(['test @ pristine-3', 'test test/old @ pristine-3']);
  });

  it.each<[string, StepOptions, string, string]>([
    [
      'the budget is spent',
      { policy: { budget: { ...simPolicy.budget, totalUsd: 0 } } },
      'CONFIG',
      'budget: nothing is left of $0',
    ],
    [
      'nothing could prove the task',
      { policy: { testing: { ...simPolicy.testing, full: null, feature: null } } },
      'CONFIG',
      'provable: no command is configured that could prove task 1',
    ],
    [
      'a script is not committed',
      environment({ init: './init.sh --fast' }),
      'ENV_SETUP',
      'harness_files: init.sh is not committed',
    ],
    [
      'install fails',
      { ...environment({ install: 'npm ci' }), shell: failing('npm ci') },
      'ENV_SETUP',
      'npm ci is broken',
    ],
    ['init fails', { ...environment({ init: 'up' }), shell: failing('up') }, 'ENV_SETUP', 'up is broken'],
    [
      'the health check fails',
      { ...environment({ healthCheck: 'curl' }), shell: failing('curl') },
      'ENV_SETUP',
      'environment.health_check',
    ],
    [
      'the suite cannot be started',
      { answer: () => ({ exitCode: 127, outputTail: 'not found' }) },
      'ENV_SETUP',
      'not found',
    ],
    [
      'the suite ends without any result',
      {
        policy: { testing: { ...simPolicy.testing, runner: 'vitest' } },
        answer: () => ({
          exitCode: 1,
          results: [],
          reportProblem: 'no report',
          outputTail: 'no such vitest',
        }),
      },
      'ENV_SETUP',
      'set environment.install to what a fresh tree needs, such as npm install. It said:\nno such vitest',
    ],
    [
      'the suite hangs on the base',
      { answer: () => ({ timedOut: true, exitCode: null }) },
      'ENV_SETUP',
      'ran out of time',
    ],
  ])('fails when %s', async (_, options, category, reason) => {
    const { last } = await run(options);
    expect(last).toMatchObject({
      type: 'preflight.failed',
      category,
      reason: expect.stringContaining(reason),
    });
  });

  it.each<[string, Partial<Workspace>, string]>([
    ['the worktree is gone', { hashes: async () => ({}) }, 'working_directory: '],
    [
      'the backlog is gone from the base',
      { readFile: async () => null },
      'harness_files: features.json is not',
    ],
    [
      'the repository cannot be worked on',
      { tip: () => Promise.reject(new HarnessError('repo', 'HEAD is gone')) },
      'git_state: HEAD is gone',
    ],
  ])('fails when %s, before anything is started', async (_, broken, reason) => {
    const { last, ran } = await run({}, broken);
    expect(last).toMatchObject({ type: 'preflight.failed', category: 'ENV_SETUP' });
    expect(last).toMatchObject({ reason: expect.stringContaining(reason) });
    expect(ran).toEqual([]);
  });

  it('lays the worktree out once more when it went with a cleared cache', async () => {
    let asked = 0;
    const hashes: Workspace['hashes'] = async (_, paths) =>
      asked++ === 0 ? {} : Object.fromEntries(paths.map(path => [path, 'there']));
    const { last } = await run({}, { hashes });
    expect(last.type).toBe('preflight.passed');
    expect(asked).toBe(2);
  });

  it('calls nothing red that passes on a newer base, which others measured meanwhile, and measures nothing back', async () => {
    const bench = await createStepBench();
    await bench.walkTo('prepared');
    const newer = { type: 'baseline.measured', tree: 'newer', command: 'test', failing: [] } as const;
    const { startedAtMs } = bench.journal.state.active.get('1') ?? { startedAtMs: 0 };
    await bench.ctx.record([{ ...newer, passing: ['test/old', 'test/1'] }]);
    const { baseline } = bench.journal.state.suite;
    if (baseline) Object.assign(baseline, { atMs: startedAtMs + 1 });
    const { events } = await bench.perform('preflight');
    expect(events.map(({ type }) => type)).toContain('preflight.passed');
    expect(events.map(({ type }) => type)).not.toContain('baseline.measured');
  });

  it('does not mind tests that fail on the base: they are remembered', async () => {
    const { last } = await run({
      answer: () => ({ exitCode: 1, results: [{ id: 'a', outcome: 'failed' }] }),
    });
    expect(last.type).toBe('preflight.passed');
  });

  it('resets and tries again, as often as it may', async () => {
    let left = 2;
    const shell: StepOptions['shell'] = command => (command === 'up' && left-- > 0 ? { exitCode: 1 } : {});
    const { last, ran } = await run({ ...environment({ init: 'up', reset: 'down' }), shell });
    expect(last.type).toBe('preflight.passed');
    expect(ran.map(line => line.split(' ')[0])).toEqual([
      ...['up', 'down', 'up', 'down', 'up'],
      ...['test', 'test'],
    ]);
    // A tree of the base, never the agent's own.
    expect(new Set(ran.map(line => line.split(' @ ')[1]))).toEqual(new Set(['pristine-3']));
  });

  const two = environment({ init: 'up', reset: 'down', healthCheck: 'well' });
  const getRan = (ran: readonly string[]) => ran.map(line => line.split(' ')[0]);

  it('resets and brings everything up again when it is not well', async () => {
    let left = 1;
    const shell: StepOptions['shell'] = command => (command === 'well' && left-- > 0 ? { exitCode: 1 } : {});
    const { last, ran } = await run({ ...two, shell });
    expect(last).toMatchObject({
      type: 'preflight.passed',
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'health', detail: 'healthy, after 1 reset' }),
      ]),
    });
    expect(getRan(ran)).toEqual(['up', 'well', 'down', 'up', 'well', 'test', 'test']);
  });

  it.each<[string, Partial<typeof simPolicy.preflight>, string[]]>([
    ['at most as often as it may', {}, ['up', 'well', 'down', 'up', 'well', 'down', 'up', 'well']],
    ['never where that is not wanted', { autoReset: false }, ['up', 'well']],
    ['never where it may not', { maxResetAttempts: 0 }, ['up', 'well']],
  ])('resets what stays unwell %s', async (_, rules, expected) => {
    const preflight = { ...simPolicy.preflight, ...rules };
    const options = { policy: { ...two.policy, preflight }, shell: failing('well') };
    const { last, ran } = await run(options);
    expect(last).toMatchObject({ type: 'preflight.failed', category: 'ENV_SETUP' });
    expect(getRan(ran)).toEqual(expected);
  });

  it('stops at a reset that fails', async () => {
    const { last, ran } = await run({ ...two, shell: failing('well', 'down') });
    expect(last).toMatchObject({ reason: expect.stringContaining('environment.reset (down) failed') });
    expect(getRan(ran)).toEqual(['up', 'well', 'down']);
  });

  it.each<['warn' | 'stop' | 'off', string]>([
    ['warn', 'preflight.passed'],
    ['stop', 'preflight.failed'],
    ['off', 'preflight.passed'],
  ])('with lint: %s, a base that the linter finds fault with is %s', async (lint, type) => {
    const preflight = { ...simPolicy.preflight, lint };
    const { last, ran } = await run({
      policy: { preflight, lintCommand: 'lint' },
      answer: ({ command }) => (command === 'lint' ? { exitCode: 1, outputTail: '3 errors' } : undefined),
    });
    expect(last.type).toBe(type);
    expect(ran.some(line => line.startsWith('lint @'))).toBe(lint !== 'off');
    expect(JSON.stringify(last).includes('3 errors')).toBe(lint !== 'off');
  });

  it('leaves out what is turned off', async () => {
    const off = Object.fromEntries(Object.keys(simPolicy.preflight).map(name => [name, false]));
    const { events, ran } = await run({ policy: { preflight: { ...simPolicy.preflight, ...off } } });
    expect(events).toMatchObject([{ type: 'preflight.passed', checks: [{ name: 'provable' }] }]);
    expect(ran).toEqual([]);
  });

  it('lets a bug be a bug', async () => {
    const shell = () => {
      throw new TypeError('a bug');
    };
    await expect(run({ ...environment({ init: 'up' }), shell })).rejects.toThrow('a bug');
  });
});

it('asks about the environment when one test file gives no result by itself, and spends no attempt on it', async () => {
  const lost = {
    results: [],
    reportProblem: 'the command left no report (exit 1)',
    outputTail: 'unknown option',
  };
  const { last } = await run({ answer: ({ command }) => (command === 'test test/old' ? lost : undefined) });
  expect(last).toMatchObject({ type: 'preflight.failed', category: 'ENV_SETUP' });
  expect((last as { reason?: string }).reason).toMatch(
    /test\/old passes in the suite, and by itself it gives no result[\s\S]*testing\.feature[\s\S]*unknown option/,
  );
});
