import type { Policy } from '../../src/core/model/policy.ts';
import { Chance } from './random.ts';
import { simPolicy } from './sim-policy.ts';

/** Who works in a night: the lanes of each process. */
export type Crew = readonly number[];

/** Eight workers, in as many processes as may be. */
const EIGHT: readonly Crew[] = [[4, 4], [3, 3, 2], [2, 2, 2, 2], [8]];

/** Two workers, some processes of several lanes each, or eight workers in all, in every fourth night. */
export function getCrew(seed: number): Crew {
  const own = new Chance(seed + 0x1a4e);
  if (seed % 2 !== 0) return [1, 1];
  if (seed % 4 === 0) return own.pick(EIGHT);
  const lanes = 2 + own.below(4);
  return [lanes, lanes];
}

/** The most that an agent spends between two looks at what it has spent. */
export const TURN_USD = 1;

/** In every third night there is less money than all would like to spend. */
export function getBudgetOfNight(seed: number): Policy['budget'] {
  const own = new Chance(seed + 0xb0d6);
  if (seed % 3 !== 0) return simPolicy.budget;
  return { perSessionUsd: 1.5 + own.below(3), perTaskUsd: 5 + own.below(5), totalUsd: 6 + own.below(14) };
}
