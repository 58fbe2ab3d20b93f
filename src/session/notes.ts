import type { AgentEvent, Question, SessionNote } from '../core/model/agent-event.ts';
import type { Evidence, SessionOutcome } from '../core/model/facts.ts';
import { getContextTokens } from '../core/model/usage.ts';
import { createDigest, type Digest } from '../core/monitor/session-note.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { createEvidence, type EvidenceRules } from '../core/testing/test-evidence.ts';
import type { Agent, AgentResult, McpServer } from '../ports/index.ts';
import type { SessionContext } from './context.ts';

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
  let usedTokens: number | null = null;
  return {
    note(event) {
      // What was only seen from outside shows no order of edits and test runs.
      if (!('inferred' in event)) evidence.note(event);
      digest.note(event);
      if (event.type === 'decision') decisions.add(event.text.slice(0, MAX_DECISION_CHARS));
      if (event.type !== 'usage') return;
      usedTokens = getContextTokens(usedTokens ?? 0, event);
    },
    digest: digest.get,
    facts: (agent, result) => ({
      evidence: evidence.get(agent.reportsTools ?? false),
      ...(decisions.size > 0 ? { decisions: [...decisions].slice(-MAX_DECISIONS) } : {}),
      ...(agent.capabilities?.resume && result.sessionId ? { agentSession: result.sessionId } : {}),
      ...(usedTokens === null
        ? {}
        : { contextShare: Math.round((usedTokens * 1_000) / contextTokens) / 1_000 }),
    }),
  };
}

/** The project's servers and the harness's own, for agents that can use them. */
export async function getServers(
  ctx: SessionContext,
  agent: Agent,
  attempt: Attempt,
  brief: string,
): Promise<Readonly<Record<string, McpServer>>> {
  const { toolbox } = ctx.ports;
  // Without capabilities it has no tools of ours; what it makes of the project's servers is its own business.
  if (!agent.capabilities) return ctx.policy.mcpServers;
  if (!toolbox || !attempt.dir) return ctx.policy.mcpServers;
  return {
    ...ctx.policy.mcpServers,
    harness: await toolbox.open(attempt.dir, brief),
  };
}

/** What the agent said through the tools: told like everything else, and what follows from it. */
export async function readReported(
  ctx: SessionContext,
  attempt: Attempt,
  asked: Question | undefined,
  onEvent: (event: AgentEvent) => void,
): Promise<{ outcome?: SessionOutcome; facts: { sessionNote?: SessionNote; question?: Question } }> {
  const entries = attempt.dir && ctx.ports.toolbox ? await ctx.ports.toolbox.read(attempt.dir) : [];
  const facts: { sessionNote?: SessionNote; question?: Question } = asked ? { question: asked } : {};
  let claimed = false;
  for (const entry of entries) {
    if (entry.type === 'decision' || entry.type === 'checkpoint') onEvent(entry);
    if (entry.type === 'claim') claimed = true;
    if (entry.type === 'handoff') facts.sessionNote = entry;
    if (entry.type === 'question') facts.question = entry;
  }
  return facts.question && !claimed ? { outcome: 'asked', facts } : { facts };
}
