import type { StoredEvent } from '../../core/events/event.ts';
import { type EventColumns, getSum } from './schema.ts';
import { getDamageError } from './store-files.ts';

/** Every column that an event is made of again. */
export const SELECT_EVENTS = 'SELECT seq, stream, version, at_ms AS atMs, type, task, body, sum FROM events';

export interface EventRow extends EventColumns {
  readonly seq: number;
  readonly sum: number | null;
}

/** The event of a row; one that is not what was written is no fact. */
export function toStoredEvent(row: EventRow, path: string): StoredEvent {
  const { seq, stream, version, atMs, body, sum } = row;
  if (sum !== getSum(row)) throw getDamageError(path, `is damaged (event ${seq} is not what was written)`);
  return { seq, stream, version, atMs, event: JSON.parse(body) };
}
