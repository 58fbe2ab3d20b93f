import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTask, store } from '../../../test/support/history.ts';
import { landed, synced, upTo } from '../../../test/support/pipeline.ts';
import { playHistory } from '../../../test/support/random-history.ts';
import { restoreState, saveState } from '../../../test/support/save-state.ts';
import { getQueue, toData } from '../../../test/support/state-data.ts';
import type { StoredEvent } from '../events/event.ts';
import { apply, fold } from '../events/fold.ts';
import { createDraft } from '../state/draft.ts';
import type { State } from '../state/state.ts';
import { getIndexRow, getSummary } from '../views/index-rows.ts';
import { LazyTasks } from './lazy-tasks.ts';

const histories = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 400, size: 'max' }).map(playHistory);
const NOTHING = { bodies: new Map(), parts: [] };

function applyAll(state: State, events: readonly StoredEvent[]): State {
  for (const stored of events) apply(state, stored);
  return state;
}

/** What people and rules see of a state. */
function getViews(state: State) {
  return [[...state.tasks.keys()].map(id => getIndexRow(state, id)), getSummary(state, 0), getQueue(state)];
}

describe('a state that was saved and read back', () => {
  it('is what a fold of everything gives, wherever it was saved and whatever came after', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(), { maxLength: 4 }), (history, given) => {
        const cuts = given.map(cut => cut % (history.length + 1)).sort((a, b) => a - b);
        let state = fold([]);
        let at = 0;
        let known: Parameters<typeof saveState>[1] = NOTHING;
        for (const cut of cuts) {
          applyAll(state, history.slice(at, cut));
          at = cut;
          const saved = saveState(state, known);
          state = restoreState(saved);
          known = { bodies: saved.bodies, parts: saved.head.closed };
          expect(getQueue(state)).toEqual(getQueue(fold(history.slice(0, cut))));
        }
        applyAll(state, history.slice(at));
        const whole = fold(history);
        expect([...state.open.keys()]).toEqual([...whole.open.keys()]);
        for (const [id, task] of state.open) expect(task).toBe(state.tasks.get(id));
        expect(getViews(state)).toEqual(getViews(whole));
        expect(toData(state)).toEqual(toData(whole));
      }),
      { numRuns: 300 },
    );
  });

  it('can be tried on without being changed, and changed the same way as any other', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, cut) => {
        const at = cut % history.length;
        const state = restoreState(saveState(fold(history.slice(0, at)), NOTHING));
        const draft = applyAll(createDraft(state), history.slice(at));
        const before = fold(history.slice(0, at));
        expect(getViews({ ...draft, ready: before.ready })[0]).toEqual(getViews(fold(history))[0]);
        expect(toData(state)).toEqual(toData(before));
      }),
    );
  });
});

const ALL = ['1', '2', '3', '4', '5', '6'];
const STORY = store([
  synced(ALL.map(id => makeTask(id, id === '6' ? ['1'] : []))),
  ...ALL.slice(0, 4).flatMap((id, at) => [...upTo('landing', id, { session: at + 1 }), landed(id)]),
]);

describe('tasks that have landed', () => {
  it('are read when they are asked for, and not before', () => {
    const { tasks, dependents } = restoreState(saveState(fold(STORY), NOTHING));
    if (!(tasks instanceof LazyTasks)) throw new Error('all tasks were read');
    const unread = () => [...tasks.keys()].filter(id => tasks.isUnread(id));
    expect(unread()).toEqual(['1', '2', '3', '4']);
    expect(tasks.get('2')?.landed?.commit).toBe('landed-2');
    expect([...(dependents.get('1') ?? [])]).toEqual(['6']);
    expect([unread(), tasks.size, tasks.has('3')]).toEqual([['3', '4'], 6, true]);
  });

  it('are written again only where something has changed', () => {
    const first = saveState(fold(STORY), NOTHING);
    const known = { bodies: first.bodies, parts: first.head.closed };
    const state = restoreState(first);
    expect(saveState(state, known).written).toEqual([]);
    expect(state.tasks.get('1')?.status).toBe('landed');
    expect(saveState(state, known).written).toEqual([]);
    apply(state, { ...(STORY.at(-1) as StoredEvent), event: synced([makeTask('6')]) });
    // Nothing depends on task 1 any more.
    expect(saveState(state, known).written).toHaveLength(2);
    apply(state, { ...(STORY.at(-1) as StoredEvent), event: reset('1') });
    const { written, head } = saveState(state, known);
    expect(head.closed.map(({ ids }) => ids)).toEqual([['3', '4'], ['2']]);
    expect(written).toHaveLength(2);
  });

  it('make no state where a part is missing, cut off or of something else', () => {
    const { head, bodies } = saveState(fold(STORY), NOTHING);
    const [name = ''] = head.open;
    const cut = new Map([...bodies, [name, (bodies.get(name) ?? new Uint8Array()).slice(0, -2)]]);
    const gone = new Map([...bodies].filter(([key]) => key !== head.closed[0]?.name));
    expect(() => restoreState({ head, bodies: cut })).toThrow();
    expect(() => restoreState({ head, bodies: gone })).toThrow();
  });
});

function reset(task: string): StoredEvent['event'] {
  return { type: 'task.reset', task, reason: 'by hand' };
}
