import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from './event.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2')]);
const REF = { task: '1', attempt: 1 };
const QUEUED: HarnessEvent = { type: 'candidate.queued', ...REF, commit: 'c1' };
const started = (batch: number): HarnessEvent => ({
  type: 'batch.started',
  batch,
  worker: 'w1',
  members: [REF],
});
const proven = (batch: number): HarnessEvent => ({
  ...{ type: 'batch.proven', batch, commit: 'merge', tree: 'tree', suites: 1, onto: 'tip' },
  members: [REF],
});
const LANDED: HarnessEvent = { type: 'task.landed', ...REF, commit: 'c1', ref: 'refs/heads/main' };
const over = (batch: number, commit: string | null): HarnessEvent => ({
  ...{ type: 'batch.ended', batch, commit },
  reason: 'it is over',
});
const JUDGED = upTo('judged', '1');

describe('events of the merge queue', () => {
  it('lead from proven work to a batch that has landed', () => {
    const state = foldAll(BACKLOG, JUDGED, [QUEUED, started(1), proven(1), LANDED, over(1, 'merge')]);
    expect(state.queue).toEqual({ batches: 1, batch: null });
    expect(state.tasks.get('1')?.status).toBe('landed');
  });

  it('leave work where it waits when nothing came of a batch', () => {
    const state = foldAll(BACKLOG, JUDGED, [QUEUED, started(1), over(1, null)]);
    expect(state.active.get('1')?.stage).toBe('queued');
  });

  it.each<[string, readonly HarnessEvent[], string]>([
    [
      'work that nobody has proven',
      [...upTo('judged', '1', { word: 'rejected' }), QUEUED],
      'without a proven verdict',
    ],
    [
      'work that is proven on other bytes',
      [...upTo('judged', '1', { judgedTree: 'x' }), QUEUED],
      'without a proven verdict',
    ],
    ['a batch in the middle of one', [...JUDGED, QUEUED, started(1), started(2)], 'in the middle of one'],
    [
      'a number that another batch had',
      [...JUDGED, QUEUED, started(1), over(1, null), started(1)],
      'started twice',
    ],
    ['a member that is not queued', [...JUDGED, started(1)], 'is not queued'],
    ['the proof of another batch', [...JUDGED, QUEUED, started(1), proven(2)], 'is not under way'],
    [
      'the end of a batch that has ended',
      [...JUDGED, QUEUED, started(1), over(1, null), over(1, null)],
      'is not under way',
    ],
    [
      'adoption of no batch',
      [...JUDGED, { type: 'batch.taken-over', batch: 1, worker: 'w2', reason: 'gone' }],
      'is not under way',
    ],
    [
      'queued work as landed, of which no batch was proven',
      [...JUDGED, QUEUED, started(1), LANDED],
      'no proven batch',
    ],
    ['queued work as landed without a batch', [...JUDGED, QUEUED, LANDED], 'no proven batch'],
  ])('refuse %s', (_, events, message) => {
    expect(() => foldAll(BACKLOG, events)).toThrow(message);
  });
});
