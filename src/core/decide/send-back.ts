import type { Policy } from '../model/policy.ts';
import { type Attempt, getWorkTree } from '../state/attempt.ts';
import { getSessionUsd } from '../state/costs.ts';
import type { State } from '../state/state.ts';

/** Above this, an agent that goes on with its own session has too little room left to put things right. */
const MAX_CONTEXT_SHARE = 0.75;

/**
 * Whether rejected work goes back to the agent within its attempt: it worked and claimed, there is something to
 * tell it, rounds, money and context are left, and the last round got it further.
 */
export function canSendBack(state: State, attempt: Attempt, policy: Policy): boolean {
  const { feedback, agent } = attempt;
  const verdict = attempt.judged?.verdict;
  if (attempt.stage !== 'judged' || verdict?.word !== 'rejected' || verdict.findings.length === 0)
    return false;
  if (agent.outcome !== 'claimed' || !hasRounds(attempt, policy)) return false;
  // An objective begins each iteration with a fresh context.
  if (state.tasks.get(attempt.task)?.def.kind === 'loop') return false;
  // Work that was resumed without an agent has nobody to go back to.
  if (attempt.resumes || attempt.dir === null) return false;
  // The worktree still holds what it was prepared from: after a rebase that is no longer the base.
  if (attempt.base !== attempt.firstBase) return false;
  if (feedback && (feedback.tree === getWorkTree(attempt) || isSame(feedback.findings, verdict.findings)))
    return false;
  if (agent.sessionId !== null && agent.contextShare >= MAX_CONTEXT_SHARE) return false;
  return hasMoney(state, attempt, policy);
}

/** A review has its own: it says itself when they are over. */
function hasRounds({ judged, round, reviews }: Attempt, { feedbackRounds }: Policy): boolean {
  return judged?.verdict.decidedBy === 'review' || round - (reviews?.sentBack ?? 0) < feedbackRounds;
}

/** Whether anything is left for a session of it. */
export function hasMoney(state: State, attempt: Attempt, policy: Policy): boolean {
  const task = state.tasks.get(attempt.task);
  return task !== undefined && getSessionUsd(policy, state, { task, attempt }) > 0;
}

/** Times and addresses differ from run to run and say nothing about progress. */
function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.map(getSettled).join('\n') === after.map(getSettled).join('\n');
}

function getSettled(finding: string): string {
  return finding
    .replace(/\d+(\.\d+)? ?(ms|s)\b/g, 'T')
    .replace(/0x[0-9a-f]+/gi, 'A')
    .replace(/(\/[\w.-]+)+\//g, '/');
}
