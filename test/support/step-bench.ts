import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import type { Stage } from '../../src/core/state/attempt.ts';
import { Journal } from '../../src/loop/journal.ts';
import type { Ports } from '../../src/ports/index.ts';
import { lease } from '../../src/steps/lease.ts';
import { preflight } from '../../src/steps/preflight.ts';
import { prepare } from '../../src/steps/prepare.ts';
import { session } from '../../src/steps/session.ts';
import { snapshot } from '../../src/steps/snapshot.ts';
import type { StepContext, StepResult } from '../../src/steps/step.ts';
import { sync } from '../../src/steps/sync.ts';
import { verify } from '../../src/steps/verify.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { type Bench, type BenchOptions, createBench, type Files } from './bench.ts';
import { BASE } from './check-bench.ts';
import { WORKER } from './corridor.ts';

export interface StepBench extends Bench {
  readonly ctx: StepContext;
  readonly journal: Journal;
  /** Aborted when the run is called off. */
  readonly stop: AbortController;
  /** Performs a step and records what it leaves. */
  perform(step: (ctx: StepContext) => StepResult | Promise<StepResult>): Promise<StepResult>;
  /** Walks the corridor of task 1 to a stage, every step for real. */
  walkTo(stage: Stage): Promise<void>;
}

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
  const ctx: StepContext = {
    ports,
    policy: { ...simPolicy, ...options.policy },
    signal: stop.signal,
    ahead: new Map(),
    record,
    get state() {
      return journal.state;
    },
  };
  const perform: StepBench['perform'] = async step => {
    const result = await step(ctx);
    if (result.events.length > 0) await record(result.events);
    return result;
  };
  await record([{ type: 'worker.started', worker: WORKER, version: '0' }]);
  await perform(sync);
  const walkTo = async (stage: Stage): Promise<void> => {
    for (const [reached, step] of CORRIDOR) {
      await perform(step);
      if (reached === stage) return;
    }
  };
  return { ...bench, ports, journal, ctx, stop, perform, walkTo };
}

const CORRIDOR: readonly [Stage, (ctx: StepContext) => Promise<StepResult>][] = [
  ['leased', ctx => lease(ctx, '1')],
  ['prepared', ctx => prepare(ctx, '1')],
  ['ready', ctx => preflight(ctx, '1')],
  ['session-over', ctx => session(ctx, { task: '1', provider: 'sim' })],
  ['candidate', ctx => snapshot(ctx, '1')],
  ['judged', ctx => verify(ctx, '1')],
];
