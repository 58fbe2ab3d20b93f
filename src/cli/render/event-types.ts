import { HarnessError } from '../../core/base/failure.ts';
import { getNearest } from '../../core/base/nearest.ts';
import type { HarnessEvent } from '../../core/model/event.ts';

/** Every type of event; the compiler keeps it complete. */
const TYPES: Readonly<Record<HarnessEvent['type'], true>> = {
  'backlog.synced': true,
  'worker.started': true,
  'worker.stopped': true,
  'baseline.measured': true,
  'test.quarantined': true,
  'provider.failed': true,
  'planner.spent': true,
  'planner.ended': true,
  'control.changed': true,
  'task.added': true,
  'task.reopened': true,
  'cleanup.requested': true,
  'project.checked': true,
  'task.blocked': true,
  'task.reset': true,
  'question.asked': true,
  'question.answered': true,
  'budget.raised': true,
  'work.handed-in': true,
  'human.answered': true,
  'task.overridden': true,
  'note.added': true,
  'drop.taken': true,
  'checkpoints.pruned': true,
  'attempt.started': true,
  'attempt.taken-over': true,
  'attempt.prepared': true,
  'preflight.passed': true,
  'preflight.failed': true,
  'session.started': true,
  'session.spent': true,
  'session.ended': true,
  'candidate.taken': true,
  'candidate.rebased': true,
  'verdict.given': true,
  'attempt.sent-back': true,
  'test.judged': true,
  'test.authored': true,
  'landing.started': true,
  'task.landed': true,
  'attempt.ended': true,
};

/** The types that a filter means: whole names, or all that begin with a word, as `attempt`. */
export function getEventTypes(wanted: readonly string[]): readonly string[] {
  const known = Object.keys(TYPES);
  return wanted
    .flatMap(text => text.split(','))
    .flatMap(text => {
      const word = text.trim();
      const found = known.filter(type => type === word || type.startsWith(`${word}.`));
      if (found.length > 0) return found;
      const near = getNearest(word, [...known, ...known.map(type => type.split('.')[0] ?? '')]);
      throw new HarnessError('usage', `--type: there is no event "${word}"`, {
        field: '--type',
        fix: near ? `did you mean ${near}?` : `the types are ${known.join(', ')}`,
      });
    });
}
