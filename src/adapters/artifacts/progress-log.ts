import { getEventKind, type StoredEvent } from '../../core/events/event.ts';
import type { State } from '../../core/state/state.ts';
import { getIsoSeconds, getSession } from './format.ts';
import type { LogLine } from './log-file.ts';

/**
 * Lines of `harness-progress.txt`, made for grep: `[time] [SESSION-N] TYPE [task] [CATEGORY] message`.
 * The number at the end is that of the event in the store, by which nothing is written twice.
 */
export function getProgressLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  const head = `[${getIsoSeconds(atMs)}] [SESSION-${getSession(state, event)}]`;
  const messages = getEventKind(event).progress?.(event, state) ?? [];
  return messages.map(message => ({ seq, text: `${head} ${getOneLine(message)} #${seq}` }));
}

/** The event a line is about. */
export function getProgressLineSeq(line: string): number | null {
  const found = /^\[.* #(\d+)$/.exec(line);
  return found ? Number(found[1]) : null;
}

function getOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not reach the line
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trimEnd();
}
