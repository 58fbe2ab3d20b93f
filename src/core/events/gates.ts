import { getPercent } from '../base/text.ts';
import type { GateAnswer, GateName } from '../model/facts.ts';
import { closeQuestions } from '../state/people.ts';
import type { EventTable } from './kind.ts';

/** What is asked of the project as a whole: whether it is what was asked for, and whether it can be released. */
export type GateEvent =
  | (GateAnswer & { readonly type: 'gate.judged' })
  /** A person lets the product be so far from what was asked for. */
  | { readonly type: 'drift.allowed'; readonly upTo: number; readonly by: string }
  /** What could be released is no longer what is there. */
  | { readonly type: 'release.withdrawn'; readonly commit: string; readonly why: string };

export const GATE_EVENTS: EventTable<GateEvent> = {
  'gate.judged': {
    level: event => (getWord(event) === null ? 'routine' : 'important'),
    line: event => (getWord(event) === null ? null : `${event.gate}: ${event.summary}`),
    progress: event => {
      const word = getWord(event);
      const drift = event.drift === null ? '' : ` drift=${getPercent(event.drift)}`;
      return word === null ? [] : [`CHECKPOINT ${word}${drift} (commit ${event.commit}): ${event.summary}`];
    },
    decision: ({ type: _, ...event }) => ({ type: getWord(event) ?? 'release_not_ready', ...event }),
    apply(state, { gate, commit, passed, drift, summary, report }, { atMs }) {
      const { landings } = state;
      state.gates.last.set(gate, { commit, passed, drift, summary, report, atMs, landings });
      if (gate === 'release') state.gates.released = passed ? commit : null;
      else closeQuestions(state.people, ({ kind }) => kind === 'drift');
    },
  },
  'drift.allowed': {
    level: 'important',
    line: ({ by, upTo }) => `  ${by} allows a drift of ${getPercent(upTo)}`,
    progress: ({ by, upTo }) => [`CHECKPOINT ${by} allows a drift of ${getPercent(upTo)}`],
    decision: ({ upTo, by }) => ({ type: 'drift_allowed', up_to: upTo, by }),
    apply({ gates }, { upTo }) {
      gates.raisedTo = Math.max(gates.raisedTo, upTo);
      const last = gates.last.get('fidelity');
      if (last && last.drift !== null && last.drift <= upTo)
        gates.last.set('fidelity', { ...last, passed: true });
    },
  },
  'release.withdrawn': {
    level: 'important',
    line: ({ commit, why }) => `the release of ${commit.slice(0, 10)} is withdrawn: ${why}`,
    progress: ({ commit, why }) => [`CHECKPOINT release_withdrawn (commit ${commit}): ${why}`],
    apply(state) {
      state.gates.released = null;
    },
  },
};

/** The word of the history; null where there is nothing to tell, as before everything is done. */
function getWord({ gate, passed }: { readonly gate: GateName; readonly passed: boolean }): string | null {
  if (gate === 'fidelity') return passed ? 'fidelity_check_ok' : 'fidelity_blocked';
  return passed ? 'release_candidate_ready' : null;
}
