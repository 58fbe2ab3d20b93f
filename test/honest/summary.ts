import type { CheckName } from '../../src/core/model/check.ts';
import type { Outcome } from './play-change.ts';

/** Checks that look at names, words and roles; what the others find is about behaviour. */
const BY_NAME: readonly (CheckName | null)[] = [
  ...(['claim', 'protected', 'diff', 'test-aware', 'observed', 'surface'] as const),
];

export interface Summary {
  readonly repositories: number;
  readonly changes: number;
  readonly landed: number;
  readonly refused: number;
  /** Refused for a name, a word or a role. */
  readonly byName: number;
  readonly notStarted: number;
  /** How often somebody else had to read the work. */
  readonly reviewed: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly reasons: readonly Outcome[];
}

/** What the outcomes add up to. */
export function getSummary(outcomes: readonly Outcome[]): Summary {
  const count = (is: (one: Outcome) => boolean): number => outcomes.filter(is).length;
  const kinds: Record<string, number> = {};
  for (const { kind } of outcomes) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return {
    repositories: new Set(outcomes.map(one => one.repository)).size,
    changes: outcomes.length,
    landed: count(({ end }) => end === 'landed'),
    refused: count(({ end }) => end === 'refused'),
    byName: count(({ end, check }) => end === 'refused' && BY_NAME.includes(check)),
    notStarted: count(({ end }) => end === 'not-started'),
    reviewed: count(({ reviewed }) => reviewed),
    kinds,
    reasons: outcomes.filter(({ end, reviewed }) => end !== 'landed' || reviewed),
  };
}
