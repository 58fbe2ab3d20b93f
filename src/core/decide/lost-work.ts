import { getShortCommit } from '../base/text.ts';
import type { EventOf, HarnessEvent } from '../events/event.ts';
import type { Attempt } from '../state/attempt.ts';

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
