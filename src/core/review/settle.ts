import type { Finding, SettledFinding } from '../model/finding.ts';

/** What was found out about a finding whose words are where it says. */
export interface Evidence {
  /**
   * What its own test said. `red`: red for its reason. `red-on-base`: red before the change as well. `green`: not red at all.
   * `unsound`: red for a reason of its own. `none`: there is none that could be run.
   */
  readonly test: 'red' | 'red-on-base' | 'green' | 'unsound' | 'none';
  /** What a second reader said, who had the task and the files; `unasked` where nobody was. */
  readonly reader: 'stands' | 'refuted' | 'unknown' | 'unasked';
  /** Whether the step that it cites is one of the task's. */
  readonly isCited: boolean;
  /** Whether an earlier pass could have said it: nothing has changed there since, and it was not said then. */
  readonly isLate: boolean;
}

/** Whether a second reader has to be asked before anything can be said. */
export function needsReader(
  { severity }: Finding,
  { test, isCited, isLate }: Omit<Evidence, 'reader'>,
): boolean {
  if (severity === 'low' || test === 'green' || test === 'red-on-base') return false;
  if (test === 'red') return !isCited;
  return severity !== 'critical' && !isLate;
}

/** What becomes of a finding. A reviewer's word alone is never enough, and nobody's silence refutes it. */
export function settle(finding: Finding, evidence: Evidence): SettledFinding {
  const [settled, why] = getSettlement(finding, evidence);
  return { ...finding, settled, why };
}

function getSettlement(
  { severity }: Finding,
  { test, reader, isCited, isLate }: Evidence,
): readonly [SettledFinding['settled'], string] {
  if (severity === 'low') return ['later', 'it is low'];
  if (test === 'green') return ['refuted', 'its own test is green'];
  // What the task asks for was not there before either.
  if (isRed(test) && isCited) return ['blocks', 'its test is red, and a step of the task asks for it'];
  if (test === 'red-on-base') return ['later', 'its test is red without the change as well'];
  if (test === 'red') {
    if (reader === 'stands') return ['blocks', 'its test is red, and a second reader agrees'];
    return ['person', 'its test is red, and nobody could tell whether the task asks for what it expects'];
  }
  if (severity === 'critical') return ['person', 'it is critical, and no test could show it'];
  if (isLate) return ['later', 'nothing has changed there since the pass before, which did not say it'];
  if (reader === 'refuted') return ['refuted', 'a second reader quoted what contradicts it'];
  if (reader === 'stands') return ['blocks', 'a second reader agrees'];
  return ['blocks', 'no second reader could refute it'];
}

function isRed(test: Evidence['test']): boolean {
  return test === 'red' || test === 'red-on-base';
}

/** The same finding in another pass, however it is worded: its place and what it quotes. */
export function getFingerprint({ file, quote, claim, test }: Finding): string {
  const words = (quote === '' ? claim : quote).replace(/\s+/g, ' ').trim();
  return JSON.stringify([file, words, test?.path ?? null]);
}
