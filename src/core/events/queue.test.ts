import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask, store } from '../../../test/support/history.ts';
import { failing, foldAll, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import { decide } from '../decide/decide.ts';
import type { State } from '../state/state.ts';
import type { HarnessEvent } from './event.ts';
import { apply } from './fold.ts';

const COUNT = 10_000;
/** A map that notices every look at one of its entries. */
class CountingMap<K, V> extends Map<K, V> {
  looks = 0;

  override get(key: K): V | undefined {
    this.looks++;
    return super.get(key);
  }

  override *values(): MapIterator<V> {
    for (const value of super.values()) {
      this.looks++;
      yield value;
    }
  }

  override *entries(): MapIterator<[K, V]> {
    for (const entry of super.entries()) {
      this.looks++;
      yield entry;
    }
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }
}

function countLooks(state: State): CountingMap<string, unknown> {
  const tasks = new CountingMap(state.tasks);
  tasks.looks = 0;
  Object.assign(state, { tasks });
  return tasks;
}

function applyAll(state: State, events: readonly HarnessEvent[]): void {
  for (const stored of store(events)) apply(state, stored);
}

describe('a backlog of 10,000 tasks', () => {
  const backlog = synced(
    Array.from({ length: COUNT }, (_, i) => ({
      ...makeTask(`t${i}`, i % 3 === 0 ? [] : [`t${i - 1}`]),
      priority: i % 5,
    })),
  );

  it('is not read through to find the next task', () => {
    const state = foldAll(backlog);
    const tasks = countLooks(state);
    expect(decide(state, WORLD, simPolicy, SCOPE)).toEqual({ type: 'lease', task: 't0' });
    expect(tasks.looks).toBeLessThan(5);
  });

  it('is not read through when an attempt starts, fails, or sets others free', () => {
    const state = foldAll(backlog);
    const tasks = countLooks(state);
    applyAll(state, [...failing('t0', 'rejected'), ...failing('t3', 'needs-human')]);
    applyAll(state, [...upTo('judged', 't0', { attempt: 2 }), landedAgain]);
    expect(state.ready.rankOf('t1')).not.toBeNull();
    expect(tasks.looks).toBeLessThan(60);
  });

  it('is counted through when somebody does read it: the measure works', () => {
    const state = foldAll(backlog);
    const tasks = countLooks(state);
    expect([...state.tasks.values()]).toHaveLength(COUNT);
    expect(tasks.looks).toBe(COUNT);
  });
});

const landedAgain: HarnessEvent = {
  type: 'task.landed',
  task: 't0',
  attempt: 2,
  commit: 'c',
  ref: 'refs/heads/main',
};

describe('the order of the queue', () => {
  it('is fresh tasks by priority and id, then failed ones by priority and the oldest failure', () => {
    const of = (id: string, priority: number) => ({ ...makeTask(id), priority });
    const state = foldAll(
      synced([of('10', 1), of('9', 1), of('b', 0), of('late', 0), of('early', 0), of('low', 2)]),
      failing('early', 'rejected'),
      failing('late', 'rejected', { session: 2 }),
      failing('low', 'rejected', { session: 3 }),
    );
    const taken = new Set<string>();
    for (let next = state.ready.peek(); next !== null; next = state.ready.peek(id => taken.has(id)))
      taken.add(next);
    expect([...taken]).toEqual(['b', '9', '10', 'early', 'late', 'low']);
  });
});
