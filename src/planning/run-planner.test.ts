import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { createBench } from '../../test/support/bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import { Journal } from '../loop/journal.ts';
import type { Agent, AgentErrorKind, AgentResult, ContextFiles, SessionRequest } from '../ports/index.ts';
import type { PlannerBrief } from './planner-prompt.ts';
import { runPlanner } from './run-planner.ts';

const task = (depends_on: string[] = []) => ({
  ...{ id: '1', title: 'One', depends_on, test_file: 'a.test.js', files: ['a.js'], size: 'small' as const },
  verification_steps: ['it is there'],
});
const GOOD = { summary: 'x', tasks: [task()] };
const BAD = { summary: 'x', tasks: [task(['1'])] };
const BRIEF: PlannerBrief = {
  ...{
    project: 'p',
    wish: { kind: 'spec', text: 'Build it.' },
    files: [],
    testCommand: null,
    runner: 'node',
  },
  ...{
    isTest: () => false,
    tasks: [],
    rules: { maxSteps: 7, maxFiles: 5, knownIds: [], knownTestFiles: [] },
  },
};
const USAGE = { ...NO_USAGE, inputTokens: 100, costUsd: 1 };

const answer = (structured: unknown): AgentResult => ({
  outcome: 'claimed',
  summary: 'ok',
  usage: USAGE,
  structured,
});
const fail = (kind: AgentErrorKind): AgentResult => ({
  ...{ outcome: 'crashed', summary: kind, usage: NO_USAGE, failure: { kind, message: kind } },
});

/** Agents that answer from a list, and everything that was asked of them. */
function createStage(answers: Readonly<Record<string, readonly AgentResult[]>>, contextFiles?: ContextFiles) {
  const asked: { provider: string; request: SessionRequest }[] = [];
  const { ports, scheduler } = createBench({});
  const left = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
  const agents = Object.keys(answers).map((provider): Agent => {
    const run: Agent['run'] = async request => {
      asked.push({ provider, request });
      return left.get(provider)?.shift() ?? fail('crash');
    };
    return { provider, run };
  });
  const providers = Object.keys(answers);
  const stop = new AbortController();
  const journal = new Journal(ports.store, async () => undefined);
  const planner = { provider: providers[0] ?? '', model: null, effort: null };
  const ctx = {
    ports: {
      ...ports,
      agent: agents[0] as Agent,
      fallbacks: agents.slice(1),
      ...(contextFiles ? { contextFiles } : {}),
    },
    policy: { ...simPolicy, providers, models: { ...simPolicy.models, planner } },
    ...{ journal, cwd: '/', name: 'x', signal: stop.signal },
  };
  const run = async () => {
    let isOver = false;
    const planned = runPlanner(ctx, BRIEF).finally(() => {
      isOver = true;
    });
    planned.catch(() => undefined);
    await scheduler.run(() => isOver, 100_000);
    return planned;
  };
  return { run, asked, journal, stop, ctx };
}

describe('asking a planner', () => {
  it('leaves nothing running that would keep the process when the agent cannot be had', async () => {
    const { run, ctx } = createStage({ one: [] });
    const sleeping: (AbortSignal | undefined)[] = [];
    const { clock } = ctx.ports;
    ctx.policy.monitor = { ...simPolicy.monitor, firstEventMs: 120_000 };
    ctx.ports.clock = {
      ...clock,
      sleep: (ms, signal) => {
        sleeping.push(signal);
        return clock.sleep(ms, signal);
      },
    };
    ctx.ports.agent = {
      provider: 'one',
      run: async () => {
        throw new HarnessError('config', 'The SDK is not installed.');
      },
    };
    await expect(run()).rejects.toThrow('not installed');
    expect(sleeping.map(signal => signal?.aborted)).toEqual([true]);
  });

  it('sends a bad plan back with the reasons and counts what both answers cost', async () => {
    const { run, asked, journal } = createStage({ one: [answer(BAD), answer(GOOD)] });
    expect(await run()).toEqual({ plan: GOOD, problems: [], rounds: 2 });
    expect(asked[1]?.request.prompt).toContain('these tasks wait for each other: 1 → 1');
    expect(asked[0]?.request).toMatchObject({ mode: 'complete', role: 'planner' });
    expect(journal.state.costs.byRole.get('planner')).toMatchObject({ sessions: 2, usage: { costUsd: 2 } });
    expect(journal.state.costs.usage.costUsd).toBe(2);
  });

  it('tells what people left for it in every round, and puts it away', async () => {
    const archived: string[] = [];
    const drop = {
      name: 'inbox/planner/a.md',
      role: 'planner',
      sha256: 's',
      text: 'no VAT',
      problem: null,
    } as const;
    const contextFiles: ContextFiles = {
      list: async roles => (roles.includes('planner') ? [drop] : []),
      archive: async ({ name }) => void archived.push(name),
    };
    const { run, asked, journal } = createStage({ one: [answer(BAD), answer(GOOD)] }, contextFiles);
    await run();
    expect(asked.map(({ request }) => request.prompt.match(/no VAT/g)?.length)).toEqual([1, 1]);
    expect(archived).toEqual(['inbox/planner/a.md']);
    expect(journal.state.people.contextFiles.size).toBe(1);
  });

  it('ends after three returns with the last plan and its problems', async () => {
    const { run, asked } = createStage({ one: Array(9).fill(answer(BAD)) });
    expect(await run()).toMatchObject({ plan: BAD, problems: [expect.stringContaining('wait')], rounds: 4 });
    expect(asked).toHaveLength(4);
  });

  it('waits for a provider that is overloaded, and such a failure is no answer', async () => {
    const { run, asked, journal } = createStage({ one: [fail('overloaded'), fail('network'), answer(GOOD)] });
    expect(await run()).toMatchObject({ problems: [], rounds: 1 });
    expect(asked).toHaveLength(3);
    expect(journal.state.trouble.providers.size).toBe(0);
  });

  it('goes on with the next agent of the chain when one does not let us in', async () => {
    const { run, asked } = createStage({ one: [fail('auth')], two: [answer(GOOD)] });
    expect(await run()).toMatchObject({ problems: [] });
    expect(asked.map(({ provider }) => provider)).toEqual(['one', 'two']);
  });

  it('says so when nobody lets us in', async () => {
    const { run } = createStage({ one: [fail('auth')], two: [fail('auth')] });
    await expect(run()).rejects.toMatchObject({ code: 'auth' });
  });

  it('an answer without a plan counts as a bad one', async () => {
    const { run } = createStage({ one: [{ ...answer(undefined), summary: 'I cannot.' }, answer(GOOD)] });
    expect(await run()).toMatchObject({ problems: [], rounds: 2 });
  });

  it('does not start when the budget is used up', async () => {
    const { run, asked, journal } = createStage({ one: [answer(GOOD)] });
    await journal.record([{ type: 'planner.spent', usage: { ...NO_USAGE, costUsd: 1e9 } }]);
    await expect(run()).rejects.toMatchObject({ code: 'budget' });
    expect(asked).toHaveLength(0);
  });

  it('stopped in the middle, still writes down what it cost', async () => {
    const { run, stop, journal, asked } = createStage({ one: [answer(GOOD)] });
    const push = asked.push.bind(asked);
    asked.push = (...items) => {
      stop.abort(new Error('interrupted'));
      return push(...items);
    };
    await expect(run()).rejects.toThrow('interrupted');
    expect(journal.state.costs.usage.costUsd).toBe(1);
  });
});
