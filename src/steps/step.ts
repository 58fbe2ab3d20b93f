import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { State } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { AppendRequest, Ports } from '../ports/index.ts';
import { readSeenTests, type SeenTests } from '../testruns/seen-tests.ts';
import { TestRuns } from '../testruns/test-runs.ts';
import type { Worktrees } from '../testruns/worktrees.ts';

/** What a step is given: the world through ports, the recorded state to read, and nothing else. */
export interface StepContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly signal: AbortSignal;
  /** Records facts in the middle of a step (under the task's lease); throws when the lease is lost. */
  readonly record: (events: readonly HarnessEvent[]) => Promise<void>;
  /** Whether others land at the same time. */
  readonly isShared: boolean;
  /** Pristine trees, some of them laid out by an earlier step for a later one. */
  readonly worktrees: Worktrees;
}

/** The task of a step and its attempt under way. */
export interface UnderWay {
  readonly task: TaskState;
  readonly attempt: Attempt;
}

/** What a step leaves to be recorded. Performed twice, it has the effect of once. */
export interface StepResult {
  readonly events: readonly HarnessEvent[];
  readonly acquire?: AppendRequest['acquire'];
  readonly release?: boolean;
}

/** How events name an attempt. */
export function getRef({ task, number }: Attempt): { readonly task: string; readonly attempt: number } {
  return { task, attempt: number };
}

type Ending = Omit<EventOf<'attempt.ended'>, 'type' | 'task' | 'attempt'>;

/** The attempt is over, and its task is anybody's. */
export function endAttempt(attempt: Attempt, ending: Ending): StepResult {
  return { events: [{ type: 'attempt.ended', ...getRef(attempt), ...ending }], release: true };
}

/** Commands on the trees of one slot. */
export function openTests(
  { ports, policy, signal, worktrees }: Pick<StepContext, 'ports' | 'policy' | 'signal' | 'worktrees'>,
  slot: number,
  awaited: readonly string[] = [],
): TestRuns {
  return new TestRuns({ ports, policy, signal, worktrees, slot, awaited });
}

/** Test files of tasks that are still to be done, but for one of them: red for a good reason. */
export function getAwaited({ state }: Pick<StepContext, 'state'>, except?: string): string[] {
  return [...state.open.values()].flatMap(({ def }) => (def.id === except ? [] : (def.testFile ?? [])));
}

/** What the tests say of work that brings an entry for the notes along. */
export function seeTests(ctx: StepContext, { task, attempt }: UnderWay, tree: string): Promise<SeenTests> {
  const tests = openTests(ctx, attempt.slot, getAwaited(ctx, task.def.id));
  return readSeenTests(ctx, tests, { task: task.def, tree });
}
