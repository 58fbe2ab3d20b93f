/** How bad a finding is; what is `low` is for later and stands in nobody's way. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;

export type Severity = (typeof SEVERITIES)[number];

/** What a reviewer says is wrong, as it said so. */
export interface Finding {
  readonly severity: Severity;
  /** Null where the reviewer named no place. */
  readonly file: string | null;
  readonly line: number | null;
  readonly claim: string;
  /** Words of the file, or of the task, that show it. */
  readonly quote: string;
  /** The step of the task that is not met, in its own words. */
  readonly criterion: string | null;
  /** A test that is red because of it. */
  readonly test: { readonly path: string; readonly content: string } | null;
}

/**
 * What became of a finding. `blocks`: it has to be put right. `person`: it would be too grave to pass over, and nobody
 * could show it. `later`: noted, and nobody is told to act on it. `unfounded`: what it quotes is not there. `refuted`:
 * its own test is green, or a second reader quoted what contradicts it.
 */
export type Settlement = 'blocks' | 'person' | 'later' | 'unfounded' | 'refuted';

/** A finding and what was found out about it. */
export interface SettledFinding extends Finding {
  readonly settled: Settlement;
  readonly why: string;
}
