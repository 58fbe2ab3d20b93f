import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../../test/support/history.ts';
import { ended, foldAll, landed, synced, upTo, WORKER } from '../../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import { Board } from './board.ts';
import { createEventWorkers } from './event-workers.ts';

/** A board whose lanes 1 to n have begun, and a clock that a test moves. */
function openBoard(lanes: number) {
  const clock = { nowMs: 0 };
  const board = new Board(() => clock.nowMs);
  const workers = createEventWorkers();
  const note = (...events: readonly HarnessEvent[]) => {
    for (const event of events) board.note(event, workers.find(event));
  };
  const start = (id: string, lane: number) =>
    note({ type: 'worker.started', worker: { ...WORKER, id, lane }, version: '0' });
  const stop = (workerId: string) => note({ type: 'worker.stopped', workerId, reason: 'done' });
  for (let lane = 1; lane <= lanes; lane++) start(`w${lane}`, lane);
  return { board, clock, note, start, stop };
}

describe('the board', () => {
  it('is there as long as a lane is', () => {
    const { board, stop } = openBoard(2);
    stop('w1');
    expect(board.getView()?.lanes.map(({ lane }) => lane)).toEqual([2]);
    stop('w2');
    expect(board.getView()).toBeNull();
  });

  it('keeps the row of a lane that begins again, whichever is recorded first', () => {
    const { board, note, start, stop } = openBoard(1);
    start('again', 1);
    note(...upTo('leased', '7', { worker: 'again' }));
    stop('w1');
    expect(board.getView()?.lanes).toMatchObject([{ lane: 1, task: '7' }]);
  });

  it('says what belongs to no lane while it runs, and before all others', () => {
    const { board } = openBoard(1);
    const end = board.getLane(0).command('npm test');
    expect(board.getView()?.lanes).toMatchObject([{ lane: 0, doing: 'npm test' }, { lane: 1 }]);
    end();
    expect(board.getView()?.lanes).toMatchObject([{ lane: 1 }]);
  });

  it('shows what waits to land and what is being landed, as the record has it', () => {
    const { board } = openBoard(1);
    const queued = (task: string): HarnessEvent[] => [
      ...upTo('judged', task),
      { type: 'candidate.queued', task, attempt: 1, commit: `c${task}` },
    ];
    const backlog = synced([makeTask('7'), makeTask('8')]);
    const show = (...more: HarnessEvent[]) => {
      const events = [...queued('7'), ...queued('8'), ...more];
      board.note(events.at(-1) as HarnessEvent, null, foldAll(backlog, events));
      return board.getView()?.queue;
    };
    expect(board.getView()?.queue).toBeNull();
    expect(show()).toBe('queue 2 (7, 8)');
    const members = [{ task: '7', attempt: 1 }];
    const started: HarnessEvent = { type: 'batch.started', batch: 1, worker: 'w1', members };
    expect(show(started)).toBe('queue 1 (8)  batch 1 (7)');
  });

  it('a lane whose work has landed meanwhile still shows the task that it works on now', () => {
    const { board, note } = openBoard(1);
    const queued = { type: 'candidate.queued', task: '7', attempt: 1, commit: 'c'.repeat(40) } as const;
    note(...upTo('judged', '7', { worker: 'w1' }), queued);
    expect(board.getView()?.lanes).toMatchObject([{ task: null, elapsedMs: null }]);
    note(...upTo('leased', '8', { worker: 'w1' }), landed('7'));
    expect(board.getView()?.lanes).toMatchObject([{ task: '8', elapsedMs: 0 }]);
  });

  it('counts what landed and what was rejected, and no money that nobody told of', () => {
    const { board, note } = openBoard(1);
    for (const task of ['1', '2']) note(...upTo('leased', task, { worker: 'w1' }), landed(task));
    for (const outcome of ['rejected', 'partial', 'failed'] as const)
      note(...upTo('leased', '3', { worker: 'w1' }), ended('3', outcome));
    expect(board.getView()?.totals).toEqual({
      ...{ landed: 2, rejected: 1, waiting: null },
      ...{ spentUsd: null, reservedUsd: 0, budgetUsd: null },
    });
  });

  it('counts the time and the cost of an attempt, over all its rounds', () => {
    const { board, clock, note } = openBoard(1);
    clock.nowMs = 5_000;
    note(...upTo('session-over', '7', { worker: 'w1', costUsd: 0.2 }));
    note(...upTo('session-over', '7', { worker: 'w1', costUsd: 0.3 }).slice(3));
    clock.nowMs = 65_000;
    expect(board.getView()?.lanes).toMatchObject([{ elapsedMs: 60_000, costUsd: 0.5 }]);
    note(ended('7', 'failed'));
    expect(board.getView()?.lanes).toMatchObject([{ task: null, elapsedMs: null, costUsd: null }]);
  });

  it.each<[number, string | null]>([
    [0, null],
    [1, 'task 1 (begun, 0:00) was running'],
    [2, 'task 1 (begun, 0:00) and task 2 (begun, 0:00) were running'],
    [
      6,
      'task 1 (begun, 0:00), task 2 (begun, 0:00), task 3 (begun, 0:00), task 4 (begun, 0:00) and 2 others were running',
    ],
  ])('names what is under way with %i tasks', (tasks, text) => {
    const { board, note } = openBoard(8);
    for (let task = 1; task <= tasks; task++) note(...upTo('leased', `${task}`, { worker: `w${task}` }));
    expect(board.getRunning()).toBe(text);
  });
});
