import { openPorts } from '../src/app/project/open-ports.ts';
import { openProject } from '../src/app/project/open-project.ts';
import { NO_USAGE } from '../src/core/model/usage.ts';
import { runLoop } from '../src/loop/loop.ts';
import type { Agent, Reporter, Tests } from '../src/ports/index.ts';
import { runFakeTests, writeWork } from './fake-work.ts';
import type { GitFloor } from './git-floor.ts';
import { createGitTrace } from './git-trace.ts';
import type { Scenario } from './session.ts';
import { createStopwatch, type Stopwatch } from './stopwatch.ts';

/** Sessions that only warm things up: the first lays out whole worktrees. */
const WARM_UP = 2;

export interface SessionOptions {
  readonly count: number;
  readonly trace: boolean;
  readonly say: (text: string) => void;
}

/**
 * Runs the real loop over the real ports with an agent and tests that take no time of their own. The
 * floor's turn comes inside the agent's, so that both see the same machine at the same time.
 */
export async function runSessions(
  repo: string,
  floor: GitFloor,
  scenario: Scenario,
  options: SessionOptions,
): Promise<{ oursMs: number[]; floorMs: number[] }> {
  const { runGit, take } = createGitTrace();
  const found = await openProject({ cwd: repo, env: process.env, runGit });
  const project = { ...found, policy: { ...found.policy, land: scenario.land } };
  const stopwatch = createStopwatch();
  const floorMs: number[] = [];
  const reporter = createLapReporter(() => {
    stopwatch.lap();
    if (options.trace) options.say(take());
  });
  const opened = await openPorts(project, { reporter, runGit });
  const tests: Tests = { run: request => stopwatch.aside(() => runFakeTests(request)) };
  const agent = createInstantAgent(stopwatch, scenario, async task => {
    floorMs.push(await floor.run(task, scenario));
  });
  try {
    const scope = { maxSessions: options.count + WARM_UP, onlyTask: null, version: 'bench' };
    const signal = new AbortController().signal;
    const { ended } = await runLoop({ ...opened, tests, agent }, project.policy, { ...scope, signal });
    const expected = scenario.work === 'good' ? 'landed' : 'rejected';
    const other = ended.find(end => end.outcome !== expected);
    if (other) throw new Error(`a session ended as ${other.outcome}: ${other.reason}`);
  } finally {
    await opened.store.close();
  }
  return { oursMs: stopwatch.laps().slice(WARM_UP), floorMs: floorMs.slice(WARM_UP) };
}

/** A lap is from the end of one attempt to the end of the next. */
function createLapReporter(onLap: () => void): Reporter {
  return {
    event: ({ event }) => {
      if (event.type === 'task.landed' || event.type === 'attempt.ended') onLap();
    },
    agent: () => {},
    phase: () => {},
  };
}

function createInstantAgent(
  stopwatch: Stopwatch,
  { work }: Scenario,
  meanwhile: (task: string) => Promise<void>,
): Agent {
  return {
    provider: 'instant',
    run: request =>
      stopwatch.aside(async () => {
        writeWork(request.cwd, request.task.id, work);
        await meanwhile(request.task.id);
        return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
      }),
  };
}
