import { isBacklogPath } from '../core/model/policy.ts';
import { getSessionRole, type PromptType } from '../core/model/role.ts';
import { getBrief, getFeedbackPrompt, getPromptName } from '../core/prompt/brief.ts';
import { isContinued, type WipFile } from '../core/prompt/continuation.ts';
import { getPrompt } from '../core/prompt/prompt.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Agent } from '../ports/index.ts';
import type { SessionContext } from './context.ts';

/** What an agent is told first; with `resume`, in its own earlier session. */
export type FirstPrompt = Awaited<ReturnType<typeof readFirstPrompt>>;

/** How a session begins: from nothing, or with what was wrong, told to an agent that may still know the rest. */
export async function readFirstPrompt(ctx: SessionContext, agent: Agent, attempt: Attempt, task: TaskState) {
  const { state, policy } = ctx;
  const { feedback } = attempt;
  const kind: PromptType = getKind(attempt, task);
  const isSameAgent = attempt.agent.provider === agent.provider && agent.capabilities?.resume === true;
  const resume = feedback && isSameAgent ? attempt.agent.sessionId : null;
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
  const role = getSessionRole(startWip, def, isAuthor);
  return feedback && !isAuthor && role !== 'cleanup' ? 'feedback' : role;
}

/** More than anybody is told of are not opened. */
const MAX_OPENED = 20;

/** What an earlier attempt left in the worktree, file by file. */
async function readWip(
  { ports: { workspace }, policy }: SessionContext,
  { base, checkpoint }: Attempt,
): Promise<readonly WipFile[]> {
  if (!checkpoint) return [];
  const changes = (await workspace.changes(base, checkpoint.commit)).filter(
    ({ path }) => !isBacklogPath(policy, path),
  );
  return Promise.all(
    changes.map(async ({ path, kind }, index) => {
      const isOpened = kind !== 'deleted' && index < MAX_OPENED;
      const text = isOpened ? await workspace.readFile(checkpoint.commit, path) : null;
      return { path, kind, lines: text === null ? null : countLines(text) };
    }),
  );
}

function countLines(text: string): number | null {
  if (text.includes('\0')) return null;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
