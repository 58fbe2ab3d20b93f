import { moveRef, readRef } from '../../../adapters/git/landing/refs.ts';
import { openContext } from '../../../adapters/git/repo/context.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { readPersonName, recordWord, refuseActive } from '../../../app/people/person.ts';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getKnownTask } from '../../../app/project/check-task.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { syncBacklog } from '../../../app/project/read-index.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import { getHandoffBranch } from '../../../core/proof/commit-message.ts';
import type { State } from '../../../core/state/state.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import { getHandedOffReason } from '../../../core/state/task-state.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface HandoffOptions extends CommonOptions {
  readonly by?: string;
}

/** `harness handoff`: everything waits, or one task is the person's, with what has been done of it on a branch. */
export async function handoff(io: Io, id: string | undefined, options: HandoffOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    const found = await readBacklogAtTip(project);
    await syncBacklog(project, store, found);
    const { state } = await recordWord(store, now => getEvents(now, id, by));
    const task = id === undefined ? null : getKnownTask(state, id, '<task>');
    const branch = task ? await layOut(project, task, found.tip?.commit ?? found.heads.base) : null;
    tell(io, state, task, branch, options.json ?? false);
  } finally {
    await store.close();
  }
}

function getEvents(state: State, id: string | undefined, by: string): readonly HarnessEvent[] {
  if (id === undefined) {
    if (state.people.control.mode === 'paused') return [];
    return [{ type: 'control.changed', mode: 'paused', by, reason: 'handoff' }];
  }
  const task = getKnownTask(state, id, '<task>');
  refuseActive(task, `harness handoff ${id}`);
  if (task.status === 'landed') {
    const fix = 'harness status shows what is open';
    throw new HarnessError('usage', `task ${id} has landed: there is nothing to take over`, {
      field: '<task>',
      fix,
    });
  }
  const reason = getHandedOffReason(id, by);
  return task.setAside === reason ? [] : [{ type: 'task.blocked', task: id, reason }];
}

/** The work of the last attempt, or else the tip. A branch that is there already is the person's. */
async function layOut(project: Project, task: TaskState, tip: string): Promise<string> {
  const ctx = openContext(project.repo, runGit);
  const branch = getHandoffBranch(task.def.id);
  const ref = `refs/heads/${branch}`;
  if ((await readRef(ctx, ref)) !== null) return branch;
  const to = task.history.at(-1)?.wip ?? task.held?.candidate.commit ?? tip;
  const reason = `harness handoff ${task.def.id}`;
  if ((await moveRef(ctx, { ref, from: null, to, reason })) === 'moved') return branch;
  throw new HarnessError('repo', `${branch} was made by somebody else at this moment`, { fix: 'try again' });
}

function tell(io: Io, state: State, task: TaskState | null, branch: string | null, json: boolean): void {
  const next = task ? `harness takeback ${task.def.id}` : 'harness resume';
  const { landed, removed } = state.counts;
  const open = [...state.active.keys()];
  if (json) {
    io.out(JSON.stringify({ task: task?.def.id ?? null, branch, paused: task === null, active: open, next }));
    return;
  }
  if (task) io.out(`task ${task.def.id} is yours; the others go on\n  git switch ${branch}`);
  else io.out('paused: everything is yours');
  if (task?.history.at(-1)?.wip) io.out('  (what was done of it so far is on that branch)');
  for (const id of open) io.out(`  task ${id} is in progress`);
  io.out(`  ${landed}/${state.tasks.size - removed} tasks landed`);
  io.out(`next: ${next}   (when you are done${task ? ', with everything committed on that branch' : ''})`);
}
