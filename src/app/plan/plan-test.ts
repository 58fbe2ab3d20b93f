import { isPlanFolder } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { readCommittedBacklog } from './accept-plan.ts';
import { openPlanning } from './open-planning.ts';
import { askPlanner } from './propose-plan.ts';

/** What a planner says of how a task is proven, or why nobody could be asked. */
export type PlannedTest =
  | { readonly testFile: string; readonly steps: readonly string[] }
  | { readonly why: string };

/** Has a planner name the test of a task that somebody put into one sentence; the task stays theirs. */
export async function planTest(
  { gitDirs, env, backlogPath }: Checkout,
  title: string,
  watch: Watch,
): Promise<PlannedTest> {
  if (isPlanFolder(backlogPath)) return { why: 'plans are written by hand' };
  try {
    const planning = await openPlanning({ cwd: gitDirs.root, env }, null);
    const { tasks } = await readCommittedBacklog(planning);
    const wish = { kind: 'one', text: title } as const;
    const request = { kind: 'one', wish, replaces: null, agent: null, tasks } as const;
    const { plan, problems } = await askPlanner(planning, request, getWatch(watch));
    const [task] = plan.tasks;
    if (task === undefined || problems.length > 0) return { why: problems.join('; ') };
    return { testFile: task.test_file, steps: task.verification_steps };
  } catch (error) {
    if (!(error instanceof HarnessError) || error.code === 'cancelled') throw error;
    return { why: error.message.split('\n', 1)[0] ?? '' };
  }
}
