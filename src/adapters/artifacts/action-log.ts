import type { StoredEvent } from '../../core/event.ts';
import type { State } from '../../core/state.ts';
import type { Heard } from '../../ports.ts';
import { getFeatureId, getSession } from './format.ts';
import type { LogLine } from './log-file.ts';

/** Lines of `agent_actions.jsonl` that the harness adds itself: what became of the agent's claim. */
export function getVerifyLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  if (event.type !== 'verdict.given') return [];
  const type = event.verdict.word === 'proven' ? 'verify_pass' : 'verify_fail';
  const record = { type, feature: getFeatureId(event.task), session: getSession(state, event) };
  return [getLine(seq, atMs, record)];
}

/** What an agent did in a session, in seed C's record types. */
export function getActionLines(session: number, heard: readonly Heard[], seq: number): LogLine[] {
  return heard.flatMap(({ atMs, event }) =>
    getRecords(event).map(record => getLine(seq, atMs, { ...record, session })),
  );
}

function getLine(seq: number, atMs: number, record: object): LogLine {
  return { seq, text: JSON.stringify({ seq, ts: new Date(atMs).toISOString(), ...record }) };
}

function getRecords(event: Heard['event']): object[] {
  switch (event.type) {
    case 'file':
      return [{ type: `file_${event.action}`, path: event.path }];
    case 'command':
      return [
        { type: 'cmd_run', cmd: event.command },
        { type: 'cmd_exit', code: event.exitCode },
      ];
    case 'decision':
      return [{ type: 'decision', text: event.text }];
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
