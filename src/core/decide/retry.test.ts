import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { type AttemptStory, ended, foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { CheckResult } from '../model/check.ts';
import type { Attempt, Stage } from '../state/attempt.ts';
import { getStartWip } from '../state/attempt.ts';
import type { TaskState } from '../state/task-state.ts';
import { type Ending, getEnding, getEndingOfTask } from './retry.ts';

function endOf(stage: Stage, story: AttemptStory = {}): Ending {
  const state = foldAll(synced([makeTask('1')]), upTo(stage, '1', story));
  return getEnding(state.active.get('1') as Attempt);
}

describe('getEnding', () => {
  it.each<[string, Ending, Partial<Ending>]>([
    [
      'a failed preflight keeps the work and is nobody’s failure',
      endOf('ready', { preflightFails: true }),
      { outcome: 'partial', category: 'ENV_SETUP', reason: 'no database', keepWork: true },
    ],
    [
      'an interrupted session goes on',
      endOf('candidate', { outcome: 'interrupted' }),
      { outcome: 'partial', category: 'SESSION_TIMEOUT', keepWork: true },
    ],
    [
      'a session out of time goes on',
      endOf('candidate', { outcome: 'timeout' }),
      { outcome: 'partial', category: 'SESSION_TIMEOUT', keepWork: true },
    ],
    [
      'a session over its budget goes on',
      endOf('candidate', { outcome: 'budget' }),
      { outcome: 'partial', category: 'TASK_EXEC', keepWork: true },
    ],
    [
      'a full context goes on',
      endOf('candidate', { outcome: 'context' }),
      { outcome: 'partial', keepWork: true },
    ],
    [
      'a crashed agent goes on, and says how it crashed',
      endOf('candidate', { outcome: 'crashed' }),
      { outcome: 'partial', reason: 'the agent crashed: what it said', keepWork: true },
    ],
    [
      'an agent that gave up starts afresh',
      endOf('candidate', { outcome: 'not-done' }),
      { outcome: 'failed', category: 'TASK_EXEC', keepWork: false },
    ],
    [
      'a rejected candidate starts afresh',
      endOf('judged', { word: 'rejected' }),
      {
        outcome: 'rejected',
        category: 'TEST_FAIL',
        reason: 'pass-to-pass: it is rejected',
        keepWork: false,
      },
    ],
    [
      'what needs a person waits for one',
      endOf('judged', { word: 'needs-human' }),
      { outcome: 'needs-human' },
    ],
    [
      'what could not be judged is a failure of the ground',
      endOf('judged', { word: 'inconclusive' }),
      { outcome: 'failed', category: 'ENV_SETUP' },
    ],
    [
      'an attempt that never got to an agent goes on',
      endOf('leased'),
      { outcome: 'partial', keepWork: true },
    ],
  ])('%s', (_, ending, expected) => {
    expect(ending).toMatchObject(expected);
  });

  it('never says that anything landed', () => {
    for (const outcome of ['claimed', 'not-done', 'crashed', 'timeout', 'interrupted', 'stuck'] as const)
      expect(endOf('candidate', { outcome }).outcome).not.toBe('landed');
  });
});

it('a question tells only what the agent said', () => {
  const state = foldAll(synced([makeTask('1')]), upTo('candidate', '1', { outcome: 'asked' }));
  const attempt = state.active.get('1') as Attempt;
  const question = { question: 'The port?', why: '', steps: [], check: '' };
  expect(getEnding({ ...attempt, agent: { ...attempt.agent, question } }).reason).toBe('I need: The port?');
  const whole = { ...question, why: 'Nothing says it.', check: 'it answers' };
  expect(getEnding({ ...attempt, agent: { ...attempt.agent, question: whole } }).reason).toBe(
    'I need: The port? Because: Nothing says it. Checked by: it answers',
  );
});

it('no agent is set on what a person submitted, whatever became of it', () => {
  const state = foldAll(synced([makeTask('1')]), upTo('candidate', '1', { outcome: 'interrupted' }));
  const [task, attempt] = [state.tasks.get('1') as TaskState, state.active.get('1') as Attempt];
  const resumes = { attempt: 1, override: null, by: 'Ada' };
  expect(getEndingOfTask(task, attempt).outcome).toBe('partial');
  expect(getEndingOfTask(task, { ...attempt, resumes }).outcome).toBe('needs-human');
});

describe('getStartWip', () => {
  const past = (outcome: 'partial' | 'rejected', wip: string | null) => ({ outcome, wip });

  it.each([
    ['no attempt before', [], null],
    ['a partial one', [past('partial', 'a')], 'a'],
    ['a rejected one', [past('rejected', 'a')], null],
    ['a partial one before a rejected one', [past('partial', 'a'), past('rejected', 'b')], null],
    ['two partial ones: the last holds the work of both', [past('partial', 'a'), past('partial', 'b')], 'b'],
  ])('%s', (_, history, wip) => {
    expect(getStartWip(history)).toBe(wip);
  });
});

describe('a verdict that the ground kept from being given', () => {
  /** An inconclusive verdict of the suite, with what the check has counted. */
  const judged = (measures: Readonly<Record<string, number>>): readonly HarnessEvent[] =>
    upTo('judged', '1', { word: 'inconclusive' }).map(event =>
      event.type === 'verdict.given'
        ? {
            ...event,
            checks: [
              {
                ...{ check: 'pass-to-pass', status: 'inconclusive', summary: '', findings: [], commands: [] },
                ...{ durationMs: 1, measures },
              } as CheckResult,
            ],
          }
        : event,
    );
  const close = (measures: Readonly<Record<string, number>>) => {
    const open = foldAll(synced([makeTask('1')]), judged(measures));
    const { outcome, category } = getEnding(open.active.get('1') as Attempt);
    const end = ended('1', outcome, { category });
    return { outcome, category, state: foldAll(synced([makeTask('1')]), judged(measures), end) };
  };

  it('keeps the work, charges nobody and says what is broken', () => {
    const { outcome, category, state } = close({ environment: 1 });
    expect({ outcome, category }).toEqual({ outcome: 'partial', category: 'ENV_SETUP' });
    expect(state.tasks.get('1')).toMatchObject({ attempts: 0, interruptions: 1, status: 'retry' });
    expect(state.trouble.broken).toMatchObject({
      task: '1',
      reason: expect.stringContaining('pass-to-pass'),
    });
  });

  it('is told from one that ran out of time, which counts', () => {
    const { outcome, state } = close({ timedOut: 1 });
    expect(outcome).toBe('failed');
    expect(state.tasks.get('1')).toMatchObject({ attempts: 1, interruptions: 0 });
    expect(state.trouble.broken).toBe(null);
  });
});
