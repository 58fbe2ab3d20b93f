import type { StoredEvent } from '../../core/event.ts';
import { getEventLevel } from '../../core/event-level.ts';
import type { State } from '../../core/state.ts';
import { getSession } from './format.ts';
import type { LogLine } from './log-file.ts';

/** A line of `events.jsonl`: the whole event, so that the log alone could tell the story again. */
export function getEventLine(state: State, { seq, atMs, stream, version, event }: StoredEvent): LogLine {
  const head = { seq, ts: new Date(atMs).toISOString(), level: getEventLevel(event) };
  const line = { ...head, session: getSession(state, event), ...event, store: { stream, version } };
  return { seq, text: JSON.stringify(line) };
}

/** The number a JSON line begins with. */
export function getJsonLineSeq(line: string): number | null {
  const found = /^\{"seq":(\d+)[,}]/.exec(line);
  return found ? Number(found[1]) : null;
}
