import { describe, expect, it } from 'vitest';
import type { Criterion } from './acceptance.ts';
import { type CitedTest, getReadiness, type JudgedCriterion, judgeCriterion } from './release.ts';
import type { Standing, TracedTask } from './trace.ts';

const CRITERION: Criterion = {
  tag: 'a',
  text: 'x',
  line: 4,
  isTicked: false,
  tests: [],
  plans: [],
  connections: [],
};
const task = (standing: Standing): TracedTask => {
  const names = { commit: 'c', proof: standing === 'proven' || standing === 'broken' ? 'p' : null };
  return { id: standing, title: 't', verificationSteps: [], tags: ['a'], standing, ...names };
};
const cited = (status: CitedTest['status']): CitedTest => ({ path: `${status}.js`, status, summary: status });

describe('a criterion', () => {
  it.each<[readonly Standing[], readonly CitedTest['status'][], JudgedCriterion['status']]>([
    [[], [], 'uncovered'],
    [['proven'], [], 'covered'],
    [['proven'], ['passed'], 'covered'],
    [['proven', 'proven'], ['passed', 'passed'], 'covered'],
    [['proven'], ['passed', 'missing'], 'covered-but-test-missing'],
    [['proven'], ['passed', 'failed'], 'covered-but-test-failed'],
    [['open'], ['passed'], 'uncovered'],
    [['proven', 'open'], [], 'uncovered'],
    [['proven', 'broken'], [], 'uncovered'],
    [['proven', 'reopened'], [], 'uncovered'],
    [['proven', 'left-out'], [], 'uncovered'],
    [['by-word'], [], 'by-person'],
    [['proven', 'awaits-person'], [], 'by-person'],
    [['by-word'], ['failed'], 'covered-but-test-failed'],
    [['by-word', 'open'], [], 'uncovered'],
  ])('of tasks %j with tests %j is %s', (standings, tests, status) => {
    const judged = judgeCriterion(CRITERION, standings.map(task), tests.map(cited));
    expect(judged).toMatchObject({ status, ok: status === 'covered', line: 4 });
    expect(judged.why === '').toBe(status === 'covered');
  });

  it('names its tasks, and only proofs that hold', () => {
    expect(judgeCriterion(CRITERION, [task('proven'), task('broken')], [])).toMatchObject({
      tasks: ['proven', 'broken'],
      proofs: ['p'],
    });
  });

  it.each<[readonly Standing[], readonly CitedTest['status'][], boolean]>([
    [['by-word'], [], true],
    [['proven', 'by-word'], ['passed'], true],
    [['awaits-person'], [], false],
    [['by-word', 'awaits-person'], [], false],
    [['open'], [], false],
    [[], [], false],
    [['by-word'], ['failed'], false],
  ])('of tasks %j with tests %j that a person has ticked is fine: %s', (standings, tests, ok) => {
    expect(judgeCriterion({ ...CRITERION, isTicked: true }, standings.map(task), tests.map(cited)).ok).toBe(
      ok,
    );
  });
});

describe('readiness', () => {
  const criterion = (standing: Standing) => judgeCriterion(CRITERION, [task(standing)], []);
  const product = { status: 'started', steps: [] } as const;
  const set = { name: 'KEY', line: 1, status: 'set' } as const;
  const READY = { criteria: [criterion('proven')], environment: [set], product };
  it.each([
    ['ready', READY],
    ['ready', { ...READY, environment: [], product: { status: 'nothing-to-start', steps: [] } }],
    ['person', { ...READY, criteria: [criterion('proven'), criterion('by-word')] }],
    ['not-ready', { ...READY, criteria: [criterion('open'), criterion('by-word')] }],
    ['not-ready', { ...READY, environment: [{ ...set, status: 'missing' }] }],
    ['not-ready', { ...READY, product: { status: 'failed', steps: [] } }],
    [
      'not-ready',
      { ...READY, criteria: [criterion('by-word')], environment: [{ ...set, status: 'missing' }] },
    ],
  ] as const)('is %s', (word, input) => {
    expect(getReadiness(input)).toBe(word);
  });
});
