import { describe, expect, it } from 'vitest';
import { ended, landed, landing, upTo, WORKER } from '../../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../../../core/events/event.ts';
import { createEventWorkers } from './event-workers.ts';

const started = (id: string, lane?: number): HarnessEvent => ({
  type: 'worker.started',
  worker: { ...WORKER, id, ...(lane === undefined ? {} : { lane }) },
  version: '0',
});
const adopted = (task: string, worker: string): HarnessEvent => ({
  ...{ type: 'attempt.taken-over', task, attempt: 1, worker, reason: 'its worker is gone' },
});

function findAll(...events: readonly HarnessEvent[]) {
  const workers = createEventWorkers();
  return events.map(event => workers.find(event));
}

describe('the worker of an event', () => {
  const second = { worker: 'b', lane: 2, host: WORKER.host };

  it('is that of the attempt it names, to the end of it', () => {
    const found = findAll(started('a', 1), started('b', 2), ...landing('7', { worker: 'b' }), landed('7'));
    expect(found[0]).toEqual({ worker: 'a', lane: 1, host: WORKER.host });
    expect(found.slice(1, -1)).toEqual(found.slice(1, -1).map(() => second));
    expect(found.at(-1)).toBeNull();
  });

  it('is the one that adopted the attempt, from then on', () => {
    const events = [started('a', 1), ...upTo('ready', '7', { worker: 'a' }), started('b', 2)];
    expect(findAll(...events, adopted('7', 'b'), ended('7', 'failed')).slice(-2)).toEqual([second, second]);
  });

  it('is told by its name alone where nobody has heard where it runs', () => {
    expect(findAll(...upTo('leased', '7', { worker: 'x' }))).toEqual([{ worker: 'x' }]);
  });

  it.each<[string, HarnessEvent]>([
    ['of another attempt', ended('7', 'failed', { attempt: 2 })],
    ['of another task', ended('8', 'failed')],
    ['of the project', { type: 'note.added', level: 'important', text: 'the disk is nearly full' }],
  ])('is not made up for an event %s', (_, event) => {
    expect(findAll(started('a', 1), ...upTo('ready', '7', { worker: 'a' }), event).at(-1)).toBeNull();
  });
});
