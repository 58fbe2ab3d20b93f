import { type NextView, STATUS_ORDER, type StatusView } from '../../app/look/status-view.ts';
import type { ListedTask } from '../../app/project/index-view.ts';
import { EXIT_CODES } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getCount, getShort } from '../../core/base/text.ts';
import { getUtcMinute } from '../../core/base/utc-minute.ts';
import { MAX_LISTED_QUESTIONS } from '../../core/model/question.ts';
import type { HealthInput, HealthScore, Measured } from '../../core/views/health.ts';
import { getRow, type Style } from '../terminal/style.ts';
import { getActiveTexts } from './active-text.ts';

/** The answer for people. */
export function renderNext(view: NextView, style: Style): string {
  const { next, why } = view;
  const lines: string[] = [];
  if (next) {
    lines.push(`${style.bold(`Task ${next.id}`)}: ${next.title}`);
    if (next.testFile) lines.push(`Test file: ${next.testFile}`);
    if (next.isUnprovable) lines.push(`Proof:     ${UNPROVABLE}`);
    if (!next.decided) lines.push(`Attempt:   ${next.attempt} of ${next.maxAttempts}`);
    lines.push(`Why next:  ${why}`);
  } else {
    lines.push(`Nothing to run: ${why}`);
    for (const { id, status, reason } of view.waiting) {
      lines.push(`  [${status}] ${id}${reason ? `: ${getShort(reason)}` : ''}`);
    }
  }
  if (view.frozen) lines.push(style.warn(`note: ${getFrozenText(view.frozen)}`));
  for (const hint of view.hints) lines.push(style.warn(`note: ${hint}`));
  const step = next ? 'harness run' : view.questions > 0 ? 'harness inbox' : 'harness status';
  lines.push(style.dim(`next: ${view.frozen ? getThawStep(view.frozen) : step}`));
  return lines.join('\n');
}

function getNextNote({ decided, isUnprovable, prompt }: NonNullable<StatusView['next']>): string {
  if (decided) return `no agent: ${decided}`;
  return isUnprovable ? UNPROVABLE : `${prompt} prompt`;
}

/** Whoever asks what comes next hears by the code alone that somebody is asked something. */
export function getNextExitCode({ questions }: Pick<NextView, 'questions'>): number {
  return questions > 0 ? EXIT_CODES.human : 0;
}

/** The answer for people. */
export function renderStatus(view: StatusView, style: Style): string {
  const { counts, total } = view;
  const percent = total === 0 ? 0 : Math.floor((100 * counts.landed) / total);
  const others = STATUS_ORDER.slice(0, -1).map(
    status => [status, counts[status as keyof typeof counts]] as const,
  );
  const shown = others.filter(([, count]) => count > 0).map(([status, count]) => `${count} ${status}`);
  const lines = [
    getRow('Project', style.bold(view.project)),
    getRow('Tasks', [`${counts.landed}/${total} landed (${percent}%)`, ...shown].join(', ')),
    ...(view.unproven > 0
      ? [getRow('Unproven', style.bad(`${view.unproven} landed by a person's word alone`))]
      : []),
    ...getPauseTexts(view).map(text => getRow('Paused', style.warn(`PAUSE active, ${text}`))),
    ...(view.frozen ? [getRow('Frozen', style.warn(getFrozenText(view.frozen)))] : []),
    ...(view.signals.includes('stop')
      ? [getRow('Stopping', style.warn('STOP active, by signals/stop'))]
      : []),
    ...(view.questions.length > 0 ? [getRow('Questions', style.warn(getQuestionText(view.questions)))] : []),
    ...getActiveTexts(view.active, style).map(text => getRow('Active', text)),
    getRow(
      'Next',
      view.next
        ? `task ${view.next.id}: ${view.next.title} (${getNextNote(view.next)})`
        : `nothing: ${view.whyNext}`,
    ),
    getRow('Sessions', String(view.sessions)),
    getRow('Last session', getSessionText(view)),
    getRow('Stuck count', view.stuckCount > 0 ? style.warn(String(view.stuckCount)) : '0'),
    getRow('Costs', getCostText(view)),
    ...view.waiting.map(one => getRow('Waiting', style.warn(getWaitingText(one)))),
    getRow('Baseline', view.baseline ? getTestsText(view.baseline) : 'not measured yet'),
    ...(view.health ? [getRow('Health', `${getHealthText(view.health)} (harness health)`)] : []),
    ...(view.quarantined > 0 ? [getRow('Quarantine', style.warn(getQuarantineText(view.quarantined)))] : []),
  ];
  if (view.tasks.length > 0) lines.push('', ...view.tasks.map(task => getTaskText(task, style)));
  if (view.more > 0) lines.push(style.dim(`  … and ${view.more} more: harness status --all`));
  if (view.log.length > 0) lines.push('', ...view.log.map(line => style.dim(`  ${line}`)));
  lines.push('');
  for (const hint of view.hints) lines.push(style.warn(`note: ${hint}`));
  lines.push(style.dim(`next: ${getNextStep(view)}`));
  return lines.join('\n');
}

const UNPROVABLE = 'nothing can prove it yet: give it a test_file or a validation';

function getFrozenText({ reason }: NonNullable<StatusView['frozen']>): string {
  return `FROZEN active${reason === '' ? '' : `: ${getShort(reason)}`}, no run begins`;
}

/** The score in words. */
export function getHealthText({ status, score }: Pick<HealthScore, 'status' | 'score'>): string {
  return score === null ? 'unknown, nothing has been measured yet' : `${status}, ${score} of 100`;
}

function getPauseTexts({ control, signals }: StatusView): readonly string[] {
  const file = signals.includes('pause') ? ['by the file signals/pause'] : [];
  if (control?.mode !== 'paused') return file;
  const { by, reason } = control;
  return [`by ${by}${reason ? `: ${reason}` : ''}`, ...file];
}

function getQuestionText(questions: StatusView['questions']): string {
  const [first] = questions;
  const isAll = questions.length < MAX_LISTED_QUESTIONS;
  const count = isAll ? questions.length : `${MAX_LISTED_QUESTIONS} or more`;
  return `${count} (harness inbox): ${getShort(first?.what ?? '')}`;
}

function getSessionText({ lastSession, sessions }: StatusView): string {
  if (!lastSession) return sessions > 0 ? 'none has ended yet' : 'none yet';
  const { session, task, outcome, costUsd, endedAtMs } = lastSession;
  return `${session} on task ${task}: ${outcome}, $${costUsd.toFixed(2)}, ${getUtcMinute(endedAtMs)} UTC`;
}

function getCostText({ costUsd, budgetUsd, forecast }: StatusView): string {
  const spent = `$${costUsd.toFixed(2)}${budgetUsd === null ? '' : ` of $${budgetUsd.toFixed(2)}`}`;
  const parts = [
    ...(forecast?.tasksLeft ? [`enough for about ${getCount(forecast.tasksLeft, 'task')}`] : []),
    ...(forecast?.etaMs ? [`the rest takes about ${getDuration(forecast.etaMs)} at this pace`] : []),
  ];
  return [spent, ...parts].join(', ');
}

function getDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'a minute';
  return minutes < 120 ? getCount(minutes, 'minute') : `${Math.round(minutes / 60)} hours`;
}

function getWaitingText({ provider, kind, untilMs }: StatusView['waiting'][number]): string {
  const until = untilMs === null ? '' : ` until ${getUtcMinute(untilMs)} UTC`;
  return `for ${provider}: ${kind}${until}`;
}

/** How the suite stood at the last look. */
export function getTestsText(tests: NonNullable<HealthInput['tests']>): string {
  return `${tests.passing} pass, ${tests.failing} fail${getAge(tests)}`;
}

/** When figures were taken, in brackets; nothing where an older harness did not say. */
export function getAge({ session, atMs }: Measured<object>): string {
  if (session === undefined || atMs === undefined) return '';
  return ` (session ${session}, ${getUtcMinute(atMs)} UTC)`;
}

function getQuarantineText(count: number): string {
  return `${count} flaky ${count === 1 ? 'test neither blocks nor proves' : 'tests neither block nor prove'} (.harness/quarantine.json)`;
}

function getTaskText(task: ListedTask, style: Style): string {
  const paint = { landed: style.good, failed: style.bad, blocked: style.bad, retry: style.warn }[task.status];
  const status = `[${task.status}]`;
  // The one that landed counts as well.
  const tried = task.attempts + (task.status === 'landed' && task.commit !== null ? 1 : 0);
  const tries = ` (${tried}/${task.maxAttempts})`;
  const mark = getMark(task);
  if (mark !== null) {
    const note = task.ownRed || (task.unproven && !task.isSatisfied) ? style.bad(mark) : style.warn(mark);
    return `  ${style.warn(status)}${' '.repeat(9 - status.length)} ${task.id}: ${task.title} — ${note}`;
  }
  const why = task.lastReason ? ` — ${getShort(task.lastReason)}` : `${getWait(task)}${getProofNote(task)}`;
  const again = task.reopened ? style.bad(' — OPEN AGAIN') : '';
  return `  ${(paint ?? style.bold)(status)}${' '.repeat(9 - status.length)} ${task.id}: ${task.title}${tries}${again}${style.dim(why)}`;
}

/** What stands for a proof where there is none; a test that fails says more than whoever vouched. */
function getMark({ unproven, isSatisfied, isMarked, ownRed }: ListedTask): string | null {
  if (isSatisfied && unproven) return `proven by its own tests alone, as accepted by ${getShort(unproven)}`;
  const red = ownRed === undefined ? '' : `, and its own ${getShort(ownRed)} FAILS`;
  if (unproven) return `UNPROVEN by the word of ${getShort(unproven)}${red}`;
  return isMarked ? `UNPROVEN: marked as done in the backlog${red}` : null;
}

function getWait(task: ListedTask): string {
  if ((task.status !== 'pending' && !task.blocked) || task.isReady) return '';
  const after = task.dependsOn.join(', ');
  return task.blocked ? ` — waits for ${after}, where a person is needed` : ` — after ${after}`;
}

function getProofNote({ isUnprovable, decided, status }: ListedTask): string {
  return isUnprovable && !decided && status === 'pending' ? ' — nothing can prove it yet' : '';
}

function getThawStep({ path }: NonNullable<StatusView['frozen']>): string {
  return `rm ${getShellQuoted(path)}, then harness run --all`;
}

function getNextStep(view: StatusView): string {
  if (view.frozen) return getThawStep(view.frozen);
  if (getPauseTexts(view).length > 0)
    return view.control?.reason === 'handoff' ? 'harness takeback' : 'harness resume';
  if (view.next) return 'harness run --all';
  if (view.questions.length > 0) return 'harness inbox';
  if (view.total === 0) return 'harness add "what should be built" --test-file <path>';
  if (view.counts.landed === view.total) return 'harness add "what comes next" --test-file <path>';
  const stopped = view.tasks.find(({ status }) => status === 'failed' || status === 'blocked');
  return stopped ? `harness log --task ${getShellQuoted(stopped.id)}` : 'harness log';
}
