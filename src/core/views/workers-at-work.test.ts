import { expect, it } from 'vitest';
import { makeTask, STORY_START_MS } from '../../../test/support/history.ts';
import { foldAll, landing, synced, upTo, WORKER } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { getWorkersAtWork, hasSeveralWorkers } from './workers-at-work.ts';

const BACKLOG = synced(['1', '2', '3'].map(id => makeTask(id)));
const started = (id: string, more: object = {}): HarnessEvent => ({
  type: 'worker.started',
  worker: { ...WORKER, id, ...more },
  version: '0',
});

it('every worker of every process and machine is told, with its lane, its task, how far and since when', () => {
  const events = [
    ...[BACKLOG, started('a', { lane: 1 }), started('b', { lane: 2 }), started('c', { host: 'there' })],
    ...upTo('in-session', '1', { worker: 'a' }),
    ...upTo('leased', '2', { worker: 'c', session: 2 }),
  ];
  const { id: _, ...process } = WORKER;
  expect(getWorkersAtWork(foldAll(events))).toEqual([
    {
      ...{ task: '1', attempt: 1, session: 1, stage: 'in-session', worker: 'a' },
      ...{ startedAtMs: STORY_START_MS + 4_000, process: { ...process, lane: 1 } },
    },
    {
      ...{ task: '2', attempt: 1, session: 2, stage: 'leased', worker: 'c' },
      ...{ startedAtMs: STORY_START_MS + 8_000, process: { ...process, host: 'there' } },
    },
  ]);
});

it('an attempt whose worker nobody has heard of is told, too', () => {
  expect(getWorkersAtWork(foldAll(BACKLOG, upTo('ready', '1')))).toMatchObject([
    { task: '1', process: null },
  ]);
});

it.each<[string, readonly HarnessEvent[], boolean]>([
  ['nobody', landing('1'), false],
  ['one process', upTo('ready', '1', { worker: 'c' }), false],
  ['one lane', upTo('ready', '1', { worker: 'a' }), true],
  ['two processes', [...upTo('ready', '1', { worker: 'c' }), ...upTo('ready', '2', { worker: 'd' })], true],
])('whether there are several: %s', (_, events, areSeveral) => {
  const workers = [started('a', { lane: 1 }), started('c'), started('d')];
  expect(hasSeveralWorkers(getWorkersAtWork(foldAll(BACKLOG, workers, events)))).toBe(areSeveral);
});
