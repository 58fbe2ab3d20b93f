import { getProviders, getRoleSettings } from '../../core/model/policy.ts';
import type { Agent, AgentResult } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';

/** Another provider than the author's where there is one that can answer. */
export function findReviewer({ ports, policy, attempt }: CheckContext): Agent | undefined {
  const agents = [ports.agent, ...(ports.fallbacks ?? [])];
  const able = getProviders(policy, 'review')
    .flatMap(name => agents.filter(({ provider }) => provider === name))
    .filter(({ capabilities }) => capabilities?.modes.includes('complete') ?? true);
  const isNamed =
    policy.models.review.model !== null || policy.models.review.provider !== ports.agent.provider;
  const other = able.find(({ provider }) => provider !== attempt.agent?.provider);
  return (isNamed ? undefined : other) ?? able[0];
}

interface Question {
  /** Who is asked, for agents that are told. */
  readonly role: 'review' | 'second-reader';
  readonly prompt: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** One question, one answer: in a tree of the base, with the candidate beside it, and no way to write. */
export async function askOnce(ctx: CheckContext, agent: Agent, question: Question): Promise<AgentResult> {
  const { ports, policy, attempt, candidate, signal, task } = ctx;
  // A program that is told by a path in the project is the base's own there, with all that it loads.
  const cwd = await ctx.tests.checkOut({ side: 'base', tree: ctx.baseTree });
  const candidateDir = await ctx.tests.checkOut({ side: 'candidate', tree: candidate.tree });
  const number = attempt.number ?? 0;
  return agent.run(
    {
      ...{ task, attempt: number, session: attempt.session ?? 0, signal, cwd, candidateDir, ...question },
      surroundings: await ctx.tests.openSurroundings(),
      turn: number + (attempt.round ?? 0),
      mode: 'complete',
      timeoutMs: policy.sessionTimeoutMs,
      ...getRoleSettings(policy, 'review', agent.provider),
    },
    event => ports.reporter.agent(task.id, event),
  );
}
