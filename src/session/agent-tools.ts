import type { AgentEvent } from '../core/model/agent-event.ts';
import type { SessionOutcome } from '../core/model/facts.ts';
import type { Handoff, Question } from '../core/model/tool-entry.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { Agent, McpServer } from '../ports/index.ts';
import type { SessionContext } from './context.ts';

/** The project's servers and the harness's own, for agents that can use them. */
export async function getServers(
  ctx: SessionContext,
  agent: Agent,
  attempt: Attempt,
  brief: string,
): Promise<Readonly<Record<string, McpServer>>> {
  const { toolbox } = ctx.ports;
  if (!agent.capabilities) return {};
  if (!toolbox || !attempt.dir) return ctx.policy.mcpServers;
  return {
    ...ctx.policy.mcpServers,
    harness: await toolbox.open(attempt.dir, brief),
  };
}

/** What the agent said through the tools: told like everything else, and what follows from it. */
export async function readSaid(
  ctx: SessionContext,
  attempt: Attempt,
  asked: Question | undefined,
  tell: (event: AgentEvent) => void,
): Promise<{ outcome?: SessionOutcome; facts: { handoff?: Handoff; question?: Question } }> {
  const entries = attempt.dir && ctx.ports.toolbox ? await ctx.ports.toolbox.read(attempt.dir) : [];
  const facts: { handoff?: Handoff; question?: Question } = asked ? { question: asked } : {};
  let claimed = false;
  for (const entry of entries) {
    if (entry.type === 'decision') tell(entry);
    if (entry.type === 'checkpoint')
      tell({ type: 'text', text: `step ${entry.step}/${entry.total}: ${entry.description}` });
    if (entry.type === 'claim') claimed = true;
    if (entry.type === 'handoff') facts.handoff = entry;
    if (entry.type === 'question') facts.question = entry;
  }
  return facts.question && !claimed ? { outcome: 'asked', facts } : { facts };
}
