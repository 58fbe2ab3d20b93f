import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { Work } from '../../src/core/model/action.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import type { Stage } from '../../src/core/state/attempt.ts';
import { Journal } from '../../src/loop/journal.ts';
import { STEPS } from '../../src/loop/perform.ts';
import type { Ports } from '../../src/ports/index.ts';
import type { StepContext, StepResult } from '../../src/steps/step.ts';
import { Worktrees } from '../../src/testruns/worktrees.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { type Bench, type BenchOptions, createBench, type Files } from './bench.ts';
import { BASE } from './check-bench.ts';
import { WORKER } from './pipeline.ts';

export interface StepBench extends Bench {
  readonly ctx: StepContext;
  readonly journal: Journal;
  /** Aborted when the run is called off. */
  readonly stop: AbortController;
  /** Performs a step of task 1 and records what it leaves. */
  perform(step: Perform): Promise<StepResult>;
  /** Performs it and records nothing. */
  ask(step: Perform): Promise<StepResult>;
  /** Walks the pipeline of task 1 to a stage, every step for real. */
  walkTo(stage: Stage): Promise<void>;
}

type Perform = Work['type'] | Work | ((ctx: StepContext) => StepResult | Promise<StepResult>);

export interface StepOptions extends BenchOptions {
  readonly base?: Files;
  readonly policy?: Partial<Policy>;
  readonly wrap?: (ports: Ports) => Ports;
  /** What the agent leaves in its worktree, and how it ends; honest when not given. */
  readonly edit?: (files: Record<string, string>) => void;
  readonly outcome?: 'claimed' | 'not-done' | 'crashed' | 'timeout';
}

/** A worker at its first task, in memory. */
export async function createStepBench(options: StepOptions = {}): Promise<StepBench> {
  const edit = options.edit ?? (files => Object.assign(files, { 'src/1': 'good' }));
  const bench: Bench = createBench(options.base ?? BASE, {
    agent: async () => {
      edit(bench.git.slots.get(1) ?? {});
      const usage = { inputTokens: 1, outputTokens: 1, cachedTokens: 0, costUsd: 0.01 };
      return { outcome: options.outcome ?? 'claimed', summary: 'what it said', usage };
    },
    ...options,
  });
  const ports = options.wrap?.(bench.ports) ?? bench.ports;
  const journal = new Journal(ports.store, async () => undefined);
  const stop = new AbortController();
  const record = async (events: readonly HarnessEvent[]): Promise<void> => {
    const result = await journal.record(events);
    if (!result.ok) throw new Error(`not recorded: ${result.why}`);
  };
  const policy = { ...simPolicy, ...options.policy };
  const ctx: StepContext = {
    ports,
    policy,
    signal: stop.signal,
    isShared: false,
    worktrees: new Worktrees({ ports, policy }),
    record,
    get state() {
      return journal.state;
    },
  };
  const ask: StepBench['ask'] = async step => {
    if (typeof step === 'function') return step(ctx);
    const work = typeof step === 'string' ? ({ type: step, task: '1', provider: 'sim' } as Work) : step;
    return (STEPS[work.type] as (ctx: StepContext, work: Work) => Promise<StepResult>)(ctx, work);
  };
  const perform: StepBench['perform'] = async step => {
    const result = await ask(step);
    if (result.events.length > 0) await record(result.events);
    return result;
  };
  await record([{ type: 'worker.started', worker: WORKER, version: '0' }]);
  await perform('sync');
  const walkTo = async (stage: Stage): Promise<void> => {
    for (const [reached, step] of PIPELINE) {
      await perform(step);
      if (reached === stage) return;
    }
  };
  return { ...bench, ports, journal, ctx, stop, perform, ask, walkTo };
}

const PIPELINE: readonly [Stage, Work['type']][] = [
  ['leased', 'lease'],
  ['prepared', 'prepare'],
  ['ready', 'preflight'],
  ['session-over', 'session'],
  ['candidate', 'snapshot'],
  ['judged', 'verify'],
];
