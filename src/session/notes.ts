import type { AgentEvent } from '../core/model/agent-event.ts';
import type { Evidence } from '../core/model/facts.ts';
import { createDigest, type Digest } from '../core/monitor/digest.ts';
import { createEvidence, type EvidenceRules } from '../core/testing/test-evidence.ts';
import type { Agent, AgentResult } from '../ports/index.ts';

/** What is kept of a session for the decision after it. */
export interface Notes {
  note(event: AgentEvent): void;
  /** What of it can be told to whoever goes on. */
  digest(): Digest;
  facts(agent: Agent, result: AgentResult): Facts;
}

interface Facts {
  readonly evidence: Evidence;
  readonly decisions?: readonly string[];
  readonly agentSession?: string;
  readonly contextShare?: number;
}

/** Who decides more than that in one session has decided nothing in particular. */
const MAX_DECISIONS = 10;
const MAX_DECISION_CHARS = 500;

export function createNotes(contextTokens: number, rules: EvidenceRules, root: string): Notes {
  const evidence = createEvidence(rules);
  const digest = createDigest(root);
  const decisions = new Set<string>();
  let contextShare: number | null = null;
  return {
    note(event) {
      evidence.note(event);
      digest.note(event);
      if (event.type === 'decision') decisions.add(event.text.slice(0, MAX_DECISION_CHARS));
      if (event.type !== 'usage') return;
      const { inputTokens, cachedTokens, outputTokens } = event.usage;
      contextShare = (event.contextTokens ?? inputTokens + cachedTokens + outputTokens) / contextTokens;
    },
    digest: digest.get,
    facts: (agent, result) => ({
      evidence: evidence.get(agent.reportsTools ?? false),
      ...(decisions.size > 0 ? { decisions: [...decisions].slice(-MAX_DECISIONS) } : {}),
      ...(agent.capabilities?.resume && result.sessionId ? { agentSession: result.sessionId } : {}),
      ...(contextShare === null ? {} : { contextShare: Math.round(contextShare * 1_000) / 1_000 }),
    }),
  };
}
