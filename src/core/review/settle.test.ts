import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Finding, SEVERITIES, type Settlement } from '../model/finding.ts';
import { type Evidence, getFingerprint, needsReader, settle } from './settle.ts';

const FINDING: Finding = {
  severity: 'high',
  file: 'src/a.js',
  line: 3,
  claim: 'it is wrong',
  quote: 'return a + b;',
  criterion: null,
  test: null,
};
const EVIDENCE: Evidence = { test: 'none', reader: 'unasked', isCited: false, isLate: false };

const evidence = fc.record<Evidence>({
  test: fc.constantFrom('red', 'red-on-base', 'green', 'unsound', 'none'),
  reader: fc.constantFrom('stands', 'refuted', 'unknown', 'unasked'),
  isCited: fc.boolean(),
  isLate: fc.boolean(),
});
const severity = fc.constantFrom(...SEVERITIES);

describe('settle', () => {
  it.each<[string, Partial<Finding>, Partial<Evidence>, Settlement]>([
    ['a red test and a step', {}, { test: 'red', isCited: true }, 'blocks'],
    ['a red test that a reader agrees with', {}, { test: 'red', reader: 'stands' }, 'blocks'],
    ['a red test that expects what no step says', {}, { test: 'red', reader: 'unknown' }, 'person'],
    ['a red test that a reader contradicts', {}, { test: 'red', reader: 'refuted' }, 'person'],
    ['a test that was red before', {}, { test: 'red-on-base' }, 'later'],
    [
      'a test that was red before, of what the task asks for',
      {},
      { test: 'red-on-base', isCited: true },
      'blocks',
    ],
    ['a green test', { severity: 'critical' }, { test: 'green' }, 'refuted'],
    ['critical, and nothing to show', { severity: 'critical' }, { reader: 'refuted' }, 'person'],
    ['high, and nobody can tell', {}, { reader: 'unknown' }, 'blocks'],
    ['medium, refuted', { severity: 'medium' }, { reader: 'refuted' }, 'refuted'],
    ['medium, late', { severity: 'medium' }, { isLate: true, reader: 'stands' }, 'later'],
    ['late, with a test', {}, { isLate: true, test: 'red', isCited: true }, 'blocks'],
    [
      'low, whatever there is',
      { severity: 'low' },
      { test: 'red', isCited: true, reader: 'stands' },
      'later',
    ],
  ])('%s', (_, finding, given, settled) => {
    expect(settle({ ...FINDING, ...finding }, { ...EVIDENCE, ...given }).settled).toBe(settled);
  });

  it('never lets what is low stand in the way, and never lets silence refute', () => {
    fc.assert(
      fc.property(severity, evidence, (one, given) => {
        const { settled } = settle({ ...FINDING, severity: one }, given);
        if (one === 'low') expect(settled).toBe('later');
        if (settled === 'refuted') expect(given.test === 'green' || given.reader === 'refuted').toBe(true);
        if (settled === 'blocks')
          expect(
            given.test.startsWith('red') ||
              given.reader === 'stands' ||
              given.reader === 'unknown' ||
              given.reader === 'unasked',
          ).toBe(true);
      }),
    );
  });

  it('asks a second reader wherever one could change what follows, and nowhere else', () => {
    fc.assert(
      fc.property(severity, evidence, (one, given) => {
        const finding = { ...FINDING, severity: one };
        const outcomes = (['stands', 'refuted', 'unknown'] as const).map(
          reader => settle(finding, { ...given, reader }).settled,
        );
        expect(needsReader(finding, given)).toBe(new Set(outcomes).size > 1);
      }),
    );
  });
});

it('a finding is the same in other words, at another line, and another at another place', () => {
  const print = getFingerprint(FINDING);
  expect(getFingerprint({ ...FINDING, claim: 'in other words', line: 9, severity: 'low' })).toBe(print);
  expect(getFingerprint({ ...FINDING, quote: 'return  a\n+ b;' })).toBe(print);
  expect(getFingerprint({ ...FINDING, file: 'src/b.js' })).not.toBe(print);
});
