import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ended, landed, upTo } from '../../../test/support/pipeline.ts';
import { playHistory } from '../../../test/support/random-history.ts';
import type { Attempt } from '../state/attempt.ts';
import { createDraft } from '../state/draft.ts';
import { createState, type State } from '../state/state.ts';
import { getIndexRow } from '../views/index-rows.ts';
import { getTouches, isApart } from './apart.ts';
import type { HarnessEvent } from './event.ts';
import { apply } from './fold.ts';

const histories = fc.array(fc.nat(1_000), { minLength: 100, maxLength: 400, size: 'max' }).map(playHistory);

/** The state when these come next, and the rows that they write. */
function play(
  state: State,
  events: readonly HarnessEvent[],
): { later: State; rows: unknown[]; touches: Set<string> } {
  const later = createDraft(state);
  const touched = new Set<string>();
  for (const event of events) {
    const at = later.version + 1;
    for (const id of apply(later, { seq: at, stream: 'project', version: at, atMs: 0, event }))
      touched.add(id);
  }
  const rows = [...touched].map(id => getIndexRow(later, id));
  return { later, rows, touches: new Set(getTouches(later, touched)) };
}

/** What is left of an attempt that has just begun. */
function finish({ task, number: attempt, session, stage }: Attempt, way: number): HarnessEvent[] {
  if (stage !== 'leased') return [];
  const rest = upTo('judged', task, { attempt, session, word: 'proven' }).slice(1);
  if (way === 0) return rest;
  return [...rest, way === 1 ? landed(task, attempt) : ended(task, 'failed', { attempt })];
}

it('what stands apart changes neither whether facts fit nor the rows that they write', () => {
  const found = { apart: 0, conflicts: 0 };
  fc.assert(
    fc.property(histories, history => {
      const state = createState();
      for (const [at, stored] of history.entries()) {
        apply(state, stored);
        const [other, own] = [...state.active.values()];
        if (!other || !own) continue;
        const [theirs, mine] = [finish(other, at % 3), finish(own, at % 2)];
        if (theirs.length === 0 || mine.length === 0) continue;
        const alone = play(state, mine);
        if (theirs.every(event => isApart(event, alone.touches))) {
          expect(play(play(state, theirs).later, mine).rows).toEqual(alone.rows);
          found.apart++;
        } else found.conflicts++;
      }
    }),
  );
  expect(found.apart).toBeGreaterThan(50);
  expect(found.conflicts).toBeGreaterThan(5);
});

it.each([
  ['a change of the backlog', { type: 'backlog.synced' }],
  ['a decision about another task', { type: 'task.reset', task: '2' }],
  ['a fact about the same task', { type: 'attempt.prepared', task: '1', attempt: 1 }],
  ['the start of an attempt at it', { type: 'attempt.started', task: '1', attempt: 2 }],
  ['an event of a later version', { type: 'task.teleported', task: '2', attempt: 1 }],
])('%s does not stand apart', (_, event) => {
  expect(isApart(event as never, new Set(['1']))).toBe(false);
});
