import type { Action } from '../model/action.ts';
import type { AttemptRef } from '../model/facts.ts';
import type { Policy } from '../model/policy.ts';
import { QUEUE_RESOURCE, type World } from '../model/world.ts';
import type { Attempt } from '../state/attempt.ts';
import { getQueued } from '../state/merge-queue.ts';
import type { State } from '../state/state.ts';
import { canGoWithoutAgent } from '../state/task-state.ts';

/** Whoever has collided so often lands alone, and nothing lands while it works: it cannot collide again. */
const MOST_COLLISIONS = 2;

/** Whether a batch is this worker's to land. */
export function hasBatch({ queue }: State, { self }: Pick<World, 'self'>): boolean {
  return queue.batch?.worker === self;
}

/** What a free worker does for the merge queue; null where nothing is due, or somebody sees to it. */
export function decideQueue(state: State, world: World, { queue }: Pick<Policy, 'queue'>): Action | null {
  const { batch } = state.queue;
  const lease = world.leases.find(
    ({ resource, expiresAtMs }) => resource === QUEUE_RESOURCE && expiresAtMs > world.nowMs,
  );
  if (batch !== null) {
    const isLost = !lease || !state.workers.has(batch.worker) || world.workers.get(batch.worker) === 'dead';
    return isLost ? { type: 'take-queue', members: batch.members, fence: lease?.fence ?? null } : null;
  }
  const members = lease ? [] : getDue(state, queue, world.nowMs);
  return members.length > 0 ? { type: 'take-queue', members: members.map(getRef), fence: null } : null;
}

/** Whether the next landing has to wait for its turn behind others. */
export function isQueueInUse(state: State): boolean {
  return state.queue.batch !== null || getQueued(state).length > 0 || hasQueueToItself(state) !== undefined;
}

/** What is to land together now: empty while it is better to wait for more. */
function getDue(state: State, queue: Policy['queue'], nowMs: number): readonly Attempt[] {
  const queued = getQueued(state);
  const [oldest] = queued;
  if (!oldest) return [];
  const special = queued.find(({ task }) => isOften(state, task));
  if (special) return [special];
  if (hasQueueToItself(state)) return [];
  const isLonely = queued.length === state.active.size;
  const isLate = nowMs - (oldest.queuedAtMs ?? 0) >= queue.waitMs;
  const isDue = queued.length >= queue.company || isLonely || isLate || isAwaited(state, queued);
  return isDue ? queued.slice(0, queue.batch) : [];
}

/** Whether a task that lands alone has to wait for what is landing: it would begin on what is about to change. */
export function mustWaitForQueue(state: State, id: string): boolean {
  if (state.active.size === 0 && state.queue.batch === null) return false;
  const task = state.tasks.get(id);
  if (!task || !isOften(state, id) || canGoWithoutAgent(task)) return false;
  const isLanding = [...state.active.values()].some(
    ({ stage, task: other }) => stage === 'landing' || isOften(state, other),
  );
  return state.queue.batch !== null || isLanding;
}

/** The attempt at work that nothing may land beside. */
function hasQueueToItself(state: State): Attempt | undefined {
  return [...state.active.values()].find(({ task, stage }) => stage !== 'queued' && isOften(state, task));
}

function isOften({ tasks }: State, task: string): boolean {
  return (tasks.get(task)?.collisions ?? 0) >= MOST_COLLISIONS;
}

/** Whether there is nothing to begin until these have landed. */
function isAwaited(state: State, queued: readonly Attempt[]): boolean {
  if (state.ready.size > 0) return false;
  const ids = new Set(queued.map(({ task }) => task));
  return [...ids].some(id =>
    [...(state.dependents.get(id) ?? [])].some(dependent => {
      const { def, status } = state.tasks.get(dependent) ?? {};
      if (!def || (status !== 'pending' && status !== 'retry')) return false;
      return def.dependsOn.every(one => ids.has(one) || state.tasks.get(one)?.status === 'landed');
    }),
  );
}

function getRef({ task, number }: Attempt): AttemptRef {
  return { task, attempt: number };
}
