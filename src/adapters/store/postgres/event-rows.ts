import { HarnessError } from '../../../core/base/failure.ts';
import { isApart } from '../../../core/events/apart.ts';
import type { HarnessEvent, StoredEvent } from '../../../core/events/event.ts';
import type { AppendRequest } from '../../../ports/index.ts';
import { getSum } from '../schema.ts';
import { fromText, toText } from './texts.ts';

/** An event as it is sent to be appended; seq and version are given to it there. */
export interface NewRow {
  readonly type: string;
  readonly task: string | null;
  /** Decided by whoever writes the event: the database knows no kinds of events. */
  readonly apart: 0 | 1 | 2;
  readonly body: string;
  readonly sum: number;
}

/** An event as it comes back. */
export type EventRow = readonly [
  seq: number,
  stream: string,
  version: number,
  atMs: number,
  type: string,
  task: string | null,
  body: string,
  sum: number,
];

/** Every column that an event is made of again, in the order of `EventRow`. */
export const EVENT_COLUMNS = 'seq, stream, version, at_ms, type, task, body, sum';

export function toRow(event: HarnessEvent, { stream, atMs }: Pick<AppendRequest, 'stream' | 'atMs'>): NewRow {
  const task = 'task' in event && event.task !== undefined ? event.task : null;
  const { type } = event;
  const body = JSON.stringify(event);
  return {
    ...{ type: toText(type), task: task === null ? null : toText(task), apart: getApart(event, task), body },
    sum: getRowSum({ stream, atMs, type, task, body }),
  };
}

/** The event of a row; one that is not what was written is no fact. */
export function toStoredEvent(row: EventRow, where: string): StoredEvent {
  const [seq, stream, version, atMs, type, task, body, sum] = row;
  const columns = {
    atMs,
    body,
    stream: fromText(stream),
    type: fromText(type),
    task: task === null ? null : fromText(task),
  };
  if (sum !== getRowSum(columns)) {
    throw new HarnessError('state', `event ${seq} in ${where} is not what was written`, {
      file: where,
      fix: 'restore the database from its backup; tasks that have landed are known from the committed backlog',
    });
  }
  return { seq, stream: columns.stream, version, atMs, event: JSON.parse(body) };
}

/** Over all but the version, which is not known before the event is written. */
function getRowSum(columns: Omit<Parameters<typeof getSum>[0], 'version'>): number {
  return getSum({ ...columns, version: 0 });
}

/** Who may be written after it without having known of it: nobody, facts about other tasks, all facts. */
function getApart(event: HarnessEvent, task: string | null): NewRow['apart'] {
  if (!isApart(event, new Set())) return 0;
  return task === null || isApart(event, new Set([task])) ? 2 : 1;
}
