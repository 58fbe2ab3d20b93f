import { describe, expect, it } from 'vitest';
import { makeTask, store } from '../../../test/support/history.ts';
import {
  ended,
  failing,
  foldAll,
  landed,
  landing,
  synced,
  upTo,
  WORKER,
} from '../../../test/support/pipeline.ts';
import type { AttemptOutcome } from '../model/facts.ts';
import type { Stage } from '../state/attempt.ts';
import { isProven } from '../state/attempt.ts';
import type { State } from '../state/state.ts';
import { IllegalMove } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import type { HarnessEvent } from './event.ts';
import { apply } from './fold.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2', ['1'])]);
const rebased: HarnessEvent = {
  type: 'candidate.rebased',
  task: '1',
  attempt: 1,
  commit: 'moved',
  tree: 'tree-1-1',
  base: 'newer',
  baseTree: 'newer-tree',
};

function getTask(state: State, id = '1'): TaskState {
  return state.tasks.get(id) as TaskState;
}

describe('landing', () => {
  it.each([
    ['no verdict', [...upTo('candidate', '1'), landed('1')]],
    ['a verdict that says rejected', [...upTo('judged', '1', { word: 'rejected' }), landed('1')]],
    ['a verdict that says needs-human', [...upTo('judged', '1', { word: 'needs-human' }), landed('1')]],
    ['a verdict that says inconclusive', [...upTo('judged', '1', { word: 'inconclusive' }), landed('1')]],
    ['a proof of another tree', [...upTo('judged', '1', { judgedTree: 'another' }), landed('1')]],
    ['a proof on the base before last', [...upTo('landing', '1'), rebased, landed('1')]],
  ])('cannot be recorded with %s', (_, events) => {
    expect(() => foldAll(BACKLOG, events)).toThrow('landed without a proven verdict');
  });

  it.each<[string, HarnessEvent[]]>([
    ['a verdict that says rejected', upTo('landing', '1', { word: 'rejected' })],
    ['a proof of another tree', upTo('landing', '1', { judgedTree: 'another' })],
    ['a proof on the base before last', [...upTo('judged', '1'), rebased, ...upTo('landing', '1').slice(-1)]],
  ])('cannot even be begun with %s', (_, events) => {
    expect(() => foldAll(BACKLOG, events)).toThrow('without a proven verdict');
  });

  it('is recorded with the proof of exactly these bytes, and frees what waited for it', () => {
    const state = foldAll(BACKLOG, landing('1'));
    const files = ['src/a.ts'];
    expect(getTask(state).landed).toEqual({ commit: 'landed-1', ref: 'refs/heads/main', attempt: 1, files });
    expect(state.ready.peek()).toBe('2');
    expect(state.active.size).toBe(0);
    expect(state.quality.fileSizes.get('src/a.ts')?.lines).toBe(10);
  });

  it('needs a new verdict once the candidate was put onto another base', () => {
    const state = foldAll(BACKLOG, upTo('judged', '1'), rebased);
    const attempt = state.active.get('1');
    expect(attempt?.stage).toBe('candidate');
    expect(attempt?.base).toBe('newer');
    expect(attempt && isProven(attempt)).toBe(false);
  });
});

describe('an event that cannot have happened', () => {
  it.each<[string, HarnessEvent[]]>([
    ['names a task that is not in the backlog', upTo('leased', '9')],
    ['belongs to no attempt', [ended('1', 'failed')]],
    ['belongs to another attempt', [...upTo('leased', '1'), ended('1', 'failed', { attempt: 2 })]],
    [
      'starts an attempt in the middle of one',
      [...upTo('leased', '1'), ...upTo('leased', '1', { attempt: 2 })],
    ],
    ['gives a number twice', [...failing('1', 'failed'), ...upTo('leased', '1')]],
    ['works on a landed task', [...landing('1'), ...upTo('leased', '1', { attempt: 2 })]],
  ])('%s: it throws', (_, events) => {
    expect(() => foldAll(BACKLOG, events)).toThrow();
  });

  it.each<[string, HarnessEvent]>([
    ['blocks', { type: 'task.blocked', task: '1', reason: '' }],
    ['resets', { type: 'task.reset', task: '1', reason: '' }],
  ])('%s a task that is being worked on: it throws', (_, event) => {
    expect(() => foldAll(BACKLOG, upTo('ready', '1'), event)).toThrow(IllegalMove);
  });
});

describe('the stage', () => {
  it.each<Stage>([
    'leased',
    'prepared',
    'ready',
    'in-session',
    'session-over',
    'candidate',
    'judged',
    'landing',
  ])('%s is reached by its own event', stage => {
    expect(foldAll(BACKLOG, upTo(stage, '1')).active.get('1')?.stage).toBe(stage);
  });

  it('stays when another worker takes over', () => {
    const takenOver = {
      type: 'attempt.taken-over',
      task: '1',
      attempt: 1,
      worker: 'w2',
      reason: '',
    } as const;
    const attempt = foldAll(BACKLOG, upTo('session-over', '1'), takenOver).active.get('1');
    expect(attempt).toMatchObject({ stage: 'session-over', worker: 'w2' });
  });

  it.each<[string, Stage, string, Stage, string | null]>([
    ['begins anew', 'ready', 'there', 'leased', null],
    ['stays, without a worktree,', 'session-over', 'there', 'session-over', null],
    ['stays as it is', 'ready', 'here', 'ready', '/slot'],
  ])('%s where %s is gone on with by a worker that is %s', (_, stage, host, next, dir) => {
    const worker = (id: string, at: string): HarnessEvent => ({
      ...{ type: 'worker.started', worker: { ...WORKER, id, host: at }, version: '0' },
    });
    const takenOver = {
      type: 'attempt.taken-over',
      task: '1',
      attempt: 1,
      worker: 'w2',
      reason: '',
    } as const;
    const events = [
      worker('w1', 'here'),
      worker('w2', host),
      ...upTo(stage, '1', { worker: 'w1' }),
      takenOver,
    ];
    expect(foldAll(BACKLOG, events).active.get('1')).toMatchObject({ stage: next, dir, worker: 'w2' });
  });
});

describe('the end of an attempt', () => {
  it.each<[AttemptOutcome, number, string]>([
    ['rejected', 3, 'retry'],
    ['partial', 3, 'retry'],
    ['failed', 3, 'retry'],
    ['rejected', 1, 'failed'],
    ['failed', 1, 'failed'],
    ['needs-human', 3, 'blocked'],
  ])('%s of at most %i attempts leaves the task %s', (outcome, maxAttempts, status) => {
    const state = foldAll(synced([{ ...makeTask('1'), maxAttempts }]), failing('1', outcome));
    expect(getTask(state).status).toBe(status);
    expect(getTask(state).attempts).toBe(1);
  });

  it('counts an interruption apart: it is not the attempt that failed', () => {
    const state = foldAll(BACKLOG, failing('1', 'partial', { outcome: 'interrupted' }));
    expect(getTask(state)).toMatchObject({ attempts: 0, interruptions: 1, status: 'retry' });
  });

  it('adds up what the sessions cost', () => {
    const state = foldAll(
      BACKLOG,
      failing('1', 'rejected', { costUsd: 1.5 }),
      failing('1', 'rejected', { attempt: 2, costUsd: 2 }),
    );
    expect(getTask(state).usage.costUsd).toBeCloseTo(3.5);
    expect(state.costs.usage.costUsd).toBeCloseTo(3.5);
    expect(state.sessions).toBe(2);
  });

  it('is forgotten by a reset, but for what it cost and its number', () => {
    const reset = { type: 'task.reset', task: '1', reason: 'again' } as const;
    const state = foldAll(synced([{ ...makeTask('1'), maxAttempts: 1 }]), failing('1', 'failed'), reset);
    expect(getTask(state)).toMatchObject({ status: 'pending', attempts: 0, interruptions: 0, started: 1 });
    expect(getTask(state).usage.costUsd).toBeGreaterThan(0);
  });
});

describe('a backlog that changes while a task is being worked on', () => {
  const removal = synced([], { blob: 'b1', removed: ['1'] });

  it('leaves the task alone until its attempt has ended, and is then read again', () => {
    const during = foldAll(BACKLOG, upTo('ready', '1'), removal);
    expect(getTask(during).status).toBe('active');
    expect(during.backlog?.blob).toBe('b1');
    const after = foldAll(BACKLOG, upTo('ready', '1'), removal, ended('1', 'partial'));
    expect(after.backlog).toBeNull();
  });

  it('is not read again when it did not change', () => {
    expect(foldAll(BACKLOG, failing('1', 'rejected')).backlog?.blob).toBe('b0');
  });
});

describe('a long chain', () => {
  it('of 20,000 tasks takes the death of its first without running out of stack', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => makeTask(`t${i}`, i === 0 ? [] : [`t${i - 1}`]));
    const state = foldAll(synced(chain), { type: 'task.blocked', task: 't0', reason: 'by hand' });
    expect(getTask(state, 't19999').deadDeps).toBe(1);
    const [reset] = store([{ type: 'task.reset', task: 't0', reason: 'by hand' }]);
    if (reset) apply(state, reset);
    expect(getTask(state, 't19999').deadDeps).toBe(0);
  });
});

describe('a dependency named twice', () => {
  it('has to land once', () => {
    const state = foldAll(synced([makeTask('1'), makeTask('2', ['1', '1'])]), landing('1'));
    expect(state.ready.peek()).toBe('2');
  });
});
