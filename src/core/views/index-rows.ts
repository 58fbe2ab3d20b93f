import type { ControlRequest } from '../model/facts.ts';
import { MAX_LISTED_QUESTIONS, type OpenQuestion } from '../model/question.ts';
import { getSessionRole } from '../model/role.ts';
import { getBasis, type TaskDef, type TaskStatus } from '../model/task.ts';
import type { Usage } from '../model/usage.ts';
import { getStartWip } from '../state/attempt.ts';
import { type CleanupOutlook, getCleanupOutlook } from '../state/cleanup.ts';
import { isMarked } from '../state/regression.ts';
import { getSessionOutcome, type State } from '../state/state.ts';
import {
  canGoWithoutAgent,
  getReadyRank,
  isBlockedByDependency,
  type TaskState,
} from '../state/task-state.ts';
import {
  type Forecast,
  getForecast,
  getHealth,
  getTestCounts,
  type HealthInput,
  type HealthScore,
} from './health.ts';
import { getWorkersAtWork, type WorkerAtWork } from './workers-at-work.ts';

/** What `status` and `next` show of one task, without folding a single event. */
export interface TaskLine {
  readonly title: string;
  readonly testFile: string | null;
  readonly priority: number;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly interruptions: number;
  /** What a person lets it cost. */
  readonly raisedToUsd?: number;
  readonly costUsd: number;
  /** Tokens behind it; absent in rows of an older harness. */
  readonly usage?: Usage;
  readonly sessions?: number;
  readonly dependsOn: readonly string[];
  /** What the harness adds itself is none of the tasks that are counted. */
  readonly kind?: TaskDef['kind'];
  readonly blocked: boolean;
  /** What the next session at it is asked for; absent in rows of an older harness. */
  readonly prompt?: string;
  /** What a person decided, where that is all it takes: the next run lands it, and no agent works on it. */
  readonly decided?: string;
  /** Nothing can prove it yet: neither a test nor a validation, and it is not left to a person. */
  readonly isUnprovable?: true;
  readonly lastReason: string | null;
  readonly commit: string | null;
  /** Set while it is open again, with the reason. */
  readonly reopened?: string;
  /** Who said that it is done, and why, where nothing was proven. */
  readonly unproven?: string;
  /** Its own tests stand for it, which passed on the base without any work. */
  readonly isSatisfied?: true;
  /** It is marked as done in the backlog, and nothing here has landed it. */
  readonly isMarked?: true;
  /** A test of its own that fails, although it counts as done. */
  readonly ownRed?: string;
}

/** The project at a glance, kept beside the index so that reading it costs one row. */
export interface Summary {
  readonly project: string;
  readonly counts: Readonly<Record<TaskStatus, number>>;
  readonly blockedByDependency: number;
  readonly sessions: number;
  /** What an older harness wrote says neither which session it is nor since when. */
  readonly active: readonly (Omit<WorkerAtWork, 'session' | 'startedAtMs'> &
    Partial<Pick<WorkerAtWork, 'session' | 'startedAtMs'>>)[];
  readonly lastSession: {
    readonly session: number;
    readonly task: string;
    readonly outcome: string;
    readonly costUsd: number;
    readonly usage?: Usage;
    readonly role?: string;
    readonly endedAtMs: number;
  } | null;
  readonly costUsd: number;
  readonly usage?: Usage;
  /** The same by what the sessions were for. */
  readonly byRole?: Readonly<Record<string, Usage & { readonly sessions: number }>>;
  readonly forecast: Forecast | null;
  /** Providers that cannot be had at the moment. */
  readonly waiting: readonly {
    readonly provider: string;
    readonly kind: string;
    readonly untilMs: number | null;
  }[];
  readonly stuckCount: number;
  /** Absent in summaries of an older harness. */
  readonly cleanup?: CleanupOutlook;
  /** Absent in summaries of an older harness. */
  readonly control?: ControlRequest;
  /** What people are asked, oldest first. */
  readonly questions?: readonly Pick<OpenQuestion, 'id' | 'kind' | 'task' | 'what'>[];
  readonly raisedToUsd?: number;
  /** Landed by a person's word alone. */
  readonly unproven?: number;
  readonly health?: Pick<HealthScore, 'score' | 'status'>;
  readonly baseline: HealthInput['tests'];
  /** Tests that neither block nor prove. */
  readonly quarantined: number;
  readonly backlogCommit: string | null;
  readonly updatedAtMs: number;
  /** The newest event that is in it; absent in summaries of an older harness. */
  readonly seq?: number;
}

/** The index row of one task; the store writes it in the same transaction as the events. */
export function getIndexRow(
  state: State,
  id: string,
): { id: string; status: string; readyRank: string | null; data: string } | null {
  const task = state.tasks.get(id);
  if (!task || task.status === 'removed') return null;
  const decided = getDecided(task);
  const line: TaskLine = {
    title: task.def.title,
    testFile: task.def.testFile,
    priority: task.def.priority,
    attempts: task.attempts,
    maxAttempts: task.def.maxAttempts,
    interruptions: task.interruptions,
    costUsd: task.usage.costUsd,
    usage: task.usage,
    sessions: task.sessions,
    dependsOn: task.def.dependsOn,
    ...(task.def.kind ? { kind: task.def.kind } : {}),
    blocked: isBlockedByDependency(task),
    prompt: getSessionRole(getStartWip(task.history), task.def),
    ...(decided === null ? {} : { decided }),
    ...(getBasis(task.def) === null ? { isUnprovable: true as const } : {}),
    lastReason: task.status === 'landed' ? null : (task.blockedReason ?? task.history.at(-1)?.reason ?? null),
    commit: task.landed?.commit ?? null,
    ...(task.people.raisedToUsd > 0 ? { raisedToUsd: task.people.raisedToUsd } : {}),
    ...(task.reopened ? { reopened: task.reopened.reason } : {}),
    ...getUnproven(state, task),
  };
  return { id, status: task.status, readyRank: getReadyRank(task), data: JSON.stringify(line) };
}

/** What a person decided about a task that waits for the next run alone; null where an agent works on it. */
export function getDecided(task: TaskState): string | null {
  if (!canGoWithoutAgent(task)) return null;
  const { override, submittedBy } = task.people;
  if (override?.satisfied) return `its own tests stand for it, as accepted by ${override.by}`;
  if (override) return `it counts as done, unproven, by the word of ${override.by}`;
  if (submittedBy !== null) return `the work of ${submittedBy} is to be judged`;
  return 'a person has looked at its work, and passed it';
}

/** The summary of a state; cheap, because the state counts as it goes. */
export function getSummary(state: State, blockedByDependency: number): Summary {
  const last = state.recent.lastSession;
  const health = getHealth(state);
  return {
    project: state.project,
    counts: state.counts,
    blockedByDependency,
    sessions: state.sessions,
    active: getWorkersAtWork(state),
    lastSession: last && {
      session: last.session,
      task: last.task,
      outcome: getSessionOutcome(state, last),
      costUsd: last.usage.costUsd,
      usage: last.usage,
      role: last.role,
      endedAtMs: last.endedAtMs,
    },
    costUsd: state.costs.usage.costUsd,
    usage: state.costs.usage,
    byRole: Object.fromEntries(
      [...state.costs.byRole].map(([role, { usage, sessions }]) => [role, { sessions, ...usage }]),
    ),
    forecast: getForecast(state),
    waiting: [...state.trouble.providers].map(([provider, { kind, untilMs }]) => ({
      provider,
      kind,
      untilMs,
    })),
    stuckCount: state.trouble.stuckCount,
    cleanup: getCleanupOutlook(state),
    control: {
      mode: state.people.control.mode,
      by: state.people.control.by,
      reason: state.people.control.reason,
    },
    questions: [...state.people.questions.values()]
      .slice(0, MAX_LISTED_QUESTIONS)
      .map(({ id, kind, task, what }) => ({ id, kind, task, what })),
    raisedToUsd: state.people.raisedToUsd,
    unproven: state.unproven,
    health: { score: health.score, status: health.status },
    baseline: getTestCounts(state),
    quarantined: [...state.suite.quarantine.values()].filter(test => test.releasedAtMs === null).length,
    backlogCommit: state.backlog?.commit ?? null,
    updatedAtMs: state.updatedAtMs,
    seq: state.seq,
  };
}

function getUnproven(
  { suite }: State,
  task: TaskState,
): Pick<TaskLine, 'unproven' | 'isSatisfied' | 'isMarked' | 'ownRed'> {
  const { def, landed, people, status } = task;
  const mark = landed?.unproven ?? people.override;
  const red = status === 'landed' ? suite.checked?.marked.find(one => one.task === def.id) : undefined;
  return {
    ...(mark ? { unproven: `${mark.by}: ${mark.reason}` } : {}),
    ...(mark?.satisfied ? { isSatisfied: true } : {}),
    ...(!mark && isMarked(task) ? { isMarked: true } : {}),
    ...(red?.tests[0] === undefined ? {} : { ownRed: red.tests[0] }),
  };
}
