import { readPersonName, recordDecision, refuseActive } from '../../../app/people/person.ts';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject } from '../../../app/project/open-project.ts';
import { openProjectStore } from '../../../app/project/open-record.ts';
import { syncBacklog } from '../../../app/project/read-index.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import type { TaskState } from '../../../core/state/task-state.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';

export interface OverrideOptions extends CommonOptions {
  readonly reason?: string;
  readonly withWork?: boolean;
  readonly by?: string;
}

/** `harness override`: a person's word in place of a proof. It is recorded and shown as just that. */
export async function override(io: Io, id: string, options: OverrideOptions): Promise<void> {
  const reason = options.reason?.trim();
  if (!reason) {
    throw new HarnessError('usage', 'why should it count as done without a proof?', {
      field: '--reason',
      fix: `harness override ${id} --reason "done by hand in 1a2b3c4"`,
    });
  }
  const project = await openProject(getWhere(io, options.repo));
  const by = await readPersonName(project.root, options.by);
  const store = await openProjectStore(project);
  try {
    await syncBacklog(project, store, await readBacklogAtTip(project));
    const { recorded, task } = await recordDecision(store, id, (_, found) =>
      getOverride(found, { reason, by, withWork: options.withWork ?? false }),
    );
    tell(io, task, recorded, options.json ?? false);
  } finally {
    await store.close();
  }
}

/** Null when there is nothing left to override. */
function getOverride(
  task: TaskState,
  said: { readonly reason: string; readonly by: string; readonly withWork: boolean },
): HarnessEvent | null {
  const { id } = task.def;
  const { reason, by, withWork } = said;
  if (task.status === 'landed') return null;
  refuseActive(task, `harness override ${id}`);
  if (withWork && !task.held) {
    throw new HarnessError('usage', `no work of task ${id} is kept`, {
      field: '--with-work',
      fix: 'leave --with-work out to mark the task alone',
    });
  }
  const workOf = withWork ? (task.held?.attempt ?? null) : null;
  if (task.override && task.override.reason === reason && task.override.workOf === workOf) return null;
  return { type: 'task.overridden', task: id, reason, by, workOf, unproven: true };
}

function tell(io: Io, task: TaskState, recorded: boolean, json: boolean): void {
  const { id } = task.def;
  const isLanded = task.status === 'landed';
  const unproven = !isLanded || task.landed?.unproven !== undefined;
  const next = isLanded ? 'harness status' : `harness run --task ${id}`;
  if (json) {
    io.out(JSON.stringify({ task: id, recorded, landed: isLanded, unproven, next }));
    return;
  }
  if (isLanded) io.out(`task ${id} has landed already${unproven ? ', unproven' : ' and is proven'}`);
  else if (!recorded) io.out(`task ${id}: that is known already`);
  else
    io.err(
      `WARNING: nothing proves task ${id}. It is recorded as unproven, and will be shown as such for good.`,
    );
  if (recorded) io.out(`task ${id} will count as done, unproven`);
  io.out(
    `next: ${next}${isLanded ? '' : '   (marks it in the backlog; a run that is under way does so by itself)'}`,
  );
}
