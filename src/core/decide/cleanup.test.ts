import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { ended, foldAll, landing, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { State } from '../state/state.ts';
import { getBacklogChange } from './backlog-diff.ts';
import { getDueCleanup } from './cleanup.ts';
import { decide } from './decide.ts';

const IDS = ['1', '2', '3', '4', '5', '6', '7', '8'];
const BACKLOG = synced(IDS.map(id => makeTask(id)));
const POLICY = { ...simPolicy, limits: { ...simPolicy.limits, cleanupInterval: 3 } };
const land = (...ids: string[]) => ids.flatMap(id => landing(id, { session: Number(id) }));
const due = (state: State, policy = POLICY) => getDueCleanup(state, policy)?.id ?? null;

/** The state with the clean-up in it that is due. */
function add(events: readonly HarnessEvent[]): HarnessEvent[] {
  const def = getDueCleanup(foldAll(BACKLOG, events), POLICY);
  return def ? [...events, { type: 'task.added', def }] : [...events];
}

const drop = (id: string) => [
  ...upTo('judged', id, { session: 99, word: 'rejected' }),
  ended(id, 'rejected', { attempt: 1 }),
];

describe('a clean-up', () => {
  it('is due after as many landed tasks as the interval says', () => {
    expect(due(foldAll(BACKLOG, land('1', '2')))).toBeNull();
    expect(due(foldAll(BACKLOG, land('1', '2', '3')))).toBe('cleanup-1');
  });

  it('is never due with an interval of 0, nor without a suite that holds the code in place', () => {
    const state = foldAll(BACKLOG, land('1', '2', '3'));
    expect(due(state, { ...POLICY, limits: { ...POLICY.limits, cleanupInterval: 0 } })).toBeNull();
    expect(due(state, { ...POLICY, testing: { ...POLICY.testing, full: null } })).toBeNull();
  });

  it('comes before the next task, once, and takes the role of a cleaner', () => {
    const events = land('1', '2', '3');
    const ask = (state: State) =>
      decide(state, { ...WORLD, backlogBlob: state.backlog?.blob ?? '' }, POLICY, SCOPE);
    expect(ask(foldAll(BACKLOG, events))).toMatchObject({ type: 'add', def: { kind: 'cleanup' } });
    const added = foldAll(BACKLOG, add(events));
    expect(due(added)).toBeNull();
    expect(ask(added)).toEqual({ type: 'lease', task: 'cleanup-1' });
    const started = foldAll(BACKLOG, [...add(events), ...upTo('leased', 'cleanup-1', { session: 9 })]);
    expect(started.active.get('cleanup-1')?.agent.role).toBe('cleanup');
  });

  it('is not followed by another before as many tasks have landed again, whether it landed or not', () => {
    const first = add(land('1', '2', '3'));
    for (const end of [landing('cleanup-1', { session: 9 }), drop('cleanup-1')]) {
      expect(due(foldAll(BACKLOG, [...first, ...end]))).toBeNull();
      expect(due(foldAll(BACKLOG, [...first, ...end, ...land('4', '5')]))).toBeNull();
      expect(due(foldAll(BACKLOG, [...first, ...end, ...land('4', '5', '6')]))).toBe('cleanup-2');
    }
  });

  it('that is rejected is dropped: nobody waits for it or is asked about it', () => {
    const events = [...add(land('1', '2', '3')), ...drop('cleanup-1')];
    const state = foldAll(BACKLOG, events);
    expect(state.tasks.get('cleanup-1')?.status).toBe('removed');
    expect([state.people.unasked.size, state.counts.failed, state.counts.landed]).toEqual([0, 0, 3]);
  });

  it('that was cut off is gone on with', () => {
    const cut = upTo('session-over', 'cleanup-1', { session: 9, outcome: 'interrupted' });
    const events = [...add(land('1', '2', '3')), ...cut, ended('cleanup-1', 'partial', { attempt: 1 })];
    expect(foldAll(BACKLOG, events).ready.peek()).toBe('cleanup-1');
  });

  it('is begun at once when a person asks for it, and only once', () => {
    const asked: HarnessEvent = { type: 'cleanup.requested', by: 'Ada', reason: '' };
    expect(due(foldAll(BACKLOG, [asked]))).toBe('cleanup-1');
    expect(due(foldAll(BACKLOG, add([asked])))).toBeNull();
    expect(due(foldAll(BACKLOG, [...add([asked]), ...drop('cleanup-1')]))).toBeNull();
  });

  it('is not taken away by a backlog that does not list it', () => {
    const state = foldAll(BACKLOG, add(land('1', '2', '3')));
    const source = { commit: 'c', blob: 'b1', project: 'p' };
    expect(getBacklogChange(state, [], source).removed).toEqual(IDS);
  });
});
