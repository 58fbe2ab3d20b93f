import type { EventOf } from '../events/event.ts';
import type { TaskDef } from '../model/task.ts';
import type { State } from '../state/state.ts';

interface ListedTask {
  readonly def: TaskDef;
  readonly passes: boolean;
  readonly attempts?: number;
}

type BacklogSynced = EventOf<'backlog.synced'>;

interface BacklogSource {
  readonly commit: string;
  readonly blob: string;
  readonly project: string;
  /** How many sessions the file has counted. */
  readonly sessions?: number | undefined;
}

/** What the committed backlog says that the recorded state does not know yet. */
export function getBacklogChange(
  state: State,
  listed: readonly ListedTask[],
  { sessions, ...source }: BacklogSource,
): BacklogSynced {
  const ids = new Set(listed.map(task => task.def.id));
  const upserted: TaskDef[] = [];
  const accepted: string[] = [];
  const reopened: string[] = [];
  const tried: Record<string, number> = {};
  for (const { def, passes, attempts = 0 } of listed) {
    const known = state.tasks.get(def.id);
    if (!known || known.status === 'removed' || !isSame(known.def, def)) upserted.push(def);
    // Believed once, when the file is all there is: from then on it only tells what is recorded here.
    if (!known && attempts > 0) tried[def.id] = attempts;
    const status = known?.status ?? 'pending';
    // What a later change broke is open whatever the flag says, which nobody has taken back.
    if (passes && status !== 'landed' && status !== 'active' && !known?.reopened) accepted.push(def.id);
    if (!passes && status === 'landed') reopened.push(def.id);
  }
  const removed = [...state.tasks.values()]
    .filter(({ status, def }) => status !== 'removed' && status !== 'active' && !ids.has(def.id))
    .filter(({ def }) => def.kind === undefined)
    .map(task => task.def.id);
  const counted = state.backlog === null && sessions !== undefined ? { sessions } : {};
  const past = { ...(Object.keys(tried).length > 0 ? { tried } : {}), ...counted };
  return { type: 'backlog.synced', ...source, upserted, removed, accepted, reopened, ...past };
}

function isSame(a: TaskDef, b: TaskDef): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
