import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Callers that stay until they are let go, and a record of who is in. */
function enter(turns: Turns, count: number) {
  const inside: number[] = [];
  const leave = new Map<number, (error?: Error) => void>();
  const ends = Array.from({ length: count }, (_, caller) =>
    turns.take(async () => {
      inside.push(caller);
      await new Promise<void>((resolve, reject) => {
        leave.set(caller, error => (error ? reject(error) : resolve()));
      }).finally(() => inside.splice(inside.indexOf(caller), 1));
      return caller;
    }),
  );
  const settle = () => new Promise(setImmediate);
  return { inside, ends, settle, leave: (caller: number, error?: Error) => leave.get(caller)?.(error) };
}

describe.each([1, 2, 3])('turns for %i at once', atOnce => {
  it('let so many in, and the others in the order they came', async () => {
    const { inside, ends, settle, leave } = enter(new Turns(atOnce), 5);
    await settle();
    expect(inside).toEqual([0, 1, 2].slice(0, atOnce));
    for (let caller = 0; caller < 5; caller++) {
      leave(caller);
      await settle();
      expect(inside).toEqual([0, 1, 2, 3, 4].slice(caller + 1, caller + 1 + atOnce));
    }
    expect(await Promise.all(ends)).toEqual([0, 1, 2, 3, 4]);
  });

  it('go on after one that fails, and are all free in the end', async () => {
    const turns = new Turns(atOnce);
    const { inside, ends, settle, leave } = enter(turns, 4);
    const failed = expect(ends[0]).rejects.toThrow('too bad');
    await settle();
    leave(0, new Error('too bad'));
    await failed;
    for (let caller = 1; caller < 4; caller++) {
      await settle();
      leave(caller);
    }
    await Promise.all(ends.slice(1));
    expect(inside).toEqual([]);
    const again = enter(turns, atOnce + 1);
    await again.settle();
    expect(again.inside).toHaveLength(atOnce);
  });
});
