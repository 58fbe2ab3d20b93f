import { HarnessError } from '../../core/base/failure.ts';
import type { Dialect } from '../read/entry-fields.ts';

/** One phase of a graph of tasks, and how the ids of its tasks begin. */
export interface Phase {
  readonly name: string;
  readonly prefix: string;
}

const DEFAULT_PHASE = 'engineering';

/** The phase that a word means: its name, or what ids begin with. */
export function findPhase(
  phases: NonNullable<Dialect['phases']>,
  word = DEFAULT_PHASE,
  file = 'tasks.json',
): Phase {
  const wanted = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const isWanted = ([name, prefix]: readonly [string, string]) => name === wanted || prefix === `${wanted}-`;
  const found = Object.entries(phases).find(isWanted);
  if (found) return { name: found[0], prefix: found[1] };
  const fix = `write one of ${Object.keys(phases).join(', ')}`;
  throw new HarnessError('usage', `${file} has no phase "${word}"`, { file, field: '--phase', fix });
}

/** One more than the highest number of the phase; whatever has more words in front of its number is not counted. */
export function getNextInPhase(known: readonly unknown[], { prefix }: Phase): string {
  const numbers = known.map(id => {
    const rest = String(id).startsWith(prefix) ? String(id).slice(prefix.length) : '';
    return /^\d{1,15}$/.test(rest) ? Number(rest) : 0;
  });
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

/** The phase as the file spells it for such ids, or its name. */
export function getUsedPhase(entries: readonly unknown[], { name, prefix }: Phase): string {
  const phases = entries.map(entry => {
    const { id, phase } = Object(entry) as Record<string, unknown>;
    return String(id).startsWith(prefix) && typeof phase === 'string' ? phase : null;
  });
  return phases.findLast(phase => phase !== null) ?? name;
}
