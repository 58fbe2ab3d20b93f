import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { createStepBench, type StepOptions } from '../../test/support/step-bench.ts';
import type { HarnessEvent } from '../core/event.ts';
import { preflight } from './preflight.ts';

async function run(options: StepOptions = {}) {
  const bench = await createStepBench(options);
  await bench.walkTo('prepared');
  const { events } = await preflight(bench.ctx, '1');
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
          { name: 'budget' },
          { name: 'environment' },
          { name: 'baseline_tests' },
        ],
      },
    ]);
    expect(ran).toEqual(['test @ pristine-3']);
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
    expect(ran.map(line => line.split(' ')[0])).toEqual(['up', 'down', 'up', 'down', 'up', 'test']);
  });

  it('leaves out what is turned off', async () => {
    const off = { ...simPolicy.preflight, budget: false, environment: false, baselineTests: false };
    const { events, ran } = await run({ policy: { preflight: off } });
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
