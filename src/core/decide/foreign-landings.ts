import { getShortCommit } from '../base/text.ts';
import type { EventOf } from '../events/event.ts';
import type { Attempt } from '../state/attempt.ts';
import type { State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** A commit of the base's history that says which task it landed, as far as that matters here. */
interface Landed {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
  readonly proof?: string;
  readonly unproven?: string;
  readonly accepted?: string;
}

/** Made by a harness as it lands; a person may bring a candidate or a merge of their own. */
function isLanding({ proof, unproven, accepted }: Landed): boolean {
  return (proof ?? unproven ?? accepted) !== undefined;
}

/** Landings that the state has no trace of: somebody else's, or newer than the state. */
export function getUntracedLandings<L extends Landed>(state: State, found: readonly L[]): readonly L[] {
  return found.filter(landing => {
    const { task: id, commit } = landing;
    const known = [state.tasks.get(id)?.landed?.commit, state.active.get(id)?.landing];
    return isLanding(landing) && !known.includes(commit);
  });
}

/** A landing of the task that is none of its own attempts: what was proven since would land it a second time. */
export function getOtherLanding<L extends Landed>(
  task: TaskState,
  own: string | null,
  found: readonly L[],
): L | undefined {
  return found.find(
    landing =>
      landing.task === task.def.id &&
      landing.commit !== own &&
      isLanding(landing) &&
      !hasLandedAs(task, landing.attempt),
  );
}

/** It lands once; whoever landed it works with other records. */
export function getOutdoneEnding(
  { candidate }: Pick<Attempt, 'candidate'>,
  { commit }: Landed,
): Omit<EventOf<'attempt.ended'>, 'type' | 'task' | 'attempt'> {
  const reason = `the task has landed meanwhile, as ${getShortCommit(commit)}, of which these records know nothing`;
  const wip = candidate?.commit ?? null;
  return { outcome: 'partial', category: 'ENV_SETUP', reason, findings: [], wip };
}

function hasLandedAs({ history }: TaskState, attempt: number): boolean {
  return history.some(past => past.number === attempt && past.outcome === 'landed');
}

/** The tasks of some landings, with their commits. */
export function getLandingsText(landings: readonly Landed[]): string {
  const shown = landings.slice(0, 3).map(({ task, commit }) => `task ${task} (${getShortCommit(commit)})`);
  const more = landings.length > 3 ? ` and ${landings.length - 3} more` : '';
  return `${shown.join(', ')}${more}`;
}
