import type { EventLevel } from '../model/facts.ts';
import type { LogRules } from '../model/policy.ts';
import { getEventLevel, type StoredEvent } from './event.ts';

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
