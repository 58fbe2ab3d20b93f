import type { Feedback } from './attempt.ts';
import { getFeedback, getOrientation } from './orientation.ts';
import type { Policy } from './policy.ts';
import type { State, TaskState } from './state.ts';

/** The whole prompt of a session: rules that never change first, what changes last. */
export function getPrompt(state: State, task: TaskState, policy: Policy, isAuthor = false): string {
  return `${isAuthor ? getAuthorRules(policy) : getRules(policy)}\n\n${getOrientation(state, task)}\n`;
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

function getAuthorRules(policy: Policy): string {
  return `# You write tests in project ${policy.project}

You get one task that nobody has done yet. Write its test file from what "done" means; somebody else will do the task, and may not change what you wrote.

- Write only the test file that the task names, and new files beside the tests if it needs helpers. Change nothing else: not the source, not existing tests, not the backlog (${policy.backlogPath}).
- The test has to fail now, and for an honest reason: an assertion, or something of the project that does not exist yet. A syntax error, a missing package, a time-out or an empty file is refused.
- Test every step of what "done" means by what can be seen from outside. Leave the how to whoever does the task: a test that only one implementation could pass is a bad one.
- No skipped and no conditional tests, nothing that depends on the clock, on chance or on the network.
- Run it, see it fail, and say that you are done.`;
}
