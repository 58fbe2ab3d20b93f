import { fetchKept } from '../../adapters/git/remote/push.ts';
import { openContext } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { getAttemptRef } from '../../core/proof/commit-message.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import type { Project } from '../project/open-project.ts';

/**
 * Work that waits for a person may be another host's: the commits that they are told to look at are fetched, as far as
 * the remote answers.
 */
export async function fetchHeld({ repo }: Project, tasks: Iterable<TaskState>): Promise<void> {
  if (repo.remote === null) return;
  const kept = [...tasks].flatMap(({ def, held }) =>
    held?.awaitsPerson ? [{ name: getAttemptRef(def.id, held.attempt), commit: held.candidate.commit }] : [],
  );
  await fetchKept(openContext(repo, runGit), kept).catch(() => undefined);
}
