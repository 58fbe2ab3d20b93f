import { readLogTail } from '../../adapters/artifacts/log-tail.ts';
import { getCount, getShort } from '../../core/base/text.ts';
import type { ControlRequest } from '../../core/model/facts.ts';
import type { Summary } from '../../core/views/index-rows.ts';
import { type ActiveTask, getListedTask, type IndexView, type ListedTask } from '../project/index-view.ts';

/** The project at a glance. */
export interface StatusView {
  readonly project: string;
  readonly total: number;
  readonly counts: Omit<Summary['counts'], 'removed'>;
  readonly blockedByDependency: number;
  readonly active: readonly ActiveTask[];
  readonly next: Pick<NextTask, 'id' | 'title' | 'prompt' | 'decided' | 'isUnprovable'> | null;
  readonly whyNext: string;
  readonly sessions: number;
  readonly lastSession: Summary['lastSession'];
  readonly stuckCount: number;
  /** What a person last said to the workers. */
  readonly control: ControlRequest | null;
  /** Files in the state directory that say the same. */
  readonly signals: IndexView['signals'];
  /** Set while nothing may begin. */
  readonly frozen: IndexView['frozen'];
  /** What people are asked, oldest first. */
  readonly questions: NonNullable<Summary['questions']>;
  readonly unproven: number;
  readonly health: Summary['health'] | null;
  readonly forecast: Summary['forecast'];
  readonly waiting: Summary['waiting'];
  readonly costUsd: number;
  readonly usage: NonNullable<Summary['usage']> | null;
  readonly byRole: NonNullable<Summary['byRole']>;
  readonly budgetUsd: number | null;
  readonly baseline: Summary['baseline'];
  readonly quarantined: number;
  readonly tasks: readonly ListedTask[];
  /** Tasks that are not in the list. */
  readonly more: number;
  readonly hints: readonly string[];
  /** The last lines of the log that people read. */
  readonly log: readonly string[];
}

const MAX_LISTED = 20;
const MAX_LOG_LINES = 5;

/** In a long list, what is going on comes first and what is done comes last. */
export const STATUS_ORDER = ['active', 'failed', 'blocked', 'retry', 'pending', 'landed'];

export function getStatusView(view: IndexView, options: { readonly all: boolean }): StatusView {
  const { summary, total, facts, active } = view;
  const { next, why } = getNextView(view);
  const tasks = readTasks(view, options.all);
  return {
    project: facts.project,
    total,
    counts: getCounts(summary),
    blockedByDependency: summary.blockedByDependency,
    active,
    next: next && getNextInShort(next),
    whyNext: why,
    sessions: summary.sessions,
    lastSession: summary.lastSession,
    stuckCount: summary.stuckCount,
    control: summary.control ?? null,
    signals: view.signals,
    frozen: view.frozen,
    questions: summary.questions ?? [],
    unproven: summary.unproven ?? 0,
    health: summary.health ?? null,
    costUsd: summary.costUsd,
    usage: summary.usage ?? null,
    byRole: summary.byRole ?? {},
    budgetUsd: getCapUsd(view),
    forecast: summary.forecast ?? null,
    waiting: summary.waiting ?? [],
    baseline: summary.baseline,
    quarantined: summary.quarantined ?? 0,
    tasks,
    more: total - tasks.filter(({ kind }) => kind !== 'cleanup').length,
    hints: facts.hints,
    log: readLogTail(view.stateDir, MAX_LOG_LINES),
  };
}

function getNextInShort({ id, title, prompt, ...task }: NextTask): NonNullable<StatusView['next']> {
  const { decided, isUnprovable } = task;
  return { id, title, prompt, ...(decided ? { decided } : {}), ...(isUnprovable ? { isUnprovable } : {}) };
}

/** In the words of the log: what waits for a task that needs a person is blocked as that one is. */
function getCounts({ counts, blockedByDependency: waiting }: Summary): StatusView['counts'] {
  const { removed: _, pending, retry, blocked, ...others } = counts;
  const left = Math.max(0, waiting - pending);
  return {
    ...others,
    pending: pending - (waiting - left),
    retry: retry - left,
    blocked: blocked + waiting,
  };
}

function readTasks({ index, total }: IndexView, all: boolean): ListedTask[] {
  if (all || total <= MAX_LISTED) return index.rows({ limit: -1 }).map(getListedTask);
  const listed: ListedTask[] = [];
  for (const status of STATUS_ORDER) {
    const left = MAX_LISTED - listed.length;
    if (left > 0) listed.push(...index.rows({ status, limit: left }).map(getListedTask));
  }
  return listed;
}

/** What `run` would take, and why; or why it would take nothing. */
export interface NextView {
  readonly next: NextTask | null;
  readonly why: string;
  /** Tasks that only a person can set going again. */
  readonly waiting: readonly {
    readonly id: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
  /** How many questions wait in the inbox. */
  readonly questions: number;
  /** Set while nothing may begin. */
  readonly frozen: IndexView['frozen'];
  readonly hints: readonly string[];
}

export interface NextTask {
  readonly id: string;
  readonly title: string;
  readonly testFile: string | null;
  readonly priority: number;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly dependsOn: readonly string[];
  /** What its session is asked for. */
  readonly prompt: string;
  /** What a person decided, where that is all it takes. */
  readonly decided?: string;
  /** Nothing can prove it yet. */
  readonly isUnprovable?: true;
}

/** The same choice that the loop makes, read from the index. */
export function getNextView(view: IndexView): NextView {
  return { ...getChoice(view), frozen: view.frozen };
}

function getChoice(view: IndexView): Omit<NextView, 'frozen'> {
  const { hints } = view.facts;
  const questions = view.summary.questions?.length ?? 0;
  const orphan = view.active.find(attempt => attempt.life === 'gone');
  if (orphan) {
    const row = view.index.rows({ status: 'active', limit: 1_000 }).find(({ id }) => id === orphan.task);
    const why = `its worker${orphan.pid === null ? '' : ` (pid ${orphan.pid})`} is gone: the next run continues where it stopped`;
    if (row) return { next: getNextTask(getListedTask(row), 0), why, waiting: [], questions, hints };
  }
  const totalUsd = getCapUsd(view);
  if (view.next && totalUsd !== null && view.summary.costUsd >= totalUsd) {
    const why = `the budget of $${totalUsd} is spent (costs.total_project_usd)`;
    return { next: null, why, waiting: [], questions, hints };
  }
  const next = findAffordable(view);
  if (next)
    return { next: getNextTask(next, 1), why: getReason(next, view.summary), waiting: [], questions, hints };
  return { next: null, ...getWhyNone(view), questions, hints };
}

/** What the project may cost, by the config or by a person; null without a limit. */
export function getCapUsd({ facts, summary }: IndexView): number | null {
  const { totalUsd } = facts.budget;
  return totalUsd === null ? null : Math.max(totalUsd, summary.raisedToUsd ?? 0);
}

function getNextTask(task: ListedTask, more: 0 | 1): NextTask {
  const { id, title, testFile, priority, attempts, maxAttempts, dependsOn } = task;
  const attempt = Math.max(1, attempts + more);
  const { prompt = 'coding' } = task;
  const open = {
    ...(task.decided ? { decided: task.decided } : {}),
    ...(task.isUnprovable && !task.decided ? { isUnprovable: true as const } : {}),
  };
  return { id, title, testFile, priority, attempt, maxAttempts, dependsOn, prompt, ...open };
}

/** The first in the queue that the loop would not set aside for its cost or its many interruptions. */
function findAffordable(view: IndexView): ListedTask | null {
  const { perTaskUsd, maxInterruptions } = view.facts.budget;
  const canRun = (task: ListedTask) =>
    (perTaskUsd === null || task.costUsd < Math.max(perTaskUsd, task.raisedToUsd ?? 0)) &&
    task.interruptions < maxInterruptions;
  if (!view.next || canRun(view.next)) return view.next;
  return view.index.ready(view.total).map(getListedTask).find(canRun) ?? null;
}

function getReason(task: ListedTask, { cleanup }: Summary): string {
  if (task.kind === 'cleanup') return getCleanupReason(cleanup);
  if (task.decided) return `${task.decided}; no agent works on it`;
  const basis = task.dependsOn.length > 0 ? `all it builds on has landed (${task.dependsOn.join(', ')})` : '';
  if (task.status === 'retry') {
    const last = task.lastReason ? `: last time ${getShort(task.lastReason)}` : '';
    return `it has attempts left${last}`;
  }
  return [`P${task.priority}, fresh, and first of its priority`, basis].filter(Boolean).join('; ');
}

function getCleanupReason(cleanup: Summary['cleanup']): string {
  const order = 'a clean-up goes before the next task';
  if (!cleanup || cleanup.isOpen) return order;
  if (cleanup.requested) return `${order}: a person asked for it`;
  return `${order}: ${getCount(cleanup.since, 'task')} landed since the last one`;
}

function getWhyNone(view: IndexView): Pick<NextView, 'why' | 'waiting'> {
  const { counts, blockedByDependency } = view.summary;
  if (view.total === 0) return { why: 'the backlog is empty', waiting: [] };
  if (counts.landed === view.total) return { why: 'every task has landed', waiting: [] };
  const dead = (['failed', 'blocked'] as const).flatMap(status => view.index.rows({ status, limit: 5 }));
  const waiting = dead
    .map(getListedTask)
    .map(({ id, status, lastReason }) => ({ id, status, reason: lastReason }));
  const busy = view.active.map(({ task }) => task);
  const why = [
    busy.length === 1 ? `task ${busy[0]} is being worked on` : '',
    busy.length > 1 ? `tasks ${busy.join(', ')} are being worked on` : '',
    counts.failed > 0 ? `${counts.failed} failed for good (harness reset)` : '',
    counts.blocked > 0 ? `${counts.blocked} need a person` : '',
    blockedByDependency > 0 ? `${blockedByDependency} wait for those` : '',
  ].filter(Boolean);
  return { why: why.join(', ') || 'no task is ready', waiting };
}
