import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { makeTask } from '../../test/support/history.ts';
import { createStepBench, type StepBench } from '../../test/support/step-bench.ts';
import { canBeSatisfied, type TaskDef } from '../core/model/task.ts';
import { getAnswerEvents } from '../core/people/answer-question.ts';
import { getDueQuestion } from '../core/people/due-question.ts';
import type { Ports } from '../ports/index.ts';

const VALIDATION = { command: 'check it', timeoutSeconds: 9 };

/** Task 1 comes to its preflight; on the base its validation says what is given. */
async function begin(def: Partial<TaskDef>, isGreen: boolean): Promise<StepBench> {
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    backlog: {
      ...ports.backlog,
      parse: text => {
        const parsed = ports.backlog.parse(text);
        return { ...parsed, tasks: parsed.tasks.map(one => ({ ...one, def: { ...one.def, ...def } })) };
      },
    },
  });
  const bench = await createStepBench({
    wrap,
    answer: ({ command, idWithoutReport: id }) =>
      command === 'check it'
        ? { exitCode: isGreen ? 0 : 1, results: [{ id, outcome: isGreen ? 'passed' : 'failed' }] }
        : command.startsWith('command -v ')
          ? { exitCode: 0 }
          : undefined,
  });
  await bench.walkTo('prepared');
  await bench.perform('preflight');
  return bench;
}

const getTask = ({ journal }: StepBench) => journal.state.tasks.get('1');
const alone = { testFile: null, validation: VALIDATION };

describe('what should prove a task and is green before any work', () => {
  it('is put before a person, with no session paid and no attempt used up', async () => {
    const bench = await begin(alone, true);
    await bench.perform('close');
    expect(getTask(bench)).toMatchObject({ status: 'blocked', attempts: 0, interruptions: 0, sessions: 0 });
    const question = getDueQuestion(
      bench.journal.state,
      simPolicy,
      { environmentBroken: false },
      { tip: 'c9' },
    );
    expect(question).toMatchObject({
      kind: 'satisfied',
      why: expect.stringMatching(/^`check it` passes at \w+ without any work$/),
    });
  });

  it.each<[string, Partial<TaskDef>, boolean]>([
    ['its validation is red', alone, false],
    ['it has a test file as well', { validation: VALIDATION }, true],
    ['a person looks at it anyway', { ...alone, verificationType: 'hybrid' }, true],
    ['it is a clean-up', { ...alone, kind: 'cleanup' }, true],
  ])('is none of that when %s', async (_, def, isGreen) => {
    const bench = await begin(def, isGreen);
    expect(bench.journal.state.active.get('1')?.stage).toBe('ready');
  });

  it.each<[string, Partial<TaskDef>, unknown]>([
    ['accept', {}, { status: 'pending', people: { override: { by: 'Ada', workOf: null } } }],
    ['accept', { kind: 'loop' }, { status: 'blocked', people: { override: null } }],
    ['retry', {}, { status: 'pending', people: { override: null } }],
    ['skip', {}, { status: 'blocked', people: { question: null } }],
  ])('goes the way of the answer %s %o', async (key, def, expected) => {
    const bench = await begin({ ...alone, ...def }, true);
    await bench.perform('close');
    await answer(bench, key);
    expect(getTask(bench)).toMatchObject(expected as object);
  });

  it('is worked on all the same where a person says so', async () => {
    const bench = await begin(alone, true);
    await bench.perform('close');
    await answer(bench, 'proceed');
    await bench.walkTo('ready');
    expect(bench.journal.state.active.get('1')?.stage).toBe('ready');
  });
});

describe('a test of its own that is green before any work', () => {
  const never = { red: false, idle: false };
  it.each<[string, string | null, typeof never, boolean]>([
    ['may be that of a refactoring', null, never, false],
    ['is that of a refactoring', 'Refactoring', never, false],
    ['was to turn green', 'auth', never, true],
    ['was red before', null, { ...never, red: true }, true],
    ['left an agent nothing to do', 'refactoring', { ...never, idle: true }, true],
  ])('%s: category %s', (_, category, seen, isAsked) => {
    expect(canBeSatisfied({ ...makeTask('1'), category }, seen)).toBe(isAsked);
  });
});

async function answer(bench: StepBench, key: string): Promise<void> {
  const { state } = bench.journal;
  const question = getDueQuestion(state, simPolicy, { environmentBroken: false }, { tip: 'c9' });
  const option = question?.options.find(one => one.key === key);
  if (!question || !option) throw new Error(`nobody is asked that can be answered ${key}`);
  await bench.ctx.record(getAnswerEvents(state, question, { option, text: '', by: 'Ada' }));
}
