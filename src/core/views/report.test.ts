import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeStory, STORY_START_MS } from '../../../test/support/history.ts';
import { playHistory } from '../../../test/support/random-history.ts';
import type { StoredEvent } from '../events/event.ts';
import { fold } from '../events/fold.ts';
import { getReport } from './report.ts';

const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const report = (events: readonly StoredEvent[], span = ALL) => getReport(fold(events), events, span);

describe('the report', () => {
  it('tells what was proven, what was rejected and what it cost', () => {
    const told = report(makeStory());
    expect(told.proven).toEqual([
      { task: '1', title: 'Build part 1', commit: 'abc1234567', proof: 'x', attempt: 1 },
    ]);
    expect(told.rejected.map(one => [one.task, one.attempt])).toEqual([['2', 1]]);
    expect(told.costUsd).toBeCloseTo(0.2);
    expect(told.next).toEqual(['harness run takes task 2: Build part 2']);
  });

  it('calls an empty backlog empty, and not done', () => {
    expect(report([]).next).toEqual([expect.stringContaining('the backlog is empty: harness add')]);
  });

  it('leaves out what happened before', () => {
    const told = report(makeStory(), { fromMs: STORY_START_MS + 1e9, toMs: STORY_START_MS + 2e9 });
    expect([told.proven, told.rejected, told.timeline, told.costUsd]).toEqual([[], [], [], 0]);
  });

  it('never lists a landing without a proof as proven', () => {
    const state = fold(makeStory());
    const events = makeStory().filter(({ event }) => event.type !== 'verdict.given');
    const told = getReport(state, events, ALL);
    expect(told.proven).toEqual([]);
    expect(told.unproven.map(one => one.task)).toEqual(['1']);
  });

  it('names a proof by its own hash, as its commit does', () => {
    const events = makeStory().map(stored => {
      const { event } = stored;
      if (event.type !== 'verdict.given') return stored;
      return { ...stored, event: { ...event, proof: { ...event.proof, hash: 'own' } } };
    });
    expect(report(events).proven.map(({ proof }) => proof)).toEqual(['own']);
  });

  it('counts what was spent as the state does, whatever was recorded as it went', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), fc.nat({ max: 3 }), (choices, parts) => {
        const events = addSpent(playHistory(choices), parts);
        expect(report(events).costUsd).toBeCloseTo(fold(events).costs.usage.costUsd);
      }),
    );
  });

  it('lists every task that is done as proven or as unproven, and none as both', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 400 }), choices => {
        const events = playHistory(choices);
        const state = fold(events);
        const told = getReport(state, events, ALL);
        const done = [...state.tasks.values()].filter(task => task.status === 'landed');
        const proven = new Set(told.proven.map(one => `${one.task}#${one.attempt}`));
        const unproven = new Set(told.unproven.map(one => one.task));
        for (const { def, landed } of done) {
          expect(unproven.has(def.id)).toBe(!proven.has(`${def.id}#${landed?.attempt}`));
        }
      }),
    );
  });
});

/** The same history, with a part of what each session used recorded before its end. */
function addSpent(events: readonly StoredEvent[], parts: number): StoredEvent[] {
  const all = events.flatMap(stored => {
    const { event } = stored;
    if (event.type !== 'session.ended') return [stored];
    const { task, attempt, session, usage } = event;
    const part = { ...usage, costUsd: usage.costUsd / 4 };
    const spent = { type: 'session.spent', task, attempt, session, usage: part } as const;
    return [...Array.from({ length: parts }, () => ({ ...stored, event: spent })), stored];
  });
  return all.map((stored, i) => ({ ...stored, seq: i + 1 }));
}
