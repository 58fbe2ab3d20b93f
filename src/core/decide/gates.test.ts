import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, landing, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { EventOf, HarnessEvent } from '../events/event.ts';
import { getDueQuestion } from '../people/due-question.ts';
import { GATE } from '../state/gates.ts';
import { decide } from './decide.ts';

const { projectGates } = simPolicy;
const FIDELITY = { ...projectGates, fidelity: { specPath: 'spec.md', everyLandings: 2, threshold: 25 } };
const RELEASE = { ...projectGates, release: { specPath: 'spec.md' } };
const tagged = (id: string) => ({ ...makeTask(id), tags: [`t/${id}`] });
const BACKLOG = synced([tagged('1'), tagged('2'), makeTask('3'), makeTask('4')]);
const land = (...ids: string[]) => ids.flatMap((id, at) => landing(id, { session: at + 1 }));
const CHECKED: HarnessEvent = {
  ...{ type: 'project.checked', commit: 'tip', tree: 't', passing: 0, failing: 0, broken: [] },
};
const judged = (gate: 'fidelity' | 'release', passed: boolean, commit = 'tip'): EventOf<'gate.judged'> => ({
  ...{ type: 'gate.judged', gate, commit, tree: 't', passed, drift: gate === 'fidelity' ? 0.4 : null },
  ...{ summary: 'as it is', report: 'r.md' },
});
const PAUSED: HarnessEvent = { type: 'control.changed', mode: 'paused', by: GATE, reason: 'ready' };
const START: HarnessEvent = {
  ...{ type: 'worker.started', version: '1', worker: { id: 'w1', host: 'here', pid: 4711, startTicks: '9' } },
};

type Gates = typeof projectGates;
const next = (events: readonly HarnessEvent[], gates: Gates, scope = {}, world = {}) =>
  decide(
    foldAll(BACKLOG, ...events),
    { ...WORLD, ...world },
    { ...simPolicy, projectGates: gates },
    { ...SCOPE, ...scope },
  );

describe('fidelity', () => {
  const due = { type: 'gate', gate: 'fidelity' };
  it.each<[string, HarnessEvent[], Gates, object, object]>([
    ['is due after so many landings', land('1', '2'), FIDELITY, {}, due],
    ['is not due before', land('1'), FIDELITY, {}, { type: 'lease' }],
    [
      'is counted from the last look',
      [...land('1', '2'), judged('fidelity', true)],
      FIDELITY,
      {},
      { type: 'lease' },
    ],
    [
      'is never due without a number',
      land('1', '2'),
      { ...FIDELITY, fidelity: { ...FIDELITY.fidelity, everyLandings: null } },
      {},
      { type: 'lease' },
    ],
    [
      'is never due without a specification',
      land('1', '2'),
      { ...FIDELITY, fidelity: { ...FIDELITY.fidelity, specPath: null } },
      {},
      { type: 'lease' },
    ],
    ['comes before a run ends', land('1', '2'), FIDELITY, { maxSessions: 1, endedAttempts: 1 }, due],
    ['is not for who only tidies up', land('1', '2'), FIDELITY, { maxSessions: 0 }, { type: 'stop' }],
    ['is not for who wants one task', land('1', '2'), FIDELITY, { onlyTask: '3' }, { type: 'lease' }],
    [
      'is not asked while another lane looks',
      land('1', '2'),
      FIDELITY,
      { isLookUnderWay: true },
      { type: 'lease' },
    ],
    [
      'does not come between the steps of an attempt',
      [...land('1', '2'), ...upTo('prepared', '3', { session: 3 })],
      FIDELITY,
      {},
      { type: 'preflight' },
    ],
    [
      'asks a person above the threshold',
      [...land('1', '2'), judged('fidelity', false)],
      FIDELITY,
      {},
      { type: 'ask', question: { kind: 'drift' } },
    ],
  ])('%s', (_, events, gates, scope, action) => {
    expect(next(events, gates, scope)).toMatchObject(action);
  });

  const rules = { ...simPolicy, projectGates: FIDELITY };
  const failed = [...land('1', '2'), judged('fidelity', false), CHECKED];
  const question = getDueQuestion(foldAll(BACKLOG, ...failed), rules, SCOPE, WORLD);
  if (!question) throw new Error('nobody is asked');
  const asked: HarnessEvent[] = [...failed, { type: 'question.asked', ...question }];
  const answer = (option: string): HarnessEvent => ({
    type: 'question.answered',
    id: question.id,
    option,
    text: '',
    by: 'Ann',
  });

  it.each<[string, HarnessEvent[], object]>([
    ['no task is begun while somebody is asked', asked, { type: 'stop', why: 'drift' }],
    ['work goes on where a person says so', [...asked, answer('go-on')], { type: 'lease' }],
    [
      'work goes on where a person allows as much',
      [...asked, answer('raise'), { type: 'drift.allowed', upTo: 0.4, by: 'Ann' }],
      { type: 'lease' },
    ],
    [
      'less than there is is not enough',
      [...asked, answer('raise'), { type: 'drift.allowed', upTo: 0.3, by: 'Ann' }],
      { type: 'ask' },
    ],
    [
      'a look that finds it well again closes the question',
      [...asked, judged('fidelity', true)],
      { type: 'lease' },
    ],
  ])('%s', (_, events, action) => {
    expect(next(events, FIDELITY)).toMatchObject(action);
  });
});

describe('the release', () => {
  const due = { type: 'gate', gate: 'release' };
  const ready = [...land('1', '2'), CHECKED, judged('release', true), PAUSED];
  it.each<[string, HarnessEvent[], object, object]>([
    ['is due once no criterion waits for a task', [...land('1', '2'), CHECKED], {}, due],
    ['is not due while one does', [...land('1'), CHECKED], {}, { type: 'lease', task: '2' }],
    ['is not due where nothing has landed', [], {}, { type: 'lease' }],
    ['comes after a look at everything', land('1', '2'), {}, { type: 'check-all' }],
    ['is asked once of a tip', [...land('1', '2'), CHECKED, judged('release', false)], {}, { type: 'lease' }],
    ['is asked again of another', [...land('1', '2'), CHECKED, judged('release', false, 'old')], {}, due],
    [
      'ends every run while it is there to be taken',
      [START, ...ready],
      {},
      { type: 'stop', why: 'released' },
    ],
    ['ends runs that come later, too', ready, {}, { type: 'stop', why: 'released' }],
    [
      'is withdrawn first of all when the tip has moved',
      ready,
      { tip: 'other' },
      { type: 'withdraw-release', commit: 'tip' },
    ],
    [
      'lets others end what they have under way',
      [START, ...land('1', '2'), ...upTo('prepared', '3', { session: 3 }), judged('release', true), PAUSED],
      {},
      { type: 'preflight' },
    ],
    [
      'is nobody’s any more once withdrawn',
      [
        ...ready,
        { type: 'release.withdrawn', commit: 'tip', why: 'x' },
        { type: 'control.changed', mode: 'running', by: GATE, reason: '' },
      ],
      {},
      { type: 'lease' },
    ],
  ])('%s', (_, events, world, action) => {
    expect(next(events, RELEASE, {}, world)).toMatchObject(action);
  });

  it('goes on when a person says so', () => {
    const resumed: HarnessEvent = { type: 'control.changed', mode: 'running', by: 'Ann', reason: '' };
    expect(next([...ready, resumed], RELEASE)).toMatchObject({ type: 'lease' });
  });
});
