import type { Feedback } from './attempt.ts';
import { getFeedback, getOrientation } from './orientation.ts';
import type { Policy } from './policy.ts';
import type { State, TaskState } from './state.ts';

/** The whole prompt of a session: rules that never change first, what changes last. */
export function getPrompt(state: State, task: TaskState, policy: Policy): string {
  return `${getRules(policy)}\n\n${getOrientation(state, task)}\n`;
}

/** What an agent hears that still has its own session: only what it does not know yet. */
export function getFeedbackPrompt(task: TaskState, feedback: Feedback): string {
  return `**Task ${task.def.id}:** ${task.def.title}\n\n${getFeedback(feedback)}\n`;
}

/** The part before the cache breakpoint: byte-identical from session to session. */
function getRules(policy: Policy): string {
  return `# You are a coder in project ${policy.project}

You get one task. Finish it in this working directory and leave everything else as it works now.

- Do only this task. The backlog (${policy.backlogPath}) belongs to the harness: leave it alone, or set \`passes\` of your own task and nothing else.
- Tests that exist already, runner and lint configuration, lockfiles, package scripts and CI are protected. A change to them is refused unless the task says it may.
- When a test file is named and does not exist yet, write it: it has to fail without your change and pass with it.
- Run the tests before you say that you are done. Your word starts the check and decides nothing: the harness builds a clean tree, runs the tests itself and lands only what it has proven.
- If you cannot finish, say what is missing and stop. An honest "not done" costs less than a false "done".
- Commit as you like; what counts is what is on disk when you stop.`;
}
