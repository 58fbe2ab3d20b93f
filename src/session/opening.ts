import type { Attempt } from '../core/attempt.ts';
import { getFeedbackPrompt, getPrompt } from '../core/prompt.ts';
import { getSessionRole, type PromptType } from '../core/role.ts';
import type { TaskState } from '../core/state.ts';
import type { Agent } from '../ports.ts';
import type { SessionContext } from './context.ts';

/** How a session begins: from nothing, or with what was wrong, told to an agent that may still know the rest. */
export function getOpening(ctx: SessionContext, agent: Agent, attempt: Attempt, task: TaskState) {
  const { feedback, agentSession } = attempt;
  const kind: PromptType = getKind(attempt);
  const isSameAgent = attempt.provider === agent.provider && agent.capabilities?.resume === true;
  const resume = feedback && isSameAgent ? agentSession : null;
  const prompt =
    feedback && resume !== null
      ? getFeedbackPrompt(task, feedback)
      : getPrompt(ctx.state, task, ctx.policy, attempt.isAuthor);
  return { kind, resume, prompt };
}

/** An author's rounds are an author's work; a coder's are counted apart. */
function getKind({ feedback, startWip, isAuthor }: Attempt): PromptType {
  return feedback && !isAuthor ? 'feedback' : getSessionRole(startWip, isAuthor);
}
