import type { AgentEvent } from '../core/agent-event.ts';
import { createEvidence, type Evidence, type EvidenceRules } from '../core/test-evidence.ts';
import type { Agent, AgentResult } from '../ports.ts';

/** What is kept of a session for the decision after it. */
export interface Notes {
  note(event: AgentEvent): void;
  facts(agent: Agent, result: AgentResult): Facts;
}

interface Facts {
  readonly evidence: Evidence;
  readonly agentSession?: string;
  readonly contextShare?: number;
}

export function createNotes(contextTokens: number, rules: EvidenceRules): Notes {
  const evidence = createEvidence(rules);
  let contextShare: number | null = null;
  return {
    note(event) {
      evidence.note(event);
      if (event.type !== 'usage') return;
      const { inputTokens, cachedTokens, outputTokens } = event.usage;
      contextShare = (event.contextTokens ?? inputTokens + cachedTokens + outputTokens) / contextTokens;
    },
    facts: (agent, result) => ({
      evidence: evidence.get(agent.reportsTools ?? false),
      ...(agent.capabilities?.resume && result.sessionId ? { agentSession: result.sessionId } : {}),
      ...(contextShare === null ? {} : { contextShare: Math.round(contextShare * 1_000) / 1_000 }),
    }),
  };
}
