import { getShortCommit } from '../base/text.ts';
import type { EventOf, HarnessEvent } from '../events/event.ts';
import { getAttemptRef } from '../proof/commit-message.ts';
import type { Attempt } from '../state/attempt.ts';
import type { TaskState } from '../state/task-state.ts';

interface Kept {
  readonly name: string;
  readonly commit: string;
}

/** What the records name of an attempt's work, and where it is kept: without it, nobody can go on with the attempt. */
export function getKeptWork(attempt: Attempt, { held }: Pick<TaskState, 'held'>): readonly Kept[] {
  const { task, number, candidate, landing, resumes } = attempt;
  const name = getAttemptRef(task, number);
  const own = [candidate?.commit, landing].flatMap(commit => commit ?? []).map(commit => ({ name, commit }));
  if (!held || typeof resumes?.attempt !== 'number') return own;
  return [...own, { name: getAttemptRef(task, resumes.attempt), commit: held.candidate.commit }];
}

/** Nobody's fault, and not charged: whoever did the work by hand is told, an agent begins again. */
export function getLostEnding(
  { resumes, leftHost, startWip: wip }: Attempt,
  commit: string,
): Omit<EventOf<'attempt.ended'>, 'type' | 'task' | 'attempt'> {
  const whose = leftHost === null ? '' : `: it was on host ${leftHost} alone`;
  const reason = `its work (commit ${getShortCommit(commit)}) is neither here nor on the remote${whose}`;
  const outcome = resumes?.by === undefined ? 'partial' : 'needs-human';
  return { outcome, category: 'ENV_SETUP', reason, findings: [], wip };
}

/** Said where work that was to be gone on with is gone. */
export function getLostNote(task: string, commit: string): HarnessEvent {
  const lost = `earlier work (commit ${getShortCommit(commit)}) is neither here nor on the remote`;
  const text = `task ${task}: ${lost}: begun from the base`;
  return { type: 'note.added', level: 'important', text, task };
}
