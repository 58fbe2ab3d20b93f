import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import { getEndingOfTask } from '../decide/retry.ts';
import { canSendBack } from '../decide/send-back.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { SessionOutcome } from '../model/facts.ts';
import type { Attempt } from './attempt.ts';
import { createObjective, getLoopId, getPromisedOutcome } from './objective.ts';
import type { TaskState } from './task-state.ts';

const OBJECTIVE = {
  text: 'Everything runs',
  promise: 'TASK_COMPLETE',
  check: './check',
  maxIterations: 2,
  timeoutSeconds: 60,
};
const DEF = createObjective('loop-1', OBJECTIVE);
const ADDED: HarnessEvent = { type: 'task.added', def: DEF };
const BACKLOG = synced([makeTask('1')]);

describe('a promise is kept', () => {
  it.each<[string, SessionOutcome, SessionOutcome]>([
    ['TASK_COMPLETE', 'claimed', 'claimed'],
    ['All of it.\n\n  TASK_COMPLETE  ', 'claimed', 'claimed'],
    ['TASK_COMPLETE', 'not-done', 'claimed'],
    ['', 'claimed', 'not-done'],
    ['done', 'claimed', 'not-done'],
    ['task_complete', 'claimed', 'not-done'],
    ['I will say TASK_COMPLETE later', 'claimed', 'not-done'],
    ['TASK_COMPLETE!', 'claimed', 'not-done'],
    ['TASK_COMPLETE', 'crashed', 'crashed'],
    ['TASK_COMPLETE', 'timeout', 'timeout'],
    ['TASK_COMPLETE', 'asked', 'asked'],
  ])('by the words %j after %s: %s', (words, before, after) => {
    expect(getPromisedOutcome(DEF, before, words)).toBe(after);
  });

  it('by a task of the backlog without being made', () => {
    expect(getPromisedOutcome(makeTask('1'), 'claimed', 'done')).toBe('claimed');
  });
});

/** An iteration that ended in some way, and what the task is after it. */
function iterate(
  ends: readonly { readonly words: string; readonly outcome: SessionOutcome; readonly judged?: true }[],
) {
  const events: HarnessEvent[] = [ADDED];
  for (const [i, { words, outcome, judged }] of ends.entries()) {
    const story = { attempt: i + 1, session: i + 1, outcome, word: 'rejected' } as const;
    const told = upTo(judged ? 'judged' : 'candidate', 'loop-1', story).map(event =>
      event.type === 'session.ended' ? { ...event, summary: words } : event,
    );
    const state = foldAll(BACKLOG, [...events, ...told]);
    const attempt = state.active.get('loop-1') as Attempt;
    const ending = getEndingOfTask(state.tasks.get('loop-1') as TaskState, attempt);
    const { outcome: how, reason, category, findings } = ending;
    const wip = ending.keepWork ? 'work' : null;
    expect(canSendBack(state, attempt, simPolicy)).toBe(false);
    const end = { type: 'attempt.ended', task: 'loop-1', attempt: i + 1 } as const;
    events.push(...told, { ...end, outcome: how, reason, category, wip, findings });
  }
  return foldAll(BACKLOG, events).tasks.get('loop-1') as TaskState;
}

describe('an iteration', () => {
  it('without the promise counts, and the next one goes on with its files', () => {
    const task = iterate([{ words: 'half of it', outcome: 'not-done' }]);
    expect(task).toMatchObject({ status: 'retry', attempts: 1, stuck: 0 });
    expect(task.history.at(-1)).toMatchObject({ outcome: 'partial', wip: 'work' });
    expect(task.history.at(-1)?.reason).toContain('TASK_COMPLETE');
  });

  it('without a word was paid for, and counts', () => {
    expect(iterate([{ words: '', outcome: 'not-done' }])).toMatchObject({ attempts: 1, interruptions: 0 });
  });

  it('whose promise is not true goes on as well, with what was wrong', () => {
    const task = iterate([{ words: 'TASK_COMPLETE', outcome: 'claimed', judged: true }]);
    expect(task.history.at(-1)).toMatchObject({ outcome: 'partial', wip: 'work' });
    expect(task).toMatchObject({ status: 'retry', attempts: 1 });
  });

  it('is the last one when all are used up, and more can be allowed later', () => {
    const end = { words: 'no', outcome: 'not-done' } as const;
    const task = iterate([end, end]);
    expect(task.status).toBe('failed');
  });
});

it('an objective is given more iterations by being said again, and a new one gets an id of its own', () => {
  const more = createObjective('loop-1', { ...OBJECTIVE, maxIterations: 5 });
  const state = foldAll(BACKLOG, [ADDED, { type: 'task.added', def: more }]);
  expect(state.tasks.get('loop-1')?.def.maxAttempts).toBe(5);
  expect(getLoopId(state)).toBe('loop-2');
});
