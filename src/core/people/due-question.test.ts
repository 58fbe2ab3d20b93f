import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { ended, failing, foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import { playHistory } from '../../../test/support/random-history.ts';
import type { HarnessEvent } from '../events/event.ts';
import { fold } from '../events/fold.ts';
import type { AskedQuestion } from '../model/question.ts';
import { getBudget } from '../state/costs.ts';
import type { State } from '../state/state.ts';
import { getAnswerEvents } from './answer-question.ts';
import { getDueQuestion, getOpenQuestions, getRefusal } from './due-question.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2', ['1']), makeTask('3')]);
const CALM = { environmentBroken: false };

const getTask = (state: State, id = '1') =>
  state.tasks.get(id) as NonNullable<ReturnType<State['tasks']['get']>>;

/** Asks what is due, records it, and answers it as somebody called Ada. */
function answer(events: readonly HarnessEvent[], key: string, text = '', rules = simPolicy): State {
  const before = foldAll(BACKLOG, events);
  const question = (getDueQuestion(before, rules, CALM, { tip: 'c9' }) ??
    getRefusal(before, getTask(before), rules)) as AskedQuestion;
  const option = question.options.find(one => one.key === key);
  if (!option) throw new Error(`${question.id} has no ${key}`);
  const said = getAnswerEvents(before, question, { option, text, by: 'Ada' });
  return foldAll(BACKLOG, events, said);
}

const exhausted = [1, 2, 3].flatMap(attempt => failing('1', 'rejected', { attempt }));
const partial = [1, 2, 3].flatMap(attempt =>
  failing('1', 'partial', { attempt, outcome: 'context', wip: 'w' }),
);

function asking(): HarnessEvent[] {
  const question = { question: 'The port?', why: 'unknown', steps: ['look'], check: 'it answers' };
  const way = upTo('candidate', '1', { outcome: 'asked' }).map(event =>
    event.type === 'session.ended' ? { ...event, question } : event,
  );
  return [...way, ended('1', 'needs-human', { wip: 'half' })];
}

describe('what is asked about a task that stopped', () => {
  it.each<[string, readonly HarnessEvent[], string]>([
    ['its attempts are used up', exhausted, 'attempts-1-3'],
    ['it was left half done too often', partial, 'stuck-1-3'],
    ['its agent needs something', asking(), 'agent-1-1'],
    ['nobody can do it', failing('1', 'needs-human'), 'impossible-1-1'],
  ])('%s', (_, events, id) => {
    expect(getDueQuestion(foldAll(BACKLOG, events), simPolicy, CALM, { tip: 'c9' })).toMatchObject({
      id,
      task: '1',
    });
    expect(getOpenQuestions(foldAll(BACKLOG, events), simPolicy).map(one => one.id)).toEqual([id]);
  });

  it('is nothing where a person set it aside, or once it is on its way again', () => {
    const aside = foldAll(BACKLOG, exhausted, { type: 'task.blocked', task: '1', reason: 'by hand' });
    expect(getOpenQuestions(aside, simPolicy)).toEqual([]);
    const question = getDueQuestion(foldAll(BACKLOG, exhausted), simPolicy, CALM, {
      tip: 'c9',
    }) as AskedQuestion;
    const asked: HarnessEvent = { type: 'question.asked', ...question };
    expect(foldAll(BACKLOG, exhausted, asked).people.questions.size).toBe(1);
    const reset = foldAll(BACKLOG, exhausted, asked, { type: 'task.reset', task: '1', reason: '' });
    expect([reset.people.questions.size, reset.people.unasked.size, getTask(reset).people.question]).toEqual([
      0,
      0,
      null,
    ]);
  });

  it('keeps only what builds on it waiting', () => {
    const state = foldAll(BACKLOG, asking());
    expect([state.ready.peek(), getTask(state, '2').deadDeps]).toEqual(['3', 1]);
  });
});

describe('what is asked before a task is taken', () => {
  const steps = Array.from({ length: 8 }, (_, i) => `step ${i}`);
  const large = synced([{ ...makeTask('1'), verificationSteps: steps }]);
  const askLarge = (onLarge: 'ask' | 'go-on') => {
    const state = foldAll(large);
    return getRefusal(state, getTask(state), { ...simPolicy, escalation: { onRejected: 'go-on', onLarge } });
  };

  it('is whether a large one is to be split, unless the config says to go on', () => {
    expect(askLarge('ask')).toMatchObject({ id: 'large-1-0' });
    expect(askLarge('go-on')).toBeNull();
  });

  it('is what to do with a rejected claim, where the config says to ask', () => {
    const state = foldAll(BACKLOG, failing('1', 'rejected'));
    const escalation = { onRejected: 'ask', onLarge: 'ask' } as const;
    expect(getRefusal(state, getTask(state), { ...simPolicy, escalation })).toMatchObject({
      id: 'rejected-1-1',
    });
    expect(getRefusal(state, getTask(state), simPolicy)).toBeNull();
  });
});

describe('an answer', () => {
  it('to an agent sets its task going from the work it left, and costs no attempt', () => {
    const state = answer(asking(), 'answer', 'It is 8080');
    expect(getTask(state)).toMatchObject({ status: 'retry', attempts: 0, people: { question: null } });
    expect(getTask(state).history.at(-1)).toMatchObject({ outcome: 'partial', wip: 'half' });
    expect(getTask(state).people.answers).toEqual([{ question: 'The port?', text: 'It is 8080', by: 'Ada' }]);
  });

  it.each<[string, readonly HarnessEvent[], string, object]>([
    ['retry gives fresh attempts', exhausted, 'retry', { status: 'pending', attempts: 0, stuck: 0 }],
    [
      'skip leaves it out',
      exhausted,
      'skip',
      { status: 'blocked', blockedReason: expect.stringContaining('Ada') },
    ],
    ['split waits for the planner', partial, 'split', { status: 'blocked' }],
    ['manual waits for the person', partial, 'manual', { status: 'blocked' }],
  ])('%s', (_, events, key, task) => {
    const state = answer(events, key);
    expect(getTask(state)).toMatchObject(task);
    expect(getOpenQuestions(state, simPolicy)).toEqual([]);
  });

  it('abort stops the runs that are there', () => {
    expect(answer(exhausted, 'abort').people.control.mode).toBe('stopped');
  });

  it('increase raises the cap by half of what is spent, or to what is said', () => {
    const rules = { ...simPolicy, budget: { ...simPolicy.budget, totalUsd: 2 } };
    const spent = failing('1', 'rejected', { costUsd: 2 });
    expect(getBudget(rules, answer(spent, 'increase', '', rules)).totalUsd).toBe(3);
    expect(getBudget(rules, answer(spent, 'increase', '$10', rules)).totalUsd).toBe(10);
    expect(answer(spent, 'pause', '', rules).people.control.mode).toBe('paused');
  });

  it('is refused by the record for a question that is not open', () => {
    const said: HarnessEvent = { type: 'question.answered', id: 'no', option: null, text: '', by: 'Ada' };
    expect(() => foldAll(BACKLOG, said)).toThrow('is not open');
  });
});

describe('whatever happened', () => {
  it('open questions are about tasks that stopped, one each, and no stopped task is forgotten', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 40, maxLength: 400, size: 'max' }), choices => {
        const state = fold(playHistory(choices));
        const isStopped = (id: string) => ['blocked', 'failed'].includes(getTask(state, id).status);
        for (const { id, task } of state.people.questions.values())
          if (task !== null)
            expect([getTask(state, task).people.question, isStopped(task)]).toEqual([id, true]);
        for (const id of state.people.unasked)
          expect([getTask(state, id).people.question, isStopped(id)]).toEqual([null, true]);
        for (const { def, people, blockedReason } of state.tasks.values()) {
          const isKnown =
            people.question !== null || blockedReason !== null || state.people.unasked.has(def.id);
          if (isStopped(def.id)) expect(isKnown).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
