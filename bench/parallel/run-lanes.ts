import { openPorts } from '../../src/app/project/open-ports.ts';
import { openProject } from '../../src/app/project/open-project.ts';
import { openLanes } from '../../src/app/run/open-lanes.ts';
import type { StoredEvent } from '../../src/core/events/event.ts';
import type { QueuePolicy } from '../../src/core/model/policy.ts';
import { runLoop } from '../../src/loop/loop.ts';
import type { Ports } from '../../src/ports/index.ts';
import { getMedian } from '../result.ts';
import { SILENT } from '../suite-verdict.ts';
import { createLaneTime } from './lane-time.ts';
import { type LongestBlock, watchIdleThread, watchLoop } from './longest-block.ts';
import { type BreaksOneIn, createWaitingAgent, createWaitingTests, type Waits } from './waiting-work.ts';

export interface LanesRun {
  readonly lanes: number;
  readonly tasks: number;
  readonly waits: Waits;
  readonly breaks?: BreaksOneIn;
}

export interface LanesResult extends LongestBlock {
  /** The longest delay of a thread that did nothing meanwhile. */
  readonly idleMs: number;
  readonly landed: number;
  /** From the first attempt to the last landing. */
  readonly tookMs: number;
  /** What lanes spent until then, by step. */
  readonly spentMs: ReadonlyMap<string, number>;
  /** Times the merge queue ran the suite. */
  readonly queueSuites: number;
  readonly collisions: number;
  /** How long proven work lay in the queue before it was taken; the median. */
  readonly heldMs: number;
  readonly queue: QueuePolicy;
}

/** The real run, store and git, as `harness run --workers` starts it; only the agent and the tests are ours, and wait. */
export async function runLanes(repo: string, { lanes: workers, ...run }: LanesRun): Promise<LanesResult> {
  const project = await openProject({ cwd: repo, env: process.env });
  let queueSuites = 0;
  const time = createLaneTime();
  const watched = {
    ...SILENT,
    event: ({ event }: StoredEvent) => {
      if (event.type === 'attempt.started') time.noteLast();
    },
  };
  const opened = await openPorts(project, { reporter: watched });
  const wrapPorts = (ports: Ports): Ports => {
    let step = '';
    const reporter = time.watch({
      ...ports.reporter,
      phase: (_, text) => {
        step = text;
      },
    });
    const waiting = createWaitingTests(ports.clock, run.waits, ports.tests);
    const tests: Ports['tests'] = {
      ...waiting,
      run: request => {
        if (step === 'land-batch' && request.command === project.policy.testing.full) queueSuites++;
        return waiting.run(request);
      },
    };
    return {
      ...ports,
      reporter,
      tests,
      agent: createWaitingAgent(ports.clock, run.waits, run.breaks ?? null),
    };
  };
  const seams = { wrapPorts, maxSessions: null, reporter: watched, shared: opened };
  const stopIdle = watchIdleThread();
  const stop = watchLoop();
  try {
    const lanes = await openLanes(project, { workers, ...seams });
    const signal = new AbortController().signal;
    const scope = { maxSessions: null, onlyTask: null, version: 'bench', lanes, signal };
    await runLoop(wrapPorts(opened), project.policy, scope);
    const [block, spentMs] = [stop(), time.end()];
    const idleMs = await stopIdle();
    const events = await opened.store.read({});
    return {
      ...block,
      idleMs,
      spentMs,
      ...getFigures(events, run.tasks),
      queueSuites,
      queue: project.policy.queue,
    };
  } finally {
    stop();
    await opened.store.close();
  }
}

function getFigures(events: readonly StoredEvent[], tasks: number) {
  const landings = events.filter(({ event }) => event.type === 'task.landed');
  if (landings.length < tasks) throw new Error(`${landings.length} of ${tasks} tasks have landed`);
  const begun = events.find(({ event }) => event.type === 'attempt.started')?.atMs ?? 0;
  // Such as that tests are red on what has landed: then nothing of it counts.
  for (const { event } of events) if (event.type === 'question.asked') throw new Error(event.what);
  const queuedMs = new Map<string, number>();
  const heldMs: number[] = [];
  for (const { event, atMs } of events) {
    if (event.type === 'candidate.queued') queuedMs.set(event.task, atMs);
    if (event.type === 'batch.started')
      for (const { task } of event.members) heldMs.push(atMs - (queuedMs.get(task) ?? atMs));
  }
  return {
    heldMs: heldMs.length > 0 ? getMedian(heldMs) : 0,
    landed: landings.length,
    tookMs: (landings.at(-1)?.atMs ?? 0) - begun,
    collisions: events.filter(({ event }) => event.type === 'attempt.ended' && event.collided).length,
  };
}
