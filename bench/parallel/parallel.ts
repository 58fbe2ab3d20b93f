import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../bench-options.ts';
import {
  type BenchResult,
  type Floor,
  getRatioResult,
  getShareResult,
  type Report,
  round,
} from '../result.ts';
import { writeSampleRepo } from '../sample-repo.ts';
import { type LanesResult, type LanesRun, runLanes } from './run-lanes.ts';

const EFFICIENCY = { 4: 0.92, 8: 0.87 } as const;
/** Of sessions so short all the rest is a large part. */
const QUICK = 0.5;
const SUITES_LIMIT = 0.5;
const BLOCK_LIMIT_MS = 50;
/** One candidate in so many breaks the stack. */
const BREAKS_ONE_IN = 20;
const FILES = 100;

/** Several workers over one: agents that mostly wait, tests that mostly wait, and everything else as it is. */
export async function measureParallel(options: BenchOptions): Promise<Report> {
  const { quick } = options;
  const waits = quick
    ? { agentMs: 5_000, suiteMs: 100, fileMs: 20 }
    : { agentMs: 20_000, suiteMs: 300, fileMs: 50 };
  const each = quick ? 1 : 2;
  const one = await measureRun(options, { lanes: 1, tasks: 2, waits });
  const results: BenchResult[] = [];
  const floors: Floor[] = [
    { name: 'an agent waits', value: waits.agentMs, unit: 'ms' },
    { name: 'a run of the suite', value: waits.suiteMs, unit: 'ms' },
    { name: 'one worker, per landing', value: round(getPace(one)), unit: 'ms' },
  ];
  for (const lanes of quick ? ([4] as const) : ([4, 8] as const)) {
    const run = await measureRun(options, { lanes, tasks: each * lanes, waits });
    const efficiency = getPace(one) / getPace(run);
    floors.push({ name: `${lanes} lanes, per landing`, value: round(getPace(run)), unit: 'ms' });
    results.push(
      getShareResult(`parallel-efficiency-${lanes}-lanes`, quick ? QUICK : EFFICIENCY[lanes], efficiency),
    );
  }
  const queued = await measureQueue(options);
  return { floors: [...floors, ...queued.floors], results: [...results, ...queued.results] };
}

/** Many short sessions: what matters is how much lands together, and that nothing holds the process up. */
async function measureQueue(options: BenchOptions): Promise<Report> {
  const waits = { agentMs: 1_500, suiteMs: 200, fileMs: 10 };
  const tasks = options.quick ? 8 : 40;
  const run = await measureRun(options, { lanes: 8, tasks, waits, breaks: BREAKS_ONE_IN });
  const { company, waitMs } = run.queue;
  return {
    floors: [
      { name: 'the queue waits for company of', value: company, unit: 'tasks' },
      { name: 'and not longer than', value: waitMs, unit: 'ms' },
      { name: 'proven work was held for (median)', value: round(run.heldMs), unit: 'ms' },
      { name: 'candidates that broke the stack', value: run.collisions, unit: 'tasks' },
      { name: 'longest block of the event loop', value: round(run.blockMs), unit: 'ms' },
      { name: 'most that it computed in one go', value: round(run.computedMs), unit: 'ms' },
      { name: 'with the wait for a core', value: round(run.delayMs), unit: 'ms' },
      { name: 'of a thread that did nothing', value: round(run.idleMs), unit: 'ms' },
    ],
    results: [
      getRatioResult('parallel-suites-per-landing', SUITES_LIMIT, run.queueSuites, run.landed),
      getRatioResult('parallel-longest-block-over-50-ms', 1, run.blockMs, BLOCK_LIMIT_MS),
    ],
  };
}

let runs = 0;

/** Each in a repository of its own, so that nothing is remembered from the one before. */
async function measureRun({ dir, say }: BenchOptions, run: LanesRun): Promise<LanesResult> {
  const place = join(dir, `parallel-${++runs}`);
  const repo = join(place, 'project');
  writeSampleRepo(repo, { tasks: run.tasks, files: FILES, apart: true });
  process.env.HARNESS_CACHE_DIR = join(place, 'cache');
  const result = await runLanes(repo, run);
  const steps = [...result.spentMs]
    .sort(([, a], [, b]) => b - a)
    .map(([step, ms]) => `${step} ${round(ms / 1_000 / result.landed)}`);
  const lines = [
    `${run.lanes} lanes: ${result.landed} landed in ${round(result.tookMs / 1_000)} s, at a load of ${round(loadavg()[0] ?? 0)}`,
    `  ${result.queueSuites} suites of the queue, ${result.collisions} collisions, longest block ${round(result.blockMs)} ms, computed ${round(result.computedMs)} ms, delay ${round(result.delayMs)} ms, of an idle thread ${round(result.idleMs)} ms`,
    `  seconds of a lane per landing: ${steps.join(', ')}`,
  ];
  for (const line of lines) say(`  ${line}`);
  return result;
}

/** What a lane spends on each landing. */
function getPace({ spentMs, landed }: LanesResult): number {
  return [...spentMs.values()].reduce((sum, ms) => sum + ms, 0) / landed;
}
