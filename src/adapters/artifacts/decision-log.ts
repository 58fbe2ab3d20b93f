import type { HarnessEvent, StoredEvent } from '../../core/event.ts';
import { getEventLevel } from '../../core/event-level.ts';
import type { State } from '../../core/state.ts';
import type { Heard } from '../../ports.ts';
import { getFeatureId, getSession } from './format.ts';
import type { LogLine } from './log-file.ts';

/** Lines of `decisions.jsonl`: why things went the way they did, and nothing else. */
export function getDecisionLines(state: State, { seq, atMs, event }: StoredEvent): LogLine[] {
  const decision = getDecision(event);
  if (!decision) return [];
  const head = { seq, ts: new Date(atMs).toISOString(), level: getEventLevel(event) };
  const feature = 'task' in event && event.task != null ? { feature: getFeatureId(event.task) } : {};
  return [
    { seq, text: JSON.stringify({ ...head, ...decision, session: getSession(state, event), ...feature }) },
  ];
}

/** The agent's own decisions, which count as critical: they are what a later session must know. */
export function getAgentDecisionLines(session: number, heard: readonly Heard[], seq: number): LogLine[] {
  return heard.flatMap(({ atMs, event }) => {
    if (event.type !== 'decision') return [];
    const head = { seq, ts: new Date(atMs).toISOString(), level: 'critical' };
    return [{ seq, text: JSON.stringify({ ...head, type: 'decision', text: event.text, session }) }];
  });
}

function getDecision(event: HarnessEvent): object | null {
  switch (event.type) {
    case 'verdict.given': {
      const { word, decidedBy, reason, findings } = event.verdict;
      const checks = event.checks.map(({ check, status, summary }) => ({ check, status, summary }));
      const proof = event.proof.path;
      return { type: 'verdict', verdict: word, decided_by: decidedBy, reason, findings, checks, proof };
    }
    case 'attempt.ended':
      return {
        type: 'attempt_ended',
        outcome: event.outcome,
        category: event.category,
        reason: event.reason,
      };
    case 'attempt.taken-over':
      return { type: 'taken_over', reason: event.reason };
    case 'task.reopened':
      return { type: 'reopened', reason: event.reason, tests: event.tests };
    case 'task.blocked':
      return { type: 'blocked', reason: event.reason };
    case 'test.quarantined':
      return { type: 'test_quarantined', test: event.id, evidence: event.evidence };
    case 'task.reset':
      return { type: 'reset', reason: event.reason };
    case 'question.asked':
      return { type: 'question', id: event.id, kind: event.kind, what: event.what, why: event.why };
    case 'question.answered':
      return { type: 'answer', id: event.id, option: event.option, text: event.text, by: event.by };
    case 'budget.raised':
      return { type: 'budget_raised', to_usd: event.toUsd, by: event.by };
    case 'human.answered':
      return { type: 'human_answer', passed: event.passed, by: event.by, note: event.note, tree: event.tree };
    case 'task.overridden':
      return { type: 'override', unproven: true, by: event.by, reason: event.reason };
    case 'note.added':
      return event.level === 'critical' ? { type: 'note', text: event.text } : null;
    default:
      return null;
  }
}
