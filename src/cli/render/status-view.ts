import {
  type ActiveTask,
  getListedTask,
  type IndexView,
  type ListedTask,
} from '../../app/project/index-view.ts';
import type { ControlWord } from '../../core/model/facts.ts';
import { MAX_LISTED_QUESTIONS } from '../../core/model/question.ts';
import type { Summary } from '../../core/views/index-rows.ts';
import type { Style } from '../terminal/style.ts';
import { getCapUsd, getNextView, getShort, type NextTask } from './next-view.ts';

/** The project at a glance. */
export interface StatusView {
  readonly project: string;
  readonly total: number;
  readonly counts: Omit<Summary['counts'], 'removed'>;
  readonly blockedByDependency: number;
  readonly active: readonly ActiveTask[];
  readonly next: Pick<NextTask, 'id' | 'title'> | null;
  readonly whyNext: string;
  readonly sessions: number;
  readonly lastSession: Summary['lastSession'];
  readonly stuckCount: number;
  /** What a person last said to the workers. */
  readonly control: ControlWord | null;
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
}

const MAX_LISTED = 20;

/** In a long list, what is going on comes first and what is done comes last. */
const ORDER = ['active', 'failed', 'blocked', 'retry', 'pending', 'landed'];

export function getStatusView(view: IndexView, options: { readonly all: boolean }): StatusView {
  const { summary, total, facts, active } = view;
  const { removed: _, ...counts } = summary.counts;
  const { next, why } = getNextView(view);
  const tasks = readTasks(view, options.all);
  return {
    project: summary.project || facts.project,
    total,
    counts,
    blockedByDependency: summary.blockedByDependency,
    active,
    next: next && { id: next.id, title: next.title },
    whyNext: why,
    sessions: summary.sessions,
    lastSession: summary.lastSession,
    stuckCount: summary.stuckCount,
    control: summary.control ?? null,
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
    more: total - tasks.length,
    hints: facts.hints,
  };
}

/** The answer for people. */
export function renderStatus(view: StatusView, style: Style): string {
  const { counts, total } = view;
  const percent = total === 0 ? 0 : Math.floor((100 * counts.landed) / total);
  const others = ORDER.slice(0, -1).map(status => [status, counts[status as keyof typeof counts]] as const);
  const shown = others.filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`);
  const lines = [
    row('Project', style.bold(view.project)),
    row('Tasks', [`${counts.landed}/${total} landed (${percent}%)`, ...shown].join(', ')),
    ...(view.unproven > 0
      ? [row('Unproven', style.bad(`${view.unproven} landed by a person's word alone`))]
      : []),
    ...(view.control?.mode === 'paused' ? [row('Paused', style.warn(getPauseText(view.control)))] : []),
    ...(view.questions.length > 0 ? [row('Questions', style.warn(getQuestionText(view.questions)))] : []),
    ...view.active.map(attempt => row('Active', getActiveText(attempt, style))),
    row('Next', view.next ? `task ${view.next.id}: ${view.next.title}` : `nothing: ${view.whyNext}`),
    row('Last session', getSessionText(view)),
    row('Stuck count', view.stuckCount > 0 ? style.warn(String(view.stuckCount)) : '0'),
    row('Costs', getCostText(view)),
    ...view.waiting.map(one => row('Waiting', style.warn(getWaitingText(one)))),
    row('Baseline', getBaselineText(view.baseline)),
    ...(view.health
      ? [row('Health', `${view.health.status}, ${view.health.score} of 100 (harness health)`)]
      : []),
    ...(view.quarantined > 0 ? [row('Quarantine', style.warn(getQuarantineText(view.quarantined)))] : []),
  ];
  if (view.tasks.length > 0) lines.push('', ...view.tasks.map(task => getTaskText(task, style)));
  if (view.more > 0) lines.push(style.dim(`  … and ${view.more} more: harness status --all`));
  lines.push('');
  for (const hint of view.hints) lines.push(style.warn(`note: ${hint}`));
  lines.push(style.dim(`next: ${getNextStep(view)}`));
  return lines.join('\n');
}

function readTasks({ index, total }: IndexView, all: boolean): ListedTask[] {
  if (all || total <= MAX_LISTED) return index.rows({ limit: -1 }).map(getListedTask);
  const listed: ListedTask[] = [];
  for (const status of ORDER) {
    const left = MAX_LISTED - listed.length;
    if (left > 0) listed.push(...index.rows({ status, limit: left }).map(getListedTask));
  }
  return listed;
}

function row(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)}${text}`;
}

function getPauseText({ by, reason }: ControlWord): string {
  return `by ${by}${reason ? `: ${reason}` : ''}`;
}

function getQuestionText(questions: StatusView['questions']): string {
  const [first] = questions;
  const isAll = questions.length < MAX_LISTED_QUESTIONS;
  const count = isAll ? questions.length : `${MAX_LISTED_QUESTIONS} or more`;
  return `${count} (harness inbox): ${getShort(first?.what ?? '')}`;
}

function getActiveText({ task, attempt, stage, pid, life }: ActiveTask, style: Style): string {
  const where = `task ${task}, attempt ${attempt}: ${stage}`;
  if (life === 'gone')
    return `${where} ${style.warn(`(its worker${pid === null ? '' : `, pid ${pid},`} is gone)`)}`;
  return pid === null ? where : `${where} (pid ${pid})`;
}

function getSessionText({ lastSession }: StatusView): string {
  if (!lastSession) return 'none yet';
  const { session, task, outcome, costUsd, endedAtMs } = lastSession;
  const at = new Date(endedAtMs).toISOString().slice(0, 16).replace('T', ' ');
  return `${session} on task ${task}: ${outcome}, $${costUsd.toFixed(2)}, ${at} UTC`;
}

function getCostText({ costUsd, budgetUsd, forecast }: StatusView): string {
  const spent = `$${costUsd.toFixed(2)}${budgetUsd === null ? '' : ` of $${budgetUsd.toFixed(2)}`}`;
  const parts = [
    ...(forecast?.tasksLeft ? [`enough for about ${forecast.tasksLeft} tasks`] : []),
    ...(forecast?.etaMs ? [`the rest takes about ${getDuration(forecast.etaMs)} at this pace`] : []),
  ];
  return [spent, ...parts].join(', ');
}

function getDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

function getWaitingText({ provider, kind, untilMs }: StatusView['waiting'][number]): string {
  const until =
    untilMs === null ? '' : ` until ${new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `for ${provider}: ${kind}${until}`;
}

function getBaselineText(baseline: StatusView['baseline']): string {
  return baseline ? `${baseline.passing} tests pass, ${baseline.failing} fail` : 'not measured yet';
}

function getQuarantineText(count: number): string {
  return `${count} flaky ${count === 1 ? 'test neither blocks nor proves' : 'tests neither block nor prove'} (.harness/quarantine.json)`;
}

function getTaskText(task: ListedTask, style: Style): string {
  const paint = { landed: style.good, failed: style.bad, blocked: style.bad, retry: style.warn }[task.status];
  const status = `[${task.status}]`;
  const tries = ` (${task.attempts}/${task.maxAttempts})`;
  if (task.unproven) {
    const said = style.bad(`UNPROVEN by the word of ${getShort(task.unproven)}`);
    return `  ${style.warn(status)}${' '.repeat(9 - status.length)} ${task.id}: ${task.title} — ${said}`;
  }
  const why = task.lastReason ? ` — ${getShort(task.lastReason)}` : getWait(task);
  const again = task.reopened ? style.bad(' — OPEN AGAIN') : '';
  return `  ${(paint ?? style.bold)(status)}${' '.repeat(9 - status.length)} ${task.id}: ${task.title}${tries}${again}${style.dim(why)}`;
}

function getWait(task: ListedTask): string {
  if (task.status !== 'pending' || task.isReady) return '';
  const after = task.dependsOn.join(', ');
  return task.blocked ? ` — waits for ${after}, where a person is needed` : ` — after ${after}`;
}

function getNextStep(view: StatusView): string {
  if (view.control?.mode === 'paused') return 'harness resume';
  if (view.next) return 'harness run --all';
  if (view.questions.length > 0) return 'harness inbox';
  if (view.total === 0) return 'harness add "what should be built" --test-file <path>';
  if (view.counts.landed === view.total) return 'harness add "what comes next" --test-file <path>';
  const stopped = view.tasks.find(({ status }) => status === 'failed' || status === 'blocked');
  return stopped ? `harness log --task ${stopped.id}` : 'harness log';
}
