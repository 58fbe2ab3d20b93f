import type { Attempt } from '../core/attempt.ts';
import { getBrief, getFeedbackPrompt, getPromptName } from '../core/brief.ts';
import { isContinued } from '../core/continuation.ts';
import { getPrompt } from '../core/prompt.ts';
import { getSessionRole, type PromptType } from '../core/role.ts';
import type { TaskState } from '../core/state.ts';
import type { Agent } from '../ports.ts';
import type { SessionContext } from './context.ts';
import { readWip } from './wip.ts';

/** How a session begins: from nothing, or with what was wrong, told to an agent that may still know the rest. */
export async function readOpening(ctx: SessionContext, agent: Agent, attempt: Attempt, task: TaskState) {
  const { state, policy } = ctx;
  const { feedback, agentSession } = attempt;
  const kind: PromptType = getKind(attempt, task);
  const isSameAgent = attempt.provider === agent.provider && agent.capabilities?.resume === true;
  const resume = feedback && isSameAgent ? agentSession : null;
  const isKept = isContinued(attempt);
  const brief = getBrief(state, task, policy, {
    wip: isKept ? await readWip(ctx, attempt) : [],
    role: kind,
  });
  const prompt =
    feedback && resume !== null
      ? getFeedbackPrompt(policy, task, feedback)
      : getPrompt(policy, getPromptName(kind === 'continuation' && !isKept ? 'coding' : kind), brief);
  return { kind, resume, prompt, brief };
}

/** An author's rounds are an author's work; a coder's are counted apart. */
function getKind({ feedback, startWip, isAuthor }: Attempt, { def }: TaskState): PromptType {
  const role = getSessionRole(startWip, isAuthor, def.kind);
  return feedback && !isAuthor && role !== 'cleanup' ? 'feedback' : role;
}
