import type { ArtifactRef } from './facts.ts';
import type { SettledFinding } from './finding.ts';
import type { Usage } from './usage.ts';

/** The checks in the order they run; the verdict names the first that decides. */
export const CHECK_NAMES = [
  'claim',
  'protected',
  'diff',
  'outputs',
  'test-aware',
  'fail-to-pass',
  'evidence',
  'pass-to-pass',
  'observed',
  'surface',
  'canary',
  'reversal',
  'mutation',
  'held-out',
  'lint',
  'types',
  'build',
  'size',
  'e2e',
  'review',
  'visual',
  'human',
] as const;

/** What the claim check says of a claim that comes without any work. */
export const NOTHING_CHANGED = 'nothing was changed';

export type CheckName = (typeof CHECK_NAMES)[number];

/** A file that a proof's commands opened, or that was changed, and what it is to them. */
export interface ObservedFile {
  readonly path: string;
  readonly role: 'test' | 'helper' | 'product' | 'judge' | 'shared';
  readonly why: string;
}

export interface Observed {
  readonly files: readonly ObservedFile[];
  /** Commands of which nobody could see what they opened. */
  readonly unseen: readonly string[];
}

/**
 * What one check found. `inconclusive` means the check itself could not be carried out
 * (a runner that never started, a report that was not written): never a pass.
 */
export interface CheckResult {
  readonly check: CheckName;
  readonly status: 'passed' | 'failed' | 'warned' | 'skipped' | 'needs-human' | 'inconclusive';
  readonly summary: string;
  /** Fed back to the agent and shown to people, one line each. */
  readonly findings: readonly string[];
  readonly commands: readonly string[];
  readonly durationMs: number;
  /** What was counted, by name (`errors`, `warnings`), so that a trend can be read from the record. */
  readonly measures?: Readonly<Record<string, number>>;
  /** Ids of the tests that were red, where the check is about tests. */
  readonly failing?: readonly string[];
  /** What the verdict rests on where nothing turned from red to green. */
  readonly basis?: string;
  /** What it cost, where somebody was asked. */
  readonly usage?: Usage;
  /** Content hashes of files that no tree holds and the check went by. */
  readonly hashes?: Readonly<Record<string, string>>;
  /** What it found is for people: the agent is only told that something is wrong. */
  readonly private?: true;
  /** What the commands of the proof were seen to open, and what it was to them. */
  readonly observed?: Observed;
  /** What a reviewer found, and what became of each of it. */
  readonly found?: readonly SettledFinding[];
  /** Files that were kept for people, such as screenshots. */
  readonly artifacts?: readonly ArtifactRef[];
}

export type VerdictOutcome = 'proven' | 'rejected' | 'needs-human' | 'inconclusive';

/** What the checks add up to, and why. */
export interface Verdict {
  readonly word: VerdictOutcome;
  readonly decidedBy: CheckName | null;
  readonly reason: string;
  readonly findings: readonly string[];
  /** What it rests on where nothing turned from red to green. */
  readonly basis?: string;
}

/** What checks warned of without standing in the way, one line each; empty when there is nothing. */
export function getWarnings(checks: readonly Pick<CheckResult, 'check' | 'status' | 'summary'>[]): string[] {
  return checks
    .filter(({ status }) => status === 'warned')
    .map(({ check, summary }) => `${check}: ${summary.split('\n', 1)[0] ?? ''}`);
}

/** The same as the end of a sentence. */
export function getWarningText(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  return `with ${warnings.length === 1 ? 'a warning' : 'warnings'} of ${warnings.join('; ')}`;
}
