import { join } from 'node:path';
import type { StoredEvent } from '../../core/event.ts';
import { isLogged, type LogRules } from '../../core/event-level.ts';
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
  /** Whether any of these events has yet to be written to a log. */
  isBehind(events: readonly StoredEvent[]): boolean;
  append(state: State, events: readonly StoredEvent[]): void;
  /** What an agent did in a session, as it comes. */
  appendActions(session: number, heard: readonly Heard[]): void;
}

/** Under `logs/`; the log of all events comes last. */
export const LOG_FILES = ['harness-progress.txt', 'decisions.jsonl', 'agent_actions.jsonl', 'events.jsonl'];

export function openLogs(stateDir: string, rules: LogRules): Logs {
  const open = (name: string, getSeq: (line: string) => number | null) =>
    openLogFile(join(stateDir, 'logs', name), getSeq, rules.maxFileBytes);
  const events = open('events.jsonl', getJsonLineSeq);
  const decisions = open('decisions.jsonl', getJsonLineSeq);
  const actions = open('agent_actions.jsonl', getJsonLineSeq);
  const progress = open('harness-progress.txt', getProgressLineSeq);
  return {
    cursor: () => events.cursor(),
    isBehind: stored => stored.some(one => isLogged(one, rules) || one.seq > progress.cursor()),
    append(state, stored) {
      // The log of all events comes last: what it has, the others have too, wherever a kill falls.
      const seq = stored.at(-1)?.seq ?? 0;
      const logged = stored.filter(one => isLogged(one, rules));
      progress.append(
        stored.flatMap(one => getProgressLines(state, one)),
        seq,
      );
      decisions.append(
        stored.flatMap(one => getDecisionLines(state, one)),
        seq,
      );
      actions.append(
        stored.flatMap(one => getVerifyLines(state, one)),
        seq,
      );
      events.append(
        logged.map(one => getEventLine(state, one)),
        seq,
      );
    },
    appendActions(session, heard) {
      const seq = events.cursor();
      decisions.appendBeside(getAgentDecisionLines(session, heard, seq));
      actions.appendBeside(getActionLines(session, heard, seq));
    },
  };
}
