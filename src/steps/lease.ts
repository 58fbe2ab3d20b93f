import { getFreeSlot } from '../core/decide/slot.ts';
import { getTaskResource } from '../core/model/world.ts';
import type { HeldWork } from '../core/state/attempt.ts';
import { getStartWip } from '../core/state/attempt.ts';
import { getReserve } from '../core/state/costs.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { canGoWithoutAgent } from '../core/state/task-state.ts';
import type { StepContext, StepResult } from './step.ts';

/** Takes a task for this worker: the lease and the fact of it are one transaction. */
export async function lease(
  ctx: StepContext,
  { task: taskId }: { readonly task: string },
): Promise<StepResult> {
  const { state, policy, ports } = ctx;
  const task = state.tasks.get(taskId);
  if (!task) throw new Error(`task ${taskId} is not in the backlog`);
  const tip = await ports.workspace.tip();
  const taken = getHeldWork(task);
  const owner = ports.workers.self.id;
  return {
    events: [
      {
        type: 'attempt.started',
        task: taskId,
        attempt: task.started + 1,
        session: state.sessions + 1,
        worker: owner,
        slot: getFreeSlot(state),
        base: taken?.held?.base ?? tip.commit,
        baseTree: taken?.held?.baseTree ?? tip.tree,
        wip: taken ? null : getStartWip(task.history),
        reserveUsd: taken ? 0 : (getReserve(policy, state, task) ?? 0),
        ...(!taken && (await needsTest(ctx, task, tip.commit)) ? { author: true as const } : {}),
        ...(taken ? { takesUp: getResumption(task, taken.held) } : {}),
      },
    ],
    acquire: { resource: getTaskResource(taskId), owner, ttlMs: policy.leaseMs },
  };
}

/** Kept work goes on from the commit it stood on; landing puts it onto the tip and has it proven there. */
function getHeldWork(task: TaskState): { readonly held: HeldWork | null } | null {
  if (!canGoWithoutAgent(task)) return null;
  const isMarkOnly = task.people.override !== null && task.people.override.workOf === null;
  return { held: isMarkOnly ? null : task.held };
}

function getResumption({ people }: TaskState, held: HeldWork | null) {
  const { override, submittedBy } = people;
  const attempt = held?.attempt ?? null;
  return { attempt, override, ...(submittedBy === null || override ? {} : { by: submittedBy }) };
}

/** Where tests have an author of their own, nobody begins a task before its test is there. */
async function needsTest(ctx: StepContext, task: TaskState, base: string): Promise<boolean> {
  const { testFile } = task.def;
  if (ctx.policy.testsBy !== 'separate-author' || testFile === null || task.authored) return false;
  return (await ctx.ports.workspace.blobId(base, testFile)) === null;
}
