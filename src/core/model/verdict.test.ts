import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECK_NAMES, type CheckName, type CheckResult, type VerdictOutcome } from './check.ts';
import type { ProofBasis } from './task.ts';
import { getVerdict, isDecisive } from './verdict.ts';

type Status = CheckResult['status'];

function result(check: CheckName, status: Status): CheckResult {
  return {
    check,
    status,
    summary: `${check} says ${status}`,
    findings: [`of ${check}`],
    commands: [],
    durationMs: 1,
  };
}

function all(changes: Partial<Record<CheckName, Status>> = {}): CheckResult[] {
  return CHECK_NAMES.map(name => result(name, changes[name] ?? 'passed'));
}

const STATUSES: readonly Status[] = ['passed', 'failed', 'warned', 'skipped', 'needs-human', 'inconclusive'];
const REQUIRED: readonly CheckName[] = ['claim', 'protected', 'fail-to-pass', 'pass-to-pass'];

/** As `all`, where the task's own tests were green before. */
function unturned(changes: Partial<Record<CheckName, Status>> = {}): CheckResult[] {
  return all(changes).map(each =>
    each.check === 'fail-to-pass' ? { ...each, basis: 'nothing turned' } : each,
  );
}

describe('getVerdict', () => {
  it.each<[string, CheckResult[], VerdictOutcome, CheckName | null]>([
    ['everything passed', all(), 'proven', null],
    ['nothing turned, and broken code is noticed', unturned(), 'proven', null],
    ['nothing turned, and nobody looked', unturned({ mutation: 'skipped' }), 'inconclusive', 'mutation'],
    ['lint was skipped', all({ lint: 'skipped' }), 'proven', null],
    ['lint warned', all({ lint: 'warned' }), 'proven', null],
    ['lint failed', all({ lint: 'failed' }), 'rejected', 'lint'],
    ['the claim failed', all({ claim: 'failed' }), 'rejected', 'claim'],
    ['a protected file was changed', all({ protected: 'failed' }), 'rejected', 'protected'],
    ['the own test is red', all({ 'fail-to-pass': 'failed' }), 'rejected', 'fail-to-pass'],
    ['a person has to look', all({ 'fail-to-pass': 'needs-human' }), 'needs-human', 'fail-to-pass'],
    ['the suite ran out of time', all({ 'pass-to-pass': 'inconclusive' }), 'inconclusive', 'pass-to-pass'],
    ['a required check was skipped', all({ 'pass-to-pass': 'skipped' }), 'inconclusive', 'pass-to-pass'],
    ['a required check only warned', all({ protected: 'warned' }), 'inconclusive', 'protected'],
    [
      'tests were left to a person whom nobody asked',
      all({ 'fail-to-pass': 'skipped', human: 'skipped' }),
      'inconclusive',
      'fail-to-pass',
    ],
    ['a person said no', all({ human: 'failed' }), 'rejected', 'human'],
    ['nothing was checked', [], 'inconclusive', 'claim'],
    [
      'two checks object: the first in order decides',
      all({ 'pass-to-pass': 'inconclusive', protected: 'failed' }),
      'rejected',
      'protected',
    ],
    [
      'a check ran twice and failed once',
      [...all(), result('pass-to-pass', 'failed')],
      'rejected',
      'pass-to-pass',
    ],
    [
      'a person said yes, where tests were to decide',
      all({ 'fail-to-pass': 'skipped' }),
      'inconclusive',
      'fail-to-pass',
    ],
  ])('%s', (_, results, word, decidedBy) => {
    expect(getVerdict(results)).toMatchObject({ word, decidedBy });
  });

  const WITHOUT_TESTS = { 'fail-to-pass': 'skipped' } as const;
  const REVIEWED = { ...WITHOUT_TESTS, human: 'skipped' } as const;

  it.each<[string, CheckResult[], ProofBasis, VerdictOutcome, CheckName | null]>([
    ['a person said yes', all(WITHOUT_TESTS), 'person', 'proven', null],
    [
      'nobody asked the person',
      all({ ...WITHOUT_TESTS, human: 'skipped' }),
      'person',
      'inconclusive',
      'human',
    ],
    ['a design was read', all(REVIEWED), 'review', 'proven', null],
    ['nobody read the design', all({ ...REVIEWED, review: 'skipped' }), 'review', 'inconclusive', 'review'],
    [
      'nobody looked at its files',
      all({ ...REVIEWED, outputs: 'skipped' }),
      'review',
      'inconclusive',
      'outputs',
    ],
    ['the reader found something', all({ ...REVIEWED, review: 'failed' }), 'review', 'rejected', 'review'],
  ])('what a proof rests on says what is required: %s', (_, results, basis, word, decidedBy) => {
    expect(getVerdict(results, basis)).toMatchObject({ word, decidedBy });
  });

  it('is proven only when every required check passed and none said otherwise', () => {
    const results = fc.array(
      fc
        .tuple(
          fc.constantFrom(...REQUIRED, ...REQUIRED, ...REQUIRED, ...CHECK_NAMES),
          fc.oneof(
            { weight: 5, arbitrary: fc.constant<Status>('passed') },
            { weight: 1, arbitrary: fc.constantFrom(...STATUSES) },
          ),
        )
        .map(([check, status]) => result(check, status)),
      { maxLength: 12 },
    );
    let proven = 0;
    fc.assert(
      fc.property(results, list => {
        const isProven = getVerdict(list).word === 'proven';
        if (isProven) proven++;
        const has = (name: CheckName, status: Status) =>
          list.some(one => one.check === name && one.status === status);
        const isGood =
          REQUIRED.every(name => has(name, 'passed')) &&
          list.every(one => one.status === 'passed' || one.status === 'warned' || one.status === 'skipped');
        expect(isProven).toBe(isGood);
      }),
      { numRuns: 2_000 },
    );
    expect(proven).toBeGreaterThan(0);
  });

  it('takes one required check away from a proof: nothing is proven any more', () => {
    for (const name of REQUIRED)
      expect(getVerdict(all().filter(one => one.check !== name)).word).toBe('inconclusive');
  });

  it('counts what was skipped apart from what passed', () => {
    const { length } = all();
    expect(getVerdict(all()).reason).toBe(`${length} checks passed`);
    expect(getVerdict(all({ canary: 'skipped', visual: 'skipped' })).reason).toBe(
      `${length - 2} checks passed, 2 skipped`,
    );
  });

  it('hands warnings on with a proof, and the findings of the check that decides', () => {
    expect(getVerdict(all({ lint: 'warned' })).findings).toEqual(['of lint']);
    expect(getVerdict(all({ claim: 'failed' }))).toMatchObject({
      reason: 'claim says failed',
      findings: ['of claim'],
    });
  });
});

describe('isDecisive', () => {
  it.each<[Status, boolean]>([
    ['passed', false],
    ['warned', false],
    ['skipped', false],
    ['failed', true],
    ['needs-human', true],
    ['inconclusive', true],
  ])('%s: %s', (status, decisive) => {
    expect(isDecisive(result('claim', status))).toBe(decisive);
  });
});

it('says what it rests on where nothing turned from red to green', () => {
  expect(getVerdict(unturned())).toMatchObject({
    basis: 'nothing turned',
    reason: expect.stringMatching(/; nothing turned$/),
  });
  expect(getVerdict(all()).basis).toBeUndefined();
});
