import { userInfo } from 'node:os';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import type { State } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { Journal } from '../../loop/journal.ts';
import type { Store } from '../../ports/index.ts';
import { getKnownTask } from '../project/check-task.ts';

/** Who is speaking: as told, or as git knows them. */
export async function readPersonName(cwd: string, given: string | undefined): Promise<string> {
  if (given?.trim()) return given.trim();
  const env = { ...getBaseEnv(), ...(process.env.HOME ? { HOME: process.env.HOME } : {}) };
  const named = await runGit(['config', 'user.name'], { cwd, env }).catch(() => null);
  return named?.stdout.toString().trim() || readLogin();
}

function readLogin(): string {
  try {
    return userInfo().username;
  } catch {
    return 'a person';
  }
}

/** Records what a person decided on the newest state there is; decided anew when others were quicker. */
export async function recordTaskDecision(
  store: Store,
  id: string,
  decide: (task: TaskState) => HarnessEvent | null,
): Promise<{ readonly recorded: boolean; readonly task: TaskState }> {
  const journal = new Journal(store, async () => undefined);
  for (;;) {
    await journal.refresh();
    const task = getKnownTask(journal.state, id, '<task>');
    const event = decide(task);
    if (event === null) return { recorded: false, task };
    if ((await journal.record([event])).ok)
      return { recorded: true, task: getKnownTask(journal.state, id, '<task>') };
  }
}

/** The same for a word that is not about one task; nothing is recorded where there is nothing to say. */
export async function recordDecision(
  store: Store,
  decide: (state: State) => readonly HarnessEvent[],
): Promise<{ readonly recorded: boolean; readonly state: State }> {
  const journal = new Journal(store, async () => undefined);
  for (;;) {
    await journal.refresh();
    const events = decide(journal.state);
    if (events.length === 0) return { recorded: false, state: journal.state };
    if ((await journal.record(events)).ok) return { recorded: true, state: journal.state };
  }
}

/** Nobody decides over the head of a worker. */
export function refuseActive(task: TaskState, command: string): void {
  if (task.status !== 'active') return;
  throw new HarnessError('locked', `task ${task.def.id} is being worked on`, {
    field: '<task>',
    fix: `wait until the attempt has ended (harness status), then ${command}`,
  });
}
