/** Chance that comes out the same for the same words. */
export interface Random {
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(from: readonly T[]): readonly T[];
}

/** Mulberry32, begun from a hash of the seed's text. */
export function createSeeded(seed: string): Random {
  let state = 2_166_136_261;
  for (const char of seed) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: from => {
      if (from.length === 0) throw new Error('there is nothing to pick from');
      return from[below(from.length)] as (typeof from)[number];
    },
    shuffle: from =>
      from
        .map(one => [next(), one] as const)
        .sort(byFirst)
        .map(([, one]) => one),
  };
}

const byFirst = (a: readonly [number, unknown], b: readonly [number, unknown]): number => a[0] - b[0];
