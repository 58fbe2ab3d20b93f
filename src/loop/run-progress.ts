import { NOTHING_TO_DO } from '../core/decide/stopping.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Action, StopReason } from '../core/model/action.ts';
import type { Policy } from '../core/model/policy.ts';
import type { OpenQuestion } from '../core/model/question.ts';
import { isEnvironmentFault } from '../core/model/verdict.ts';
import type { MachineLimit, RunScope, World } from '../core/model/world.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getReopened } from '../core/state/regression.ts';
import type { State } from '../core/state/state.ts';
import { isHandedOff } from '../core/state/task-state.ts';

export interface RunLimits {
  /** Attempts after which it stops, landed or not. */
  readonly maxSessions: number | null;
  /** Landed tasks after which it stops; as the policy says when not given. */
  readonly maxTasks?: number | undefined;
  /** When no further attempt is begun. */
  readonly untilMs?: number | undefined;
  readonly onlyTask: string | null;
  /** Stays when nothing is left to do; as the policy says when not given. */
  readonly maintains?: boolean | undefined;
}

export interface EndedAttempt {
  readonly task: string;
  readonly outcome: string;
  readonly reason: string;
}

export interface RunReport {
  readonly why: StopReason;
  readonly ended: readonly EndedAttempt[];
  /** What people are asked, as far as nobody has answered. */
  readonly questions: readonly OpenQuestion[];
  /** Tasks that people do by hand. */
  readonly handedOff: readonly string[];
  /** Tasks that had landed and are open again. */
  readonly reopened: readonly { readonly task: string; readonly reason: string }[];
  /** Red tests that a person lives with. */
  readonly tolerated: readonly string[];
}

/** What one run remembers of itself, beside what is recorded for all: it is over with the run. */
export class RunProgress {
  readonly #policy: Policy;
  readonly #limits: RunLimits;
  readonly #ended: EndedAttempt[] = [];
  /** Tasks this run started itself; closing what a dead one left is no attempt of ours. */
  readonly #mine = new Set<string>();
  readonly #halted = new Map<string, 'auth' | 'provider'>();
  readonly #lanes = new Set<string>();
  readonly #swept = new Set<string>();
  #environmentBroken = false;
  #pauseNoted = false;
  #restNoted = false;
  #looking: string | null = null;
  #atOnce: number | null = null;
  #jumpNotedMs = Number.NEGATIVE_INFINITY;
  /** The attempt that was worked on last. */
  last: Attempt | null = null;

  constructor(policy: Policy, limits: RunLimits) {
    this.#policy = policy;
    this.#limits = limits;
  }

  note(event: HarnessEvent): void {
    if (isEnvironmentBroken(event)) this.#environmentBroken = true;
    if (event.type === 'provider.failed' && event.untilMs === null && event.response !== 'count')
      this.#halted.set(event.provider, event.response === 'abort' ? 'auth' : 'provider');
    if (event.type === 'attempt.started') this.#mine.add(event.task);
    const end = getEnd(event);
    if (end && (this.#mine.has(end.task) || end.outcome === 'landed')) this.#ended.push(end);
  }

  /** Whether an action sets an agent on a task that this run has not set one on: the first fact of an attempt, or its session. */
  isFirst(action: Action): action is Extract<Action, { type: 'lease' | 'session' }> {
    return action.type === 'lease' || (action.type === 'session' && !this.#mine.has(action.task));
  }

  /** Whether the machine carries another number of agents than it did; that it carries all is no news at first. */
  isLimitNews({ atOnce }: MachineLimit): boolean {
    const isNews = atOnce !== this.#atOnce;
    this.#atOnce = atOnce;
    return isNews;
  }

  /** Whether the run begins to wait because of a file. */
  isPauseNews({ type }: Action, { pauseRequested }: World): boolean {
    const waits = pauseRequested && type === 'wait';
    const isNews = waits && !this.#pauseNoted;
    this.#pauseNoted = pauseRequested && (waits || this.#pauseNoted);
    return isNews;
  }

  /** Whether a run that stays has come to have nothing to do. */
  isRestNews(action: Action): boolean {
    const rests = action.type === 'wait' && action.why === NOTHING_TO_DO;
    const isNews = rests && !this.#restNoted;
    this.#restNoted = action.type === 'wait' && (rests || this.#restNoted);
    return isNews;
  }

  /** Whether what a worker left running is to be ended now: once in a run will do. */
  isFirstSweep(worker: string): boolean {
    const isFirst = !this.#swept.has(worker);
    this.#swept.add(worker);
    return isFirst;
  }

  /** A worker of this process, as long as it is one. */
  addLane(worker: string): () => void {
    this.#lanes.add(worker);
    return () => this.#lanes.delete(worker);
  }

  /** While one lane looks at everything, no other begins to. */
  async look<T>(worker: string, act: () => Promise<T>): Promise<T> {
    this.#looking = worker;
    return act().finally(() => {
      this.#looking = null;
    });
  }

  /** Each lane sees for itself that the clock jumped; it is said once. */
  isJumpNews(nowMs: number): boolean {
    const isNews = nowMs - this.#jumpNotedMs > this.#policy.leaseMs;
    if (isNews) this.#jumpNotedMs = nowMs;
    return isNews;
  }

  /** What bears on the next decision of a worker. */
  scope({ tasks, active }: State, worker: string): RunScope {
    const { maxSessions, maxTasks, untilMs, onlyTask, maintains } = this.#limits;
    const { limits } = this.#policy;
    const landed = this.#ended.filter(({ outcome }) => outcome === 'landed');
    const tidy = this.#ended.filter(({ outcome }) => outcome === 'tidy');
    return {
      environmentBroken: this.#environmentBroken,
      halted: this.#halted,
      maxSessions,
      maxTasks: maxTasks ?? limits.tasksPerRun,
      untilMs: untilMs ?? null,
      onlyTask,
      maintains: maintains ?? (limits.maintains && maxSessions === null),
      endedAttempts: this.#ended.length,
      landedTasks: landed.filter(({ task }) => tasks.get(task)?.def.kind !== 'cleanup').length,
      withoutLanding: this.#ended.length - landed.length - tidy.length,
      underWay: [...active.values()].filter(other => this.#isOthers(other, worker)).length,
      isLookUnderWay: this.#looking !== null && this.#looking !== worker,
    };
  }

  /** What other lanes work on, and what of this run waits to land. */
  #isOthers({ worker, stage, task }: Attempt, self: string): boolean {
    if (stage === 'queued') return this.#mine.has(task);
    return worker !== self && this.#lanes.has(worker);
  }

  report(why: StopReason, state: State): RunReport {
    const handedOff = [...state.open.values()].filter(isHandedOff).map(({ def }) => def.id);
    const questions = [...state.people.questions.values()];
    const tolerated = [...state.suite.tolerated];
    return { why, ended: this.#ended, questions, handedOff, reopened: getReopened(state), tolerated };
  }
}

/** Whether nothing more should be begun before a person has looked at what everything stands on. */
function isEnvironmentBroken(event: HarnessEvent): boolean {
  if (event.type === 'verdict.given') return isEnvironmentFault(event);
  if (event.type !== 'preflight.failed' || event.category === 'DEPENDENCY') return false;
  return !event.satisfied && !event.unprovable;
}

function getEnd(event: HarnessEvent): EndedAttempt | null {
  if (event.type === 'task.landed') return { task: event.task, outcome: 'landed', reason: event.commit };
  if (event.type === 'attempt.ended' && !event.unavailable && event.category !== 'DEPENDENCY')
    return { task: event.task, outcome: event.outcome, reason: event.reason };
  return null;
}
