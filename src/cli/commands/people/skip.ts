import { readPersonName, recordDecision, refuseActive } from '../../../app/people/person.ts';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore, syncBacklog } from '../../../app/project/read-index.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { HarnessEvent } from '../../../core/model/event.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface SkipOptions extends CommonOptions {
  readonly reason?: string;
  readonly by?: string;
}

/** `harness skip`: leaves a task out, and with it what builds on it, until somebody resets it. */
export async function skip(io: Io, id: string, options: SkipOptions): Promise<void> {
  const reason = options.reason?.trim();
  if (!reason) {
    const fix = `harness skip ${id} --reason "waits for the new API"`;
    throw new HarnessError('usage', 'why should it be left out?', { field: '--reason', fix });
  }
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    await syncBacklog(project, store, await readBacklogAtTip(project));
    const { recorded } = await recordDecision(store, id, (_, task) =>
      getSkip(task, `skipped by ${by}: ${reason}`),
    );
    const next = `harness reset ${id}`;
    if (options.json) io.out(JSON.stringify({ task: id, recorded, next }));
    else {
      io.out(recorded ? `task ${id} is skipped; the others go on` : `task ${id}: that is known already`);
      io.out(`next: ${next}   (brings it back)`);
    }
  } finally {
    await store.close();
  }
}

/** Null when it is skipped for that reason already. */
function getSkip(task: TaskState, reason: string): HarnessEvent | null {
  const { id } = task.def;
  if (task.setAside === reason) return null;
  refuseActive(task, `harness skip ${id}`);
  if (task.status === 'landed') {
    const fix = 'harness status shows what is open';
    throw new HarnessError('usage', `task ${id} has landed: there is nothing to skip`, {
      field: '<task>',
      fix,
    });
  }
  return { type: 'task.blocked', task: id, reason };
}
