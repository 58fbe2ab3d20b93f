import type { Dialect } from './entry-fields.ts';
import type { FieldReader } from './field-reader.ts';

/** The words by which a format says done and open; the first of each is what gets written. */
export interface Statuses {
  readonly done: readonly string[];
  readonly open: readonly string[];
}

/** A flag that is one word among several. */
export function getStatusFlag({ done, open }: Statuses): Dialect['flag'] {
  return {
    key: 'status',
    done: done[0],
    open: open[0],
    isDone: value => {
      if (value === undefined || value === null) return false;
      if (typeof value !== 'string' || ![...done, ...open].includes(value)) return null;
      return done.includes(value);
    },
  };
}

/** What an entry's status says; a word that the format does not know is reported. */
export function readStatus(fields: FieldReader, { done, open }: Statuses): boolean {
  const status = fields.getChoice('passes', [...open, ...done]);
  return status !== null && done.includes(status);
}
