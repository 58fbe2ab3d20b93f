import type { HarnessEvent, StoredEvent } from '../../core/model/event.ts';
import type { State } from '../../core/state/state.ts';
import { isBlockedByDependency } from '../../core/state/task-state.ts';
import { getIsoSeconds, getSession } from './format.ts';
import type { LogLine } from './log-file.ts';

/**
 * Lines of `harness-progress.txt`, made for grep: `[time] [SESSION-N] TYPE [task] [CATEGORY] message`.
 * The number at the end is that of the event in the store, by which nothing is written twice.
 */
export function getProgressLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  const head = `[${getIsoSeconds(atMs)}] [SESSION-${getSession(state, event)}]`;
  return getMessages(state, event).map(message => ({ seq, text: `${head} ${getOneLine(message)} #${seq}` }));
}

/** The event a line is about. */
export function getProgressLineSeq(line: string): number | null {
  const found = /^\[.* #(\d+)$/.exec(line);
  return found ? Number(found[1]) : null;
}

function getMessages(state: State, event: HarnessEvent): string[] {
  switch (event.type) {
    case 'backlog.synced':
      return [
        `INIT Backlog of ${event.project}: ${event.upserted.length} tasks read, ${event.removed.length} removed (commit ${getShort(event.commit)})`,
      ];
    case 'worker.started':
      return [`LOCK acquired (pid=${event.worker.pid} host=${event.worker.host} worker=${event.worker.id})`];
    case 'worker.stopped':
      return [`LOCK released (worker=${event.workerId} reason="${event.reason}")`, getStats(state)];
    case 'preflight.passed':
      return ['INIT Environment health check: PASS'];
    case 'note.added': {
      const task = event.task === undefined ? '' : `[${event.task}] `;
      return event.level === 'critical' || event.level === 'important' ? [`WARN ${task}${event.text}`] : [];
    }
    case 'provider.failed':
      return [`WARN provider ${event.provider}: ${event.kind} (${event.response}) ${event.message}`];
    case 'task.reset':
      return [`RECOVERY [${event.task}] action="reset" reason="${event.reason}"`];
    case 'human.answered':
      return [
        `CHECKPOINT [${event.task}] ${event.by} says ${event.passed ? 'yes' : 'no'}${event.note ? `: ${event.note}` : ''}`,
      ];
    case 'task.overridden':
      return [`WARN [${event.task}] UNPROVEN: overridden by ${event.by}: ${event.reason}`];
    case 'question.asked':
      return [`WARN [${event.task ?? 'project'}] ESCALATION ${event.kind}: ${event.what}`];
    case 'question.answered':
      return [`CHECKPOINT ${event.by} answered ${event.id}: ${event.option ?? ''} ${event.text}`.trim()];
    case 'work.handed-in':
      return [`CHECKPOINT [${event.task}] handed in by ${event.by} (commit ${event.candidate.commit})`];
    case 'budget.raised':
      return [
        `CHECKPOINT ${event.by} raised the budget of ${event.task ?? 'the project'} to $${event.toUsd}`,
      ];
    case 'control.changed':
      return [`CHECKPOINT ${event.by}: ${event.mode}${event.reason ? ` (${event.reason})` : ''}`];
    case 'task.reopened':
      return [`WARN [${event.task}] reopened: ${event.reason}`];
    case 'task.added':
      return [`INIT [${event.def.id}] ${event.def.title}`];
    case 'cleanup.requested':
      return [`CHECKPOINT ${event.by} asks for a clean-up${event.reason ? `: ${event.reason}` : ''}`];
    case 'project.checked':
      return [`STATS all that has landed: ${event.passing} tests pass, ${event.failing} fail`];
    case 'task.blocked':
      return [`WARN [${event.task}] blocked: ${event.reason}`];
    case 'test.quarantined':
      return [`WARN flaky test in quarantine: ${event.id}`];
    case 'planner.ended':
      return [
        event.problems.length === 0
          ? `INIT Plan: ${event.tasks} tasks proposed (answer ${event.round})`
          : `WARN plan sent back (answer ${event.round}): ${event.problems.join('; ')}`,
      ];
    case 'drop.taken':
      return [`CHECKPOINT ${event.task === null ? '' : `[${event.task}] `}${event.name}: ${event.how}`];
    case 'baseline.measured':
    case 'planner.spent':
    case 'checkpoints.pruned':
      return [];
    default:
      return getAttemptMessages(state, event);
  }
}

type AttemptEvent = Exclude<Extract<HarnessEvent, { attempt: number }>, { type: 'human.answered' }>;

function getAttemptMessages(state: State, event: AttemptEvent): string[] {
  const task = `[${event.task}]`;
  switch (event.type) {
    case 'attempt.started': {
      const title = state.tasks.get(event.task)?.def.title ?? '';
      return [`Starting ${task} ${title} (base=${getShort(event.base)} attempt=${event.attempt})`];
    }
    case 'attempt.taken-over':
      return [`RECOVERY ${task} action="taken over by ${event.worker}" reason="${event.reason}"`];
    case 'attempt.prepared':
      return [`CHECKPOINT ${task} ${event.checkpoint.reason} (commit ${getShort(event.checkpoint.commit)})`];
    case 'preflight.failed':
      return [`ERROR ${task} [${event.category}] ${event.reason}`];
    case 'candidate.taken':
      return [
        `CHECKPOINT ${task} ${Object.keys(event.lines).length} files changed (commit ${getShort(event.commit)})`,
      ];
    case 'verdict.given':
      return event.verdict.word === 'proven' ? [`CHECKPOINT ${task} proven: ${event.verdict.reason}`] : [];
    case 'attempt.sent-back':
      return [`WARN ${task} sent back to the agent (round ${event.round}): ${event.reason}`];
    case 'task.landed':
      return [`Completed ${task} (commit ${getShort(event.commit)})`];
    case 'attempt.ended':
      return getEndingMessages(state, event);
    default:
      return [];
  }
}

type AttemptEnded = Extract<HarnessEvent, { type: 'attempt.ended' }>;

function getEndingMessages(state: State, event: AttemptEnded): string[] {
  const task = `[${event.task}]`;
  const category = event.category ? ` [${event.category}]` : '';
  const kept = event.wip ? ` (work kept as ${getShort(event.wip)})` : '';
  if (event.outcome === 'partial') return [`WARN ${task}${category} ${event.reason}${kept}`];
  const past = state.tasks.get(event.task)?.history.findLast(a => a.number === event.attempt);
  const commit = past?.checkpoint ? getShort(past.checkpoint.commit) : 'base';
  return [`ERROR ${task}${category} ${event.reason}`, `ROLLBACK ${task} to ${commit}${kept}`];
}

function getStats({ tasks, counts, checkpoints }: State): string {
  let attempts = 0;
  let waiting = 0;
  for (const task of tasks.values()) {
    attempts += task.started;
    if (isBlockedByDependency(task)) waiting++;
  }
  const pending = counts.pending + counts.retry + counts.active - waiting;
  const numbers = {
    tasks_total: tasks.size - counts.removed,
    completed: counts.landed,
    failed: counts.failed,
    pending,
    blocked: counts.blocked + waiting,
    attempts_total: attempts,
    checkpoints: checkpoints.length,
  };
  const pairs = Object.entries(numbers).map(([name, value]) => `${name}=${value}`);
  return `STATS ${pairs.join(' ')}`;
}

function getShort(commit: string): string {
  return commit.slice(0, 7);
}

function getOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the line
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trimEnd();
}
