import type { StoredEvent } from '../../core/model/event.ts';
import { getWarnings, getWarningText } from '../../core/model/warnings.ts';

/** One recorded fact as one line for people; null for facts that are only of use to the harness. */
export function getEventLine({ event }: StoredEvent): string | null {
  switch (event.type) {
    case 'backlog.synced':
      return event.upserted.length > 0
        ? `backlog: ${getCount(event.upserted.length, 'task')} new or changed`
        : null;
    case 'attempt.started':
      return `▶ task ${event.task}, attempt ${event.attempt} (session ${event.session}, base ${event.base.slice(0, 10)})`;
    case 'attempt.taken-over':
      return `  task ${event.task}: taken over (${event.reason})`;
    case 'preflight.failed':
      return `  task ${event.task}: preflight failed: ${event.reason}`;
    case 'session.ended':
      return `  task ${event.task}: agent ${event.outcome}${event.summary ? `: ${firstLine(event.summary)}` : ''}`;
    case 'verdict.given': {
      const { word, decidedBy, reason } = event.verdict;
      const warnings = word === 'proven' ? getWarnings(event.checks) : [];
      const warned = warnings.length > 0 ? `, ${getWarningText(warnings)}` : '';
      const lines = [`  task ${event.task}: ${word} (${decidedBy ?? 'all checks'}: ${reason})${warned}`];
      if (event.verdict.word !== 'proven')
        lines.push(...event.verdict.findings.slice(0, 3).map(finding => `      ${firstLine(finding)}`));
      return lines.join('\n');
    }
    case 'candidate.rebased':
      return `  task ${event.task}: the base moved, proving again on ${event.base.slice(0, 10)}`;
    case 'test.judged':
      return event.verdict.word === 'proven'
        ? null
        : `  task ${event.task}: its test was not accepted (${event.verdict.reason})`;
    case 'test.authored':
      return `  task ${event.task}: its test is written (${Object.keys(event.files).join(', ')})`;
    case 'attempt.sent-back':
      return `  task ${event.task}: sent back to the agent with ${getCount(event.findings.length, 'finding')} (round ${event.round})`;
    case 'task.landed':
      return `✔ task ${event.task} landed as ${event.commit.slice(0, 10)} on ${event.ref.replace('refs/heads/', '')}`;
    case 'attempt.ended':
      return `✘ task ${event.task}: ${event.outcome}: ${firstLine(event.reason)}`;
    case 'provider.failed':
      return `  provider ${event.provider}: ${event.kind}, ${event.response}${event.untilMs === null ? '' : ` until ${new Date(event.untilMs).toISOString()}`}: ${firstLine(event.message)}`;
    case 'test.quarantined':
      return `  flaky test, quarantined: ${event.id}`;
    case 'control.changed':
      return `${event.by}: ${CONTROL[event.mode]}${event.reason ? ` (${firstLine(event.reason)})` : ''}`;
    case 'task.reopened':
      return `! task ${event.task} is open again: ${firstLine(event.reason)}`;
    case 'task.added':
      return `+ ${event.def.id}: ${firstLine(event.def.title)}`;
    case 'cleanup.requested':
      return `  ${event.by} asks for a clean-up${event.reason ? ` (${firstLine(event.reason)})` : ''}`;
    case 'project.checked':
      return `all that has landed, at ${event.commit.slice(0, 10)}: ${event.passing} tests pass, ${event.failing} fail${event.broken.map(id => `\n  red since the last look: ${id}`).join('')}`;
    case 'task.blocked':
      return `■ task ${event.task} is set aside: ${event.reason}`;
    case 'task.reset':
      return `  task ${event.task}: reset (${event.reason})`;
    case 'question.asked':
      return `? ${event.what} (harness inbox)`;
    case 'question.answered':
      return `  ${event.by} answered ${event.id}: ${[event.option, firstLine(event.text)].filter(Boolean).join(', ')}`;
    case 'work.handed-in':
      return `  task ${event.task}: ${event.by} handed in ${event.candidate.commit.slice(0, 10)}`;
    case 'budget.raised':
      return `  ${event.by} raised what ${event.task === null ? 'the project' : `task ${event.task}`} may cost to $${event.toUsd}`;
    case 'human.answered':
      return `  task ${event.task}: ${event.by} says ${event.passed ? 'yes' : 'no'}${event.note ? `: ${firstLine(event.note)}` : ''}`;
    case 'task.overridden':
      return `! task ${event.task} is to count as done, unproven, by the word of ${event.by}: ${firstLine(event.reason)}`;
    case 'planner.ended':
      return event.problems.length === 0
        ? `planner: ${getCount(event.tasks, 'task')} proposed`
        : `planner: sent back with ${getCount(event.problems.length, 'finding')} (answer ${event.round})`;
    case 'drop.taken':
      return event.how === 'refused'
        ? `  ${event.name} cannot be told to anybody: ${event.text}`
        : `  ${event.name} is told to ${event.task === null ? 'the planner' : `whoever works on task ${event.task}`} (${event.how})`;
    case 'note.added':
      return `  note: ${event.text}`;
    case 'worker.started':
    case 'worker.stopped':
    case 'attempt.prepared':
    case 'preflight.passed':
    case 'baseline.measured':
    case 'session.started':
    case 'candidate.taken':
    case 'landing.started':
    case 'session.spent':
    case 'planner.spent':
    case 'checkpoints.pruned':
      return null;
  }
}

const CONTROL = {
  running: 'go on',
  paused: 'pause after the current operation',
  stopped: 'stop after the current attempt',
} as const;

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A count with its word, in the number it needs. */
export function getCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
