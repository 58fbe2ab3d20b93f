import type { HarnessEvent, StoredEvent } from '../model/event.ts';
import type { EventLevel } from '../model/facts.ts';
import type { LogRules } from '../model/policy.ts';

/** Most important first. */
export const LEVELS: readonly EventLevel[] = ['critical', 'important', 'routine', 'debug'];

const ROUTINE_DAYS = 30;
const DEBUG_DAYS = 7;

export function isAtLeast(level: EventLevel, least: EventLevel): boolean {
  return LEVELS.indexOf(level) <= LEVELS.indexOf(least);
}

/** Whether an event belongs into the log: always the same answer, so that catching up gives the same log. */
export function isLogged(stored: StoredEvent, rules: Pick<LogRules, 'level' | 'sampling'>): boolean {
  const level = getEventLevel(stored.event);
  if (isAtLeast(level, rules.level)) return true;
  return level === 'routine' && getShare(getSampleKey(stored)) < rules.sampling;
}

/** Days that a line is kept; what was decided is kept for good. */
export function getKeepDays(level: EventLevel, { retentionDays }: Pick<LogRules, 'retentionDays'>): number {
  if (level === 'critical') return Number.POSITIVE_INFINITY;
  if (level === 'important') return retentionDays;
  return Math.min(retentionDays, level === 'routine' ? ROUTINE_DAYS : DEBUG_DAYS);
}

/** An attempt is sampled whole: half a story helps nobody. */
function getSampleKey({ seq, event }: StoredEvent): string {
  if ('attempt' in event) return `${event.task} ${event.attempt}`;
  if (event.type === 'worker.started') return event.worker.id;
  return event.type === 'worker.stopped' ? event.workerId : String(seq);
}

/** A text as a number from 0 to 1, evenly spread (FNV-1a). */
function getShare(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
}

/** The level of an event: a pure property of what it says. */
export function getEventLevel(event: HarnessEvent): EventLevel {
  switch (event.type) {
    case 'task.overridden':
      return 'critical';
    case 'verdict.given':
      return event.verdict.word === 'proven' ? 'important' : 'critical';
    case 'task.landed':
    case 'attempt.ended':
    case 'attempt.taken-over':
    case 'attempt.sent-back':
    case 'test.authored':
    case 'preflight.failed':
    case 'provider.failed':
    case 'session.ended':
    case 'planner.ended':
    case 'backlog.synced':
    case 'task.reset':
    case 'question.asked':
    case 'question.answered':
    case 'budget.raised':
    case 'work.handed-in':
    case 'task.reopened':
    case 'task.added':
    case 'cleanup.requested':
    case 'project.checked':
    case 'task.blocked':
    case 'control.changed':
    case 'test.quarantined':
    case 'human.answered':
    case 'drop.taken':
      return 'important';
    case 'note.added':
      return event.level;
    case 'baseline.measured':
    case 'session.spent':
    case 'planner.spent':
    case 'checkpoints.pruned':
      return 'debug';
    case 'worker.started':
    case 'worker.stopped':
    case 'attempt.started':
    case 'attempt.prepared':
    case 'preflight.passed':
    case 'session.started':
    case 'candidate.taken':
    case 'candidate.rebased':
    case 'landing.started':
    case 'test.judged':
      return 'routine';
  }
}
