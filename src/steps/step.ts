import type { HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { State } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { AppendRequest, Ports } from '../ports/index.ts';
import type { Ahead } from '../testruns/test-runs.ts';

/** What a step is given: the world through ports, the recorded state to read, and nothing else. */
export interface StepContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly signal: AbortSignal;
  /** Records facts in the middle of a step (under the task's lease); throws when the lease is lost. */
  readonly record: (events: readonly HarnessEvent[]) => Promise<void>;
  /** Trees that an earlier step has begun to lay out for a later one. */
  readonly ahead?: Ahead | undefined;
}

/** What a step leaves to be recorded. Performed twice, it has the effect of once. */
export interface StepResult {
  readonly events: readonly HarnessEvent[];
  readonly acquire?: AppendRequest['acquire'];
  readonly release?: boolean;
}

/** The task and its attempt under way; a step that needs them cannot be called without. */
export function getUnderWay(ctx: StepContext, taskId: string): { task: TaskState; attempt: Attempt } {
  const task = ctx.state.tasks.get(taskId);
  const attempt = ctx.state.active.get(taskId);
  if (!task || !attempt) throw new Error(`task ${taskId} has no attempt under way`);
  return { task, attempt };
}
