import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { playHistory } from '../../../test/support/random-history.ts';
import { apply } from '../events/fold.ts';
import { createDraft } from './draft.ts';
import { createState, type State } from './state.ts';

const histories = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 300, size: 'max' }).map(playHistory);

/** Everything but the queue, in the order that it is kept in. */
function toText({ ready: _, ...state }: State): string {
  return JSON.stringify(state, (_key, value: unknown) =>
    value instanceof Map ? ['map', ...value] : value instanceof Set ? ['set', ...value] : value,
  );
}

describe('a draft', () => {
  it('becomes what the state would become, and leaves the state as it is', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 7 }), (history, step) => {
        const state = createState();
        for (let at = 0; at < history.length; at += step) {
          const events = history.slice(at, at + step);
          const before = toText(state);
          const draft = createDraft(state);
          const tried = events.flatMap(stored => [...apply(draft, stored)]);
          expect(toText(state)).toBe(before);
          const text = toText(draft);
          expect(tried).toEqual(events.flatMap(stored => [...apply(state, stored)]));
          expect(text).toBe(toText(state));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has maps that are read as any other, whatever was taken out and put in', () => {
    const operation = fc.record({
      does: fc.constantFrom('set', 'delete', 'change', 'clear'),
      key: fc.nat(6),
      value: fc.nat(9),
    });
    fc.assert(
      fc.property(fc.array(fc.nat(6)), fc.array(operation), (keys, operations) => {
        const base = () => new Map(keys.map(key => [String(key), { value: 0 }]));
        const state = { ...createState(), tasks: base() } as unknown as State;
        const draft = createDraft(state).tasks as unknown as ReturnType<typeof base>;
        const plain = base();
        for (const { does, key, value } of operations) {
          for (const map of [draft, plain]) {
            const found = map.get(String(key));
            if (does === 'set') map.set(String(key), { value });
            else if (does === 'delete') map.delete(String(key));
            else if (does === 'change' && found) found.value = value;
            else if (does === 'clear' && value === 0) map.clear();
          }
          expect(JSON.stringify([...draft])).toBe(JSON.stringify([...plain]));
        }
        const seen: string[] = [];
        draft.forEach((each, key) => void seen.push(key, String(each.value)));
        expect(seen).toEqual([...plain].flatMap(([key, each]) => [key, String(each.value)]));
        expect([draft.size, [...draft.keys()], draft.has('3')]).toEqual([
          plain.size,
          [...plain.keys()],
          plain.has('3'),
        ]);
        expect(state.tasks).toEqual(base());
      }),
    );
  });
});
