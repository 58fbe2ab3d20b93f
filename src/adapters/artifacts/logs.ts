import { join } from 'node:path';
import type { StoredEvent } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import type { Heard } from '../../ports.ts';
import { getActionLines, getVerifyLines } from './action-log.ts';
import { getAgentDecisionLines, getDecisionLines } from './decision-log.ts';
import { getEventLine, getJsonLineSeq } from './event-log.ts';
import { openLogFile } from './log-file.ts';
import { getProgressLineSeq, getProgressLines } from './progress-log.ts';

/** The four append-only logs, kept at the same event. */
export interface Logs {
  /** The newest event that is in every log that wants it. */
  cursor(): number;
  append(state: State, events: readonly StoredEvent[]): void;
  /** What an agent did in a session, as it comes. */
  appendActions(session: number, heard: readonly Heard[]): void;
}

export function openLogs(stateDir: string): Logs {
  const open = (name: string, getSeq: (line: string) => number | null) =>
    openLogFile(join(stateDir, 'logs', name), getSeq);
  const events = open('events.jsonl', getJsonLineSeq);
  const decisions = open('decisions.jsonl', getJsonLineSeq);
  const actions = open('agent_actions.jsonl', getJsonLineSeq);
  const progress = open('harness-progress.txt', getProgressLineSeq);
  return {
    cursor: () => events.cursor(),
    append(state, stored) {
      // The log of all events comes last: what it has, the others have too, wherever a kill falls.
      progress.append(stored.flatMap(one => getProgressLines(state, one)));
      decisions.append(stored.flatMap(one => getDecisionLines(state, one)));
      actions.append(stored.flatMap(one => getVerifyLines(state, one)));
      events.append(stored.map(one => getEventLine(state, one)));
    },
    appendActions(session, heard) {
      const seq = events.cursor();
      decisions.appendBeside(getAgentDecisionLines(session, heard, seq));
      actions.appendBeside(getActionLines(session, heard, seq));
    },
  };
}
