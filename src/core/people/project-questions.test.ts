import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { ended, foldAll, landing, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { AskedQuestion } from '../model/question.ts';
import type { State } from '../state/state.ts';
import { getAnswerEvents } from './answer-question.ts';
import { getDueQuestion } from './due-question.ts';
import { getCycleQuestion } from './project-question.ts';

const TWO = synced([makeTask('1'), makeTask('2')]);

function answer(events: readonly HarnessEvent[], question: AskedQuestion | null, key: string): State {
  const option = question?.options.find(one => one.key === key);
  if (!question || !option) throw new Error(`nobody can answer ${key}`);
  const before = foldAll(events);
  return foldAll(events, getAnswerEvents(before, question, { option, text: '', by: 'Ada' }));
}

const getDue = (events: readonly HarnessEvent[], environmentBroken = false) =>
  getDueQuestion(foldAll(events), simPolicy, { environmentBroken }, { tip: 'c9' });

const measured = (tree: string, passing: string[], failing: string[]): HarnessEvent => ({
  type: 'baseline.measured',
  tree,
  command: 'test',
  passing,
  failing,
});

describe('a broken environment', () => {
  const broken = [TWO, ...upTo('ready', '1', { preflightFails: true }), ended('1', 'partial', { wip: 'w' })];

  it('is asked about by a run that saw it, and by no other', () => {
    expect(getDue(broken, true)).toMatchObject({ id: 'sanity-1-1', task: null, about: ['1'] });
    expect(getDue(broken)).toBeNull();
  });

  it('may be the work that was left behind: rollback begins without it', () => {
    const state = answer(broken, getDue(broken, true), 'rollback');
    expect(state.tasks.get('1')).toMatchObject({ status: 'pending', history: [{ wip: null }] });
    expect(state.people.questions.size).toBe(0);
  });
});

describe('a base that got worse', () => {
  const worse = [TWO, measured('t1', ['a'], []), measured('t2', [], ['a'])];

  it('is asked about, once, and not again where somebody lives with it', () => {
    expect(getDue(worse)).toMatchObject({ id: 'regression-t2' });
    const asked: HarnessEvent = { type: 'question.asked', ...(getDue(worse) as AskedQuestion) };
    expect(getDue([...worse, asked])).toBeNull();
    const state = answer(worse, getDue(worse), 'proceed');
    expect(getDueQuestion(state, simPolicy, { environmentBroken: false }, { tip: 'c9' })).toBeNull();
    expect(foldAll(worse, asked, measured('t3', ['a'], [])).people.questions.size).toBe(0);
  });

  it('is nothing where the test was red before', () => {
    expect(getDue([TWO, measured('t1', [], ['a']), measured('t2', [], ['a'])])).toBeNull();
  });
});

describe('everything landed and the suite red', () => {
  const all = [TWO, synced([], { accepted: ['2'] }), ...landing('1')];
  const checked = (broken: string[]): HarnessEvent => ({
    type: 'project.checked',
    commit: 'c9',
    tree: 't9',
    passing: 1,
    failing: broken.length,
    broken,
  });

  it('is not asked about from a look at another tip', () => {
    const state = foldAll([...all, checked(['a'])]);
    expect(getDueQuestion(state, simPolicy, { environmentBroken: false }, { tip: 'c10' })).toBeNull();
  });

  it('opens again what was only marked as done, where a person says so', () => {
    expect(getDue([...all, checked([])])).toBeNull();
    const red = [...all, checked(['a'])];
    expect(getDue(red)).toMatchObject({ kind: 'all-done-red', about: ['2'] });
    const state = answer(red, getDue(red), 'reset');
    expect([state.tasks.get('1')?.status, state.tasks.get('2')?.status]).toEqual(['landed', 'pending']);
  });
});

describe('tasks that wait for each other', () => {
  it('are left out together, and the question goes with the next backlog', () => {
    const defs = [makeTask('1', ['2']), makeTask('2', ['1'])];
    const question = getCycleQuestion(defs);
    const state = answer([synced(defs)], question, 'skip');
    expect([state.tasks.get('1')?.status, state.tasks.get('2')?.status]).toEqual(['blocked', 'blocked']);
    const asked: HarnessEvent = { type: 'question.asked', ...(question as AskedQuestion) };
    expect(foldAll(synced(defs), asked, synced([makeTask('1')], { blob: 'b1' })).people.questions.size).toBe(
      0,
    );
    expect(getCycleQuestion([makeTask('1')])).toBeNull();
  });
});
