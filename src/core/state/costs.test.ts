import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { Attempt } from './attempt.ts';
import { getLeftUsd, getReserve, getReservedUsd, getSessionUsd } from './costs.ts';
import type { State } from './state.ts';
import type { TaskState } from './task-state.ts';

const BACKLOG = synced(['1', '2', '3', '4'].map(id => makeTask(id)));
const RULES = { ...simPolicy, budget: { perSessionUsd: 4, perTaskUsd: 6, totalUsd: 10 } };

const begun = (task: string, session: number, reserveUsd: number): HarnessEvent[] =>
  upTo('in-session', task, { session, worker: `w${task}` }).map(event =>
    event.type === 'attempt.started' ? { ...event, reserveUsd } : event,
  );
const spent = (task: string, session: number, costUsd: number): HarnessEvent => ({
  ...{ type: 'session.spent', task, attempt: 1, session, usage: { ...NO_USAGE, costUsd } },
});
const raised = (toUsd: number): HarnessEvent => ({
  type: 'budget.raised',
  task: null,
  toUsd,
  by: 'somebody',
});
const getAt = (state: State, id: string) => ({
  task: getTask(state, id),
  attempt: state.active.get(id) as Attempt,
});
const getTask = (state: State, id: string) => state.tasks.get(id) as TaskState;

describe('the budget of several workers', () => {
  it('keeps for those at work what they have not spent yet', () => {
    const state = foldAll(BACKLOG, begun('1', 1, 4), begun('2', 2, 4), spent('1', 1, 1));
    expect(getReservedUsd(state)).toBe(7);
    expect(getReservedUsd(state, '1')).toBe(4);
    expect(getLeftUsd(RULES, state, '1')).toBe(5);
    expect(getLeftUsd(RULES, state, '3')).toBe(2);
  });

  it('gives a session its worth, or nothing while others may spend the rest', () => {
    const none = foldAll(BACKLOG);
    expect(getReserve(RULES, none, getTask(none, '1'))).toBe(4);
    const two = foldAll(BACKLOG, begun('1', 1, 4), begun('2', 2, 4));
    expect(getReserve(RULES, two, getTask(two, '3'))).toBeNull();
  });

  it('gives the only worker whatever is left', () => {
    const state = foldAll(BACKLOG, begun('1', 1, 9), spent('1', 1, 9));
    expect(getReserve(RULES, state, getTask(state, '2'))).toBe(1);
  });

  it('lets a session spend what is kept for it, and no more when somebody raises the budget meanwhile', () => {
    const state = foldAll(BACKLOG, begun('1', 1, 1), raised(20), begun('2', 2, 4));
    expect(getSessionUsd(RULES, state, getAt(state, '1'))).toBe(1);
    expect(getSessionUsd(RULES, state, getAt(state, '2'))).toBe(4);
  });

  it('lets a session spend less than is kept for it once others went over what they had', () => {
    const state = foldAll(BACKLOG, begun('1', 1, 5), begun('2', 2, 4), spent('1', 1, 8));
    expect(getSessionUsd(RULES, state, getAt(state, '2'))).toBe(2);
  });

  it('knows of no other limit where an older harness kept nothing', () => {
    const state = foldAll(BACKLOG, upTo('ready', '1'));
    expect(getSessionUsd(RULES, state, getAt(state, '1'))).toBe(4);
  });

  it('keeps nothing for what waits to land', () => {
    const state = foldAll(BACKLOG, upTo('judged', '1'), {
      ...{ type: 'candidate.queued', task: '1', attempt: 1, commit: 'c' },
    });
    expect(getReservedUsd(state)).toBe(0);
  });

  it('is never promised twice: what is spent and what is kept stay below it, whoever begins when', () => {
    const steps = fc.array(
      fc.record({
        task: fc.constantFrom('1', '2', '3', '4'),
        costUsd: fc.double({ min: 0, max: 4, noNaN: true }),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, told => {
        const events: HarnessEvent[] = [];
        const kept = new Map<string, number>();
        for (const { task, costUsd } of told) {
          const state = foldAll(BACKLOG, events);
          const keptUsd = kept.get(task);
          if (keptUsd !== undefined) {
            const usd = Math.min(costUsd, keptUsd);
            kept.set(task, keptUsd - usd);
            events.push(spent(task, kept.size, usd));
          } else {
            const reserveUsd = getReserve(RULES, state, getTask(state, task));
            if (reserveUsd === null) continue;
            kept.set(task, reserveUsd);
            events.push(...begun(task, kept.size, reserveUsd));
          }
          const { usage } = foldAll(BACKLOG, events).costs;
          const keptInAll = [...kept.values()].reduce((sum, usd) => sum + usd, 0);
          expect(usage.costUsd + keptInAll).toBeLessThanOrEqual(10.000_001);
        }
      }),
    );
  });
});
