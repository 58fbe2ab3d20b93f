import { getDropsText } from '../model/drop.ts';
import type { Policy, PromptName } from '../model/policy.ts';
import { getAnswersText } from '../model/question.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { getContinuation, getFeedback, type WipFile } from './continuation.ts';
import { getOrientation } from './orientation.ts';
import { getPrompt } from './prompt.ts';

/** What only the world knows about the work that is to be gone on with. */
export interface BriefFacts {
  readonly wip: readonly WipFile[];
  /** What the session is for. */
  readonly role?: string;
}

export const NO_FACTS: BriefFacts = { wip: [] };

/** The part of a prompt that changes: where the project stands, the task, and what became of it so far. */
export function getBrief(
  state: State,
  task: TaskState,
  policy: Pick<Policy, 'backlogPath' | 'notesPath' | 'testing'>,
  { wip, role = 'coding' }: BriefFacts = NO_FACTS,
): string {
  return [
    getOrientation(state, task, policy),
    getContinuation(task, state.active.get(task.def.id), wip),
    getAnswersText(task),
    getDropsText(task.drops, role),
  ]
    .filter(section => section !== '')
    .join('\n\n');
}

/** What an agent hears that still has its own session: only what it does not know yet. */
export function getFeedbackPrompt(
  policy: Policy,
  task: TaskState,
  feedback: Parameters<typeof getFeedback>[0],
): string {
  const brief = `**Task ${task.def.id}:** ${task.def.title}\n\n${getFeedback(feedback)}`;
  return getPrompt(policy, 'feedback', brief);
}

/** Which rules a session works by; a round that has to be explained from the start is a coder's. */
export function getPromptName(kind: string): PromptName {
  return kind === 'continuation' || kind === 'test-author' || kind === 'cleanup' ? kind : 'coding';
}
