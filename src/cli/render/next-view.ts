import { getListedTask, type IndexView, type ListedTask } from '../../app/project/index-view.ts';
import type { Style } from '../terminal/style.ts';

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
}

/** The same choice that the loop makes, read from the index. */
export function getNextView(view: IndexView): NextView {
  const { hints } = view.facts;
  const questions = view.summary.questions?.length ?? 0;
  const orphan = view.active.find(attempt => attempt.life === 'gone');
  if (orphan) {
    const row = view.index.rows({ status: 'active', limit: 1_000 }).find(({ id }) => id === orphan.task);
    const why = `its worker${orphan.pid === null ? '' : ` (pid ${orphan.pid})`} is gone: the next run goes on where it stopped`;
    if (row) return { next: getNextTask(getListedTask(row), 0), why, waiting: [], questions, hints };
  }
  const totalUsd = getCapUsd(view);
  if (view.next && totalUsd !== null && view.summary.costUsd >= totalUsd) {
    const why = `the budget of $${totalUsd} is spent (costs.total_project_usd)`;
    return { next: null, why, waiting: [], questions, hints };
  }
  const next = findAffordable(view);
  if (next) return { next: getNextTask(next, 1), why: getReason(next), waiting: [], questions, hints };
  return { next: null, ...getWhyNone(view), questions, hints };
}

/** What the project may cost, by the config or by a person; null without a limit. */
export function getCapUsd({ facts, summary }: IndexView): number | null {
  const { totalUsd } = facts.budget;
  return totalUsd === null ? null : Math.max(totalUsd, summary.raisedToUsd ?? 0);
}

/** The answer for people. */
export function renderNext(view: NextView, style: Style): string {
  const { next, why } = view;
  const lines: string[] = [];
  if (next) {
    lines.push(`${style.bold(`Task ${next.id}`)}: ${next.title}`);
    if (next.testFile) lines.push(`Test file: ${next.testFile}`);
    lines.push(`Attempt:   ${next.attempt} of ${next.maxAttempts}`, `Why next:  ${why}`);
  } else {
    lines.push(`Nothing to run: ${why}`);
    for (const { id, status, reason } of view.waiting) {
      lines.push(`  [${status}] ${id}${reason ? `: ${getShort(reason)}` : ''}`);
    }
  }
  for (const hint of view.hints) lines.push(style.warn(`note: ${hint}`));
  lines.push(
    style.dim(`next: ${next ? 'harness run' : view.questions > 0 ? 'harness inbox' : 'harness status'}`),
  );
  return lines.join('\n');
}

/** One line of a text that may be long. */
export function getShort(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}

function getNextTask(task: ListedTask, more: 0 | 1): NextTask {
  const { id, title, testFile, priority, attempts, maxAttempts, dependsOn } = task;
  const attempt = Math.max(1, attempts + more);
  return { id, title, testFile, priority, attempt, maxAttempts, dependsOn };
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

function getReason(task: ListedTask): string {
  const ground =
    task.dependsOn.length > 0 ? `all it builds on has landed (${task.dependsOn.join(', ')})` : '';
  if (task.status === 'retry') {
    const last = task.lastReason ? `: last time ${getShort(task.lastReason)}` : '';
    return `it has attempts left${last}`;
  }
  return [`P${task.priority}, fresh, and first of its priority`, ground].filter(Boolean).join('; ');
}

function getWhyNone(view: IndexView): Pick<NextView, 'why' | 'waiting'> {
  const { counts, blockedByDependency } = view.summary;
  if (view.total === 0) return { why: 'the backlog is empty', waiting: [] };
  if (counts.landed === view.total) return { why: 'every task has landed', waiting: [] };
  const dead = (['failed', 'blocked'] as const).flatMap(status => view.index.rows({ status, limit: 5 }));
  const waiting = dead
    .map(getListedTask)
    .map(({ id, status, lastReason }) => ({ id, status, reason: lastReason }));
  const [busy] = view.active;
  const why = [
    busy ? `task ${busy.task} is being worked on` : '',
    counts.failed > 0 ? `${counts.failed} failed for good (harness reset)` : '',
    counts.blocked > 0 ? `${counts.blocked} need a person` : '',
    blockedByDependency > 0 ? `${blockedByDependency} wait for those` : '',
  ].filter(Boolean);
  return { why: why.join(', ') || 'no task is ready', waiting };
}
