import { expect, it } from 'vitest';
import type { ActiveTask } from '../../app/project/index-view.ts';
import { createStyle } from '../terminal/style.ts';
import { getActiveTexts } from './active-text.ts';

const ONE: ActiveTask = {
  ...{ task: '7', attempt: 1, stage: 'in-session', worker: 'w1', pid: 4711, host: 'm-1', lane: null },
  ...{ session: 1, startedAtMs: Date.UTC(2026, 0, 15, 10, 0), life: 'alive' },
};
const SINCE = ', since 2026-01-15 10:00 UTC';

it.each<[string, Partial<ActiveTask>[], string[]]>([
  ['nobody', [], []],
  ['one worker, as it always was', [{}], ['task 7, attempt 1: in-session (pid 4711)']],
  [
    'one that is gone, as it always was',
    [{ life: 'gone' }],
    ['task 7, attempt 1: in-session (its worker, pid 4711, is gone)'],
  ],
  ['one of an unknown process', [{ pid: null }], ['task 7, attempt 1: in-session']],
  [
    'two lanes of one process',
    [{ lane: 1 }, { lane: 2, task: '9', stage: 'candidate' }],
    [
      `task 7, attempt 1: in-session${SINCE} (lane 1, pid 4711)`,
      `task 9, attempt 1: candidate${SINCE} (lane 2, pid 4711)`,
    ],
  ],
  [
    'two processes, one of which is gone',
    [{}, { task: '9', pid: 5, lane: 3, life: 'gone' }],
    [
      `task 7, attempt 1: in-session${SINCE} (pid 4711)`,
      `task 9, attempt 1: in-session${SINCE} (its worker, lane 3, pid 5, is gone)`,
    ],
  ],
  [
    'one whose work waits to land, whoever made it',
    [{ stage: 'queued', life: 'gone' }],
    ['task 7, attempt 1: waits in the merge queue'],
  ],
  [
    'a lane on another machine',
    [{ lane: 2, host: 'm-2', life: 'unknown' }],
    [`task 7, attempt 1: in-session${SINCE} (lane 2, pid 4711 on m-2)`],
  ],
  [
    'one worker on another machine',
    [{ host: 'm-2', life: 'unknown' }],
    [`task 7, attempt 1: in-session${SINCE} (pid 4711 on m-2)`],
  ],
  [
    'two that an older harness has written down',
    [{ startedAtMs: null }, { startedAtMs: null, pid: null, task: '9', life: 'gone' }],
    ['task 7, attempt 1: in-session (pid 4711)', 'task 9, attempt 1: in-session (its worker is gone)'],
  ],
])('at work: %s', (_, active, texts) => {
  const all = active.map(more => ({ ...ONE, ...more }));
  expect(getActiveTexts(all, createStyle(false))).toEqual(texts);
});
