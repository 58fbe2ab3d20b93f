import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playHistory } from '../../../test/support/random-history.ts';
import { getQueue, toData } from '../../../test/support/state-data.ts';
import { compareIds, type TaskStatus } from '../model/task.ts';
import { createState, type State } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import { isBlockedByDependency } from '../state/task-state.ts';
import { apply, fold } from './fold.ts';

/** Long ones, of many kinds of events: short ones seldom hold a task that dies, comes back and lands. */
const histories = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 400, size: 'max' }).map(playHistory);

function isDead(state: State, task: TaskState): boolean {
  if (task.status === 'failed' || task.status === 'blocked') return true;
  if (task.status !== 'pending' && task.status !== 'retry') return false;
  return getDeadDeps(state, task) > 0;
}

function getDeadDeps(state: State, task: TaskState): number {
  return task.def.dependsOn.filter(id => {
    const dependency = state.tasks.get(id);
    return dependency !== undefined && isDead(state, dependency);
  }).length;
}

function getUnmet(state: State, task: TaskState): number {
  return task.def.dependsOn.filter(id => state.tasks.get(id)?.status !== 'landed').length;
}

/** Fresh tasks by priority and id, then failed ones by priority and the oldest failure. */
/** A person has said all that was missing. */
function isDecided({ held, people }: TaskState): boolean {
  const { override, answer, submittedBy } = people;
  const isApproved = held?.awaitsPerson && answer?.passed && answer.tree === held.candidate.tree;
  return override !== null || submittedBy !== null || isApproved === true;
}

function getNaiveQueue(state: State): string[] {
  const ready = [...state.tasks.values()].filter(
    task =>
      (task.status === 'pending' || task.status === 'retry') &&
      (isDecided(task) || getUnmet(state, task) === 0),
  );
  const isCutOff = (task: TaskState) => task.status === 'retry' && task.history.at(-1)?.outcome === 'partial';
  const getGroup = (task: TaskState) =>
    isDecided(task) ? -1 : isCutOff(task) ? 0 : task.status === 'pending' ? 1 : 2;
  const compare = (a: TaskState, b: TaskState): number =>
    getGroup(a) - getGroup(b) ||
    (getGroup(a) === -1 ? 0 : a.def.priority - b.def.priority) ||
    (getGroup(a) === 2 ? a.failedAtMs - b.failedAtMs : 0) ||
    compareIds(a.def.id, b.def.id);
  return ready.sort(compare).map(task => task.def.id);
}

describe('the state after any legal history', () => {
  it('has counted unmet and dead dependencies as a recount from nothing would', () => {
    fc.assert(
      fc.property(histories, history => {
        const state = createState();
        for (const stored of history) {
          apply(state, stored);
          const tasks = [...state.tasks.values()];
          expect(tasks.map(task => [task.def.id, task.unmet, task.deadDeps])).toEqual(
            tasks.map(task => [task.def.id, getUnmet(state, task), getDeadDeps(state, task)]),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has a queue that a sort of all tasks would give', () => {
    fc.assert(
      fc.property(histories, history => {
        const state = fold(history);
        expect(getQueue(state)).toEqual(getNaiveQueue(state));
        expect(state.ready.size).toBe(getNaiveQueue(state).length);
      }),
      { numRuns: 200 },
    );
  });

  it('has as many tasks of each status as it says', () => {
    fc.assert(
      fc.property(histories, history => {
        const state = fold(history);
        for (const status of Object.keys(state.counts) as TaskStatus[]) {
          const count = [...state.tasks.values()].filter(task => task.status === status).length;
          expect(state.counts[status], status).toBe(count);
        }
        const open = [...state.tasks].filter(([, { status }]) => status !== 'landed' && status !== 'removed');
        expect(new Map(state.open)).toEqual(new Map(open));
        for (const [id, task] of state.open) expect(task).toBe(state.tasks.get(id));
        const started = [...state.tasks.values()].reduce((sum, task) => sum + task.started, 0);
        expect(state.totals.attempts).toBe(started);
        expect([...state.active.keys()].sort()).toEqual(
          [...state.tasks.values()]
            .filter(task => task.status === 'active')
            .map(task => task.def.id)
            .sort(),
        );
      }),
    );
  });

  it('is the same however often and in however many steps it is made', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (history, cut) => {
        const at = cut % (history.length + 1);
        const stepped = fold(history.slice(0, at));
        for (const stored of history.slice(at)) apply(stepped, stored);
        expect(toData(stepped)).toEqual(toData(fold(history)));
        expect(toData(fold(history))).toEqual(toData(fold(JSON.parse(JSON.stringify(history)))));
      }),
    );
  });

  it('names every task whose row may have changed', () => {
    fc.assert(
      fc.property(histories, history => {
        const state = createState();
        const rows = new Map<string, string>();
        for (const stored of history) {
          const touched = apply(state, stored);
          for (const [id, task] of state.tasks) {
            const row = JSON.stringify([task.status, state.ready.rankOf(id), isBlockedByDependency(task)]);
            if (!touched.has(id)) expect(row, `${id} after ${stored.event.type}`).toBe(rows.get(id));
            rows.set(id, row);
          }
        }
      }),
    );
  });

  it('shows no commit for a task that has to be done again', () => {
    fc.assert(
      fc.property(histories, history => {
        for (const task of fold(history).tasks.values())
          if (task.status === 'pending') expect(task.landed).toBeNull();
      }),
    );
  });
});
