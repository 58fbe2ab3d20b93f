import type { AgentEvent } from '../core/agent-event.ts';
import type { Agent, AgentResult } from '../ports.ts';

/** What is kept of a session for the decision after it. */
export interface Notes {
  note(event: AgentEvent): void;
  facts(agent: Agent, result: AgentResult): { agentSession?: string; contextShare?: number };
}

export function createNotes(contextTokens: number): Notes {
  let contextShare: number | null = null;
  return {
    note(event) {
      if (event.type !== 'usage') return;
      const { inputTokens, cachedTokens, outputTokens } = event.usage;
      contextShare = (event.contextTokens ?? inputTokens + cachedTokens + outputTokens) / contextTokens;
    },
    facts: (agent, result) => ({
      ...(agent.capabilities?.resume && result.sessionId ? { agentSession: result.sessionId } : {}),
      ...(contextShare === null ? {} : { contextShare: Math.round(contextShare * 1_000) / 1_000 }),
    }),
  };
}
