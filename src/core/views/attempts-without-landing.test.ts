import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { failing, foldAll, landing, synced } from '../../../test/support/pipeline.ts';
import type { HarnessEvent, StoredEvent } from '../events/event.ts';
import type { CheckResult } from '../model/check.ts';
import { getAttemptsWithoutLanding, getLandedWarnings } from './attempts-without-landing.ts';
import { getReport } from './report.ts';

const store = (events: readonly HarnessEvent[]): StoredEvent[] =>
  events.map((event, i) => ({ seq: i + 1, atMs: i, event })) as StoredEvent[];
const rejected = failing('1', 'rejected');
const isVerdict = ({ type }: HarnessEvent) => type === 'verdict.given';
const WARNED: CheckResult = {
  ...{ check: 'lint', status: 'warned', summary: '3 more warnings than before' },
  ...{ findings: [], commands: [], durationMs: 1 },
};
const withWarning = landing('1').map(event =>
  event.type === 'verdict.given' ? { ...event, checks: [WARNED] } : event,
);

describe('attempts that did not land', () => {
  it('are one each, however often their work was sent back', () => {
    const twice = rejected.flatMap(event => (isVerdict(event) ? [event, event, event] : [event]));
    expect(getAttemptsWithoutLanding(store(twice))).toMatchObject([{ task: '1', attempt: 1, rounds: 3 }]);
  });

  it('do not include one whose last round was proven', () => {
    const [bad] = rejected.filter(isVerdict);
    const fixed = landing('1').flatMap(event => (isVerdict(event) && bad ? [bad, event] : [event]));
    expect(getAttemptsWithoutLanding(store(fixed))).toEqual([]);
  });

  it('include those that ended without a claim, and proven work that could not land', () => {
    const reason = 'the agent stopped without a claim: tired';
    const end = { type: 'attempt.ended', task: '1', wip: null, findings: [], category: 'TASK_EXEC' } as const;
    const told = getAttemptsWithoutLanding(
      store([
        { ...end, attempt: 1, outcome: 'failed', reason },
        { ...end, attempt: 2, outcome: 'rejected', reason: 'the work conflicts' },
        { ...end, attempt: 3, outcome: 'partial', reason: 'no provider', unavailable: true },
      ]),
    );
    expect(told.map(({ attempt, check, why }) => [attempt, check, why])).toEqual([
      [1, 'not done', reason],
      [2, 'landing', 'the work conflicts'],
    ]);
  });
});

describe('a check that only warned', () => {
  it('is among the risks once the task has landed', () => {
    const events = store(withWarning);
    expect(getLandedWarnings(events, events)).toEqual([
      'task 1 landed with a warning of lint: 3 more warnings than before',
    ]);
  });
});

it('red tests of tasks that are still open are no risk', () => {
  const state = foldAll(synced([makeTask('1'), makeTask('2')]), landing('1'));
  state.suite.baseline = {
    ...{ tree: 't', session: 1, atMs: 0 },
    passing: [],
    failing: ['tests/1.test.ts > a', 'tests/2.test.ts > b', 'tests/2.test.ts > c'],
  };
  const { risks } = getReport(state, [], { fromMs: 0, toMs: 1 });
  expect(risks).toContain('tests that fail on the base already: 1');
});
