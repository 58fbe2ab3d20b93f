import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getEventKind, getEventLevel, type StoredEvent } from '../../core/events/event.ts';
import { isLogged } from '../../core/events/log-rules.ts';
import type { LogRules } from '../../core/model/policy.ts';
import type { State } from '../../core/state/state.ts';
import type { TranscriptEntry } from '../../ports/index.ts';
import { getFeatureId, getIsoSeconds, getSession } from './format.ts';
import { type LogLine, openLogFile, readArchives } from './log-file.ts';

/** The four append-only logs, kept at the same event. */
export interface Logs {
  /** The newest event that is in every log that wants it. */
  cursor(): number;
  /** Whether any of these events has yet to be written to a log. */
  isBehind(events: readonly StoredEvent[]): boolean;
  append(state: State, events: readonly StoredEvent[]): void;
  /** What an agent did in a session, as it comes. */
  appendActions(session: number, entries: readonly TranscriptEntry[]): void;
}

const PROGRESS_LOG = 'harness-progress.txt';

/** Under `logs/`, those whose old lines go one day; the log of all events comes last. */
export const PRUNED_LOGS = ['decisions.jsonl', 'agent_actions.jsonl', 'events.jsonl'];

export function openLogs(stateDir: string, rules: LogRules): Logs {
  const open = (name: string, getSeq: (line: string) => number | null, maxBytes = rules.maxFileBytes) =>
    openLogFile(join(stateDir, 'logs', name), getSeq, maxBytes);
  const events = open('events.jsonl', getJsonLineSeq);
  const decisions = open('decisions.jsonl', getJsonLineSeq);
  const actions = open('agent_actions.jsonl', getJsonLineSeq);
  // The story of the project is one file from its first line on.
  const progress = open(PROGRESS_LOG, getProgressLineSeq, Number.POSITIVE_INFINITY);
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
    appendActions(session, entries) {
      const seq = events.cursor();
      decisions.appendBeside(getAgentDecisionLines(session, entries, seq));
      actions.appendBeside(getActionLines(session, entries, seq));
    },
  };
}

/** The first line of the log for people, where there is no log yet: it stands before every event. */
export function beginLog(stateDir: string, project: string, atMs: number): void {
  const path = join(stateDir, 'logs', PROGRESS_LOG);
  if (existsSync(path) || readArchives(path).length > 0) return;
  const text = `[${getIsoSeconds(atMs)}] [SESSION-0] INIT Harness initialized for project ${getOneLine(project)} #0`;
  openLogFile(path, getProgressLineSeq).appendBeside([{ seq: 0, text }]);
}

/** A line of `events.jsonl`: the whole event, so that the log alone could tell the story again. */
function getEventLine(state: State, { seq, atMs, stream, version, event }: StoredEvent): LogLine {
  const head = { seq, ts: new Date(atMs).toISOString(), level: getEventLevel(event) };
  const line = { ...head, session: getSession(state, event), ...event, store: { stream, version } };
  return { seq, text: JSON.stringify(line) };
}

/** The number a JSON line begins with. */
function getJsonLineSeq(line: string): number | null {
  const found = /^\{"seq":(\d+)[,}]/.exec(line);
  return found ? Number(found[1]) : null;
}

/** Lines of `agent_actions.jsonl` that the harness adds itself: what became of the agent's claim. */
function getVerifyLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  if (event.type !== 'verdict.given') return [];
  const type = event.verdict.word === 'proven' ? 'verify_pass' : 'verify_fail';
  const record = { type, feature: getFeatureId(event.task), session: getSession(state, event) };
  return [getLine(seq, atMs, record)];
}

/** What an agent did in a session, in the record types of its log. */
function getActionLines(session: number, entries: readonly TranscriptEntry[], seq: number): LogLine[] {
  return entries.flatMap(({ atMs, event }) =>
    getRecords(event).map(record => getLine(seq, atMs, { ...record, session })),
  );
}

function getLine(seq: number, atMs: number, record: object): LogLine {
  return { seq, text: JSON.stringify({ seq, ts: new Date(atMs).toISOString(), ...record }) };
}

function getRecords(event: TranscriptEntry['event']): object[] {
  switch (event.type) {
    case 'file':
      return [{ type: `file_${event.action}`, path: event.path, ...getOrigin(event) }];
    case 'command':
      return event.inferred
        ? [{ type: 'cmd_run', cmd: event.command, ...getOrigin(event) }]
        : [
            { type: 'cmd_run', cmd: event.command },
            { type: 'cmd_exit', code: event.exitCode },
          ];
    case 'decision':
      return [{ type: 'decision', text: event.text }];
    case 'checkpoint':
      return [{ type: 'checkpoint', step: event.step, total: event.total, description: event.description }];
    case 'verify':
      return [{ type: 'verify_claim', what: event.what, text: event.text }];
    case 'visual':
      return [{ type: `visual_${event.what}`, text: event.text }];
    case 'error':
      return [{ type: 'error', kind: event.kind, message: event.message }];
    case 'advice':
      return [{ type: 'advice', rule: event.rule, message: event.message, cmd: event.command }];
    case 'text':
    case 'usage':
    case 'prompt':
    case 'steer':
      return [];
  }
}

/** Whether the agent said so, or it was only seen. */
function getOrigin({ inferred }: { readonly inferred?: true }): object {
  return inferred ? { inferred } : {};
}

/** Lines of `decisions.jsonl`: why things went the way they did, and nothing else. */
function getDecisionLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  const decision = getEventKind(event).decision?.(event);
  if (!decision) return [];
  const head = { seq, ts: new Date(atMs).toISOString(), level: getEventLevel(event) };
  const feature = 'task' in event && event.task != null ? { feature: getFeatureId(event.task) } : {};
  return [
    { seq, text: JSON.stringify({ ...head, ...decision, session: getSession(state, event), ...feature }) },
  ];
}

/** The agent's own decisions, which count as critical: they are what a later session must know. */
function getAgentDecisionLines(session: number, entries: readonly TranscriptEntry[], seq: number): LogLine[] {
  return entries.flatMap(({ atMs, event }) => {
    if (event.type !== 'decision') return [];
    const head = { seq, ts: new Date(atMs).toISOString(), level: 'critical' };
    return [{ seq, text: JSON.stringify({ ...head, type: 'decision', text: event.text, session }) }];
  });
}

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
