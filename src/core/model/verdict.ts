import { CHECK_NAMES, type CheckName, type CheckResult, type Verdict, type VerdictOutcome } from './check.ts';
import type { ProofBasis } from './task.ts';

const OUTCOME_BY_STATUS: Readonly<Record<CheckResult['status'], VerdictOutcome | null>> = {
  passed: null,
  warned: null,
  skipped: null,
  failed: 'rejected',
  'needs-human': 'needs-human',
  inconclusive: 'inconclusive',
};

/** Checks without which nothing can be proven, by what the proof rests on: they may pass, never be skipped or missing. */
const REQUIRED: Readonly<Record<ProofBasis, readonly CheckName[]>> = {
  tests: ['claim', 'protected', 'fail-to-pass', 'pass-to-pass'],
  review: ['claim', 'protected', 'outputs', 'pass-to-pass', 'review'],
  person: ['claim', 'protected', 'pass-to-pass', 'human'],
};

/** Where nothing turned from red to green, something has to be seen to go red when the code is broken. */
const UNTURNED: readonly CheckName[] = ['mutation'];

/** All that an agent hears of a finding that would tell it what it must not know. */
const UNSAID =
  'a test that you have not seen fails: read the task and its verification steps again, and do what they say in full';

/** The only road to `proven`: every required check ran and passed, and none said otherwise. */
export function getVerdict(results: readonly CheckResult[], rests: ProofBasis = 'tests'): Verdict {
  for (const name of CHECK_NAMES) {
    const result = results.find(r => r.check === name && isDecisive(r));
    const outcome = result ? OUTCOME_BY_STATUS[result.status] : null;
    if (result && outcome) {
      const findings = result.private ? [UNSAID] : result.findings;
      return { word: outcome, decidedBy: name, reason: result.summary, findings };
    }
  }
  const has = (name: CheckName, status: CheckResult['status']) =>
    results.some(r => r.check === name && r.status === status);
  const basis = results.find(r => r.basis !== undefined)?.basis;
  const missing = [...REQUIRED[rests], ...(basis === undefined ? [] : UNTURNED)].filter(
    name => !has(name, 'passed'),
  );
  if (missing.length > 0) {
    const reason = `not checked: ${missing.join(', ')}`;
    return { word: 'inconclusive', decidedBy: missing[0] ?? null, reason, findings: [] };
  }
  const warnings = results.filter(r => r.status === 'warned').flatMap(r => r.findings);
  const count = getCount(results);
  if (basis === undefined) return { word: 'proven', decidedBy: null, reason: count, findings: warnings };
  return { word: 'proven', decidedBy: null, reason: `${count}; ${basis}`, findings: warnings, basis };
}

/** What was not asked proves nothing, and is not counted with what was. */
function getCount(results: readonly CheckResult[]): string {
  const skipped = results.filter(({ status }) => status === 'skipped').length;
  const passed = `${results.length - skipped} checks passed`;
  return skipped > 0 ? `${passed}, ${skipped} skipped` : passed;
}

/** Whether nothing could be said because the ground gave way under a check: that is no fault of the work. */
export function isEnvironmentFault(judged: Judged | null): boolean {
  return judged?.verdict.word === 'inconclusive' && (getDecider(judged)?.measures?.environment ?? 0) > 0;
}

/** The check that decided, where one did. */
export function getDecider<C extends Pick<CheckResult, 'check'>>({
  verdict,
  checks,
}: {
  readonly verdict: Verdict;
  readonly checks: readonly C[];
}): C | undefined {
  return checks.find(({ check }) => check === verdict.decidedBy);
}

interface Judged {
  readonly verdict: Verdict;
  readonly checks: readonly Pick<CheckResult, 'check' | 'measures'>[];
}

/** Whether running further checks could still change the verdict. */
export function isDecisive(result: CheckResult): boolean {
  return OUTCOME_BY_STATUS[result.status] !== null;
}
