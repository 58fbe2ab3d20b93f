import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask, STORY_START_MS } from '../../../test/support/history.ts';
import {
  ended,
  foldAll,
  landing,
  SCOPE,
  synced,
  upTo,
  WORKER,
  WORLD,
} from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { Action } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import { QUEUE_RESOURCE, type World } from '../model/world.ts';
import { decide } from './decide.ts';
import { decideQueue, isQueueInUse, mustWaitForQueue } from './merge-queue.ts';

const QUEUE: Policy['queue'] = { history: 'merge', batch: 4, company: 3, waitMs: 60_000 };
const NOW_MS = STORY_START_MS + 50_000;
const here = (id: string): HarnessEvent => ({
  type: 'worker.started',
  worker: { ...WORKER, id },
  version: '0',
});

/** Proven by a worker of its own, and waiting. */
function queued(task: string, { attempt = 1, session = Number(task) } = {}): HarnessEvent[] {
  return [
    ...upTo('judged', task, { worker: `w-${task}`, attempt, session }),
    { type: 'candidate.queued', task, attempt, commit: `commit-${task}` },
  ];
}

/** Has collided so often in a row; so many attempts were made. */
const collided = (task: string, times: number): HarnessEvent[] =>
  Array.from({ length: times }, (_, at) => [
    ...queued(task, { attempt: at + 1 }),
    ended(task, 'partial', { attempt: at + 1, collided: true, wip: 'wip' }),
  ]).flat();

const started = (batch: number, worker: string, ...tasks: string[]): HarnessEvent => ({
  type: 'batch.started',
  batch,
  worker,
  members: tasks.map(task => ({ task, attempt: 1 })),
});

const TASKS = ['1', '2', '3', '4', '5', '6'];
const BACKLOG = synced(TASKS.map(id => makeTask(id)));
const atWork = (task: string, attempt = 1) => upTo('in-session', task, { worker: `w-${task}`, attempt });

interface Look {
  readonly backlog?: HarnessEvent;
  readonly events: readonly HarnessEvent[];
  readonly world?: Partial<World>;
  readonly queue?: Partial<Policy['queue']>;
}

const look = ({ backlog = BACKLOG, events, world, queue }: Look) =>
  decideQueue(
    foldAll(
      backlog,
      [...TASKS, 'me', 'holder'].map(id => here(id.length === 1 ? `w-${id}` : id)),
      events,
    ),
    { ...WORLD, nowMs: NOW_MS, self: 'me', ...world },
    { queue: { ...QUEUE, ...queue } },
  );

const take = (...tasks: string[]): Action => ({
  type: 'take-queue',
  members: tasks.map(task => ({ task, attempt: 1 })),
  fence: null,
});

const leased = (owner: string, expiresAtMs = NOW_MS + 1, fence = 7): Partial<World> => ({
  leases: [{ resource: QUEUE_RESOURCE, owner, fence, expiresAtMs }],
});

describe('what is queued', () => {
  it.each<[string, Look, Action | null]>([
    ['nothing is landed where nothing is queued', { events: atWork('1') }, null],
    ['waits for company while others are at work', { events: [...queued('1'), ...atWork('2')] }, null],
    [
      'lands once there is company enough',
      { events: [...queued('1'), ...queued('2'), ...queued('3'), ...atWork('4')] },
      take('1', '2', '3'),
    ],
    ['lands where nobody else is at work', { events: [...queued('2'), ...queued('1')] }, take('2', '1')],
    [
      'lands once the oldest has waited long enough',
      { events: [...queued('1'), ...atWork('2')], world: { nowMs: NOW_MS + 60_000 } },
      take('1'),
    ],
    [
      'lands in the order it came, and no more of it than a batch holds',
      { events: ['3', '1', '2', '5', '4'].flatMap(id => queued(id)) },
      take('3', '1', '2', '5'),
    ],
    ['is left to whoever holds the queue', { events: [...queued('1')], world: leased('other') }, null],
    [
      'is nobody’s any more where that lease has run out',
      { events: queued('1'), world: leased('other', NOW_MS) },
      take('1'),
    ],
  ])('%s', (_, given, expected) => {
    expect(look(given)).toEqual(expected);
  });

  it('is not kept waiting where all that could be begun waits for it', () => {
    const backlog = synced([makeTask('1'), makeTask('2'), makeTask('3', ['1'])]);
    const events = [...queued('1'), ...atWork('2')];
    expect(look({ backlog, events })).toEqual(take('1'));
    expect(
      look({
        backlog: synced([...TASKS.slice(0, 2).map(id => makeTask(id)), makeTask('3', ['1', '2'])]),
        events,
      }),
    ).toBeNull();
    const more = synced([makeTask('1'), makeTask('2'), makeTask('3', ['1']), makeTask('4')]);
    expect(look({ backlog: more, events })).toBeNull();
  });
});

describe('a batch under way', () => {
  const batch = (world: Partial<World>) =>
    look({ events: [...queued('1'), ...queued('2'), started(1, 'holder', '1')], world });
  const lost = { ...take('1') } as Extract<Action, { type: 'take-queue' }>;

  it('is its holder’s as long as its lease lives, and nothing else lands meanwhile', () => {
    const seen = (life: 'alive' | 'unknown') => ({
      ...leased('holder'),
      workers: new Map([['holder', life]]),
    });
    expect(batch(seen('alive'))).toBeNull();
    expect(batch(seen('unknown'))).toBeNull();
  });

  it.each<[string, Partial<World>, number | null]>([
    ['is dead', { ...leased('holder'), workers: new Map([['holder', 'dead']]) }, 7],
    ['let its lease run out', leased('holder', NOW_MS), null],
    ['has no lease any more', {}, null],
  ])('is adopted with its members when its holder %s', (_, world, fence) => {
    expect(batch(world)).toEqual({ ...lost, fence });
  });

  it('is adopted when its holder has stopped', () => {
    const stopped: HarnessEvent = { type: 'worker.stopped', workerId: 'holder', reason: 'done' };
    const events = [...queued('1'), started(1, 'holder', '1'), stopped];
    expect(look({ events, world: leased('holder') })).toEqual({ ...lost, fence: 7 });
  });

  it('is landed by its holder before it takes anything else upon itself', () => {
    const events = [here('me'), here('w-1'), ...queued('1'), started(1, 'me', '1'), ...atWork('2')];
    const world = { ...WORLD, self: 'me', backlogBlob: 'another', ...leased('me') };
    // Task 2 is to be adopted, and the backlog has changed.
    expect(decide(foldAll(BACKLOG, events), world, simPolicy, SCOPE)).toEqual({ type: 'land-batch' });
  });
});

describe('a task that has collided twice', () => {
  const twice = collided('1', 2);
  const third = upTo('in-session', '1', { attempt: 3, session: 9, worker: 'w-1' });
  const again = queued('1', { attempt: 3, session: 9 });

  it('lands alone, before what came earlier and whoever is at work', () => {
    const events = [...twice, ...queued('2'), ...queued('3'), ...again, ...atWork('4')];
    expect(look({ events })).toEqual({ ...take(), members: [{ task: '1', attempt: 3 }] });
  });

  it('has nothing land beside it while it works; after once, it is as others are', () => {
    const others = [...queued('2'), ...queued('3'), ...queued('4')];
    expect(look({ events: [...twice, ...third, ...others] })).toBeNull();
    const once = [...collided('1', 1), ...upTo('in-session', '1', { attempt: 2, session: 9, worker: 'w-1' })];
    expect(look({ events: [...once, ...others] })).toEqual(take('2', '3', '4'));
    expect(isQueueInUse(foldAll(BACKLOG, twice, third))).toBe(true);
    expect(isQueueInUse(foldAll(BACKLOG, once))).toBe(false);
  });

  it('begins neither beside another one, nor while something is landing', () => {
    const waits = (...events: HarnessEvent[][]) => mustWaitForQueue(foldAll(BACKLOG, twice, ...events), '1');
    expect(waits()).toBe(false);
    expect(waits(queued('2'))).toBe(false);
    expect(waits(queued('2'), [started(1, 'holder', '2')])).toBe(true);
    expect(waits(upTo('landing', '2'))).toBe(true);
    expect(waits(collided('2', 2), atWork('2', 3))).toBe(true);
    expect(waits(collided('2', 2), queued('2', { attempt: 3 }))).toBe(true);
    expect(mustWaitForQueue(foldAll(BACKLOG, collided('1', 1), upTo('landing', '2')), '1')).toBe(false);
  });

  it('is passed over for others that may begin', () => {
    const events = [here('me'), here('w-2'), ...twice, ...collided('2', 2), ...atWork('2', 3)];
    const lease = { resource: 'task/2', owner: 'w-2', fence: 1, expiresAtMs: NOW_MS + 1 };
    const world = { ...WORLD, nowMs: NOW_MS, self: 'me', leases: [lease] };
    expect(decide(foldAll(BACKLOG, events), world, simPolicy, SCOPE)).toEqual({ type: 'lease', task: '3' });
  });

  it('is as others are once it has landed', () => {
    const state = foldAll(BACKLOG, twice, landing('1', { attempt: 3, session: 9 }));
    expect(state.tasks.get('1')?.collisions).toBe(0);
  });
});

describe('a collision', () => {
  it('is not charged, and its work goes on', () => {
    const task = foldAll(synced([{ ...makeTask('1'), maxAttempts: 1 }]), collided('1', 3)).tasks.get('1');
    expect(task).toMatchObject({ status: 'retry', attempts: 0, stuck: 0, collisions: 3 });
    expect(task?.history.at(-1)).toMatchObject({ outcome: 'partial', wip: 'wip' });
  });
});
