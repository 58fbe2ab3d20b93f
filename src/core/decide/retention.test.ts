import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask, STORY_START_MS } from '../../../test/support/history.ts';
import { failing, foldAll, landing, synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { getExpiredAttempts } from './retention.ts';

const BACKLOG = synced([{ ...makeTask('1'), maxAttempts: 99 }, makeTask('2')]);
const DAY_MS = 86_400_000;
const reset: HarnessEvent = { type: 'task.reset', task: '1', reason: 'again' };

function many(count: number): HarnessEvent[] {
  return Array.from({ length: count }, (_, i) => failing('1', 'rejected', { attempt: i + 1 })).flat();
}

function getExpired(events: readonly HarnessEvent[], ageMs = 0, rule = simPolicy.checkpoints): string[] {
  return getExpiredAttempts(foldAll(BACKLOG, events), STORY_START_MS + ageMs, rule).map(({ id }) => id);
}

describe('getExpiredAttempts', () => {
  it.each<[string, HarnessEvent[], number, string[]]>([
    ['keeps the last five of a task', many(5), 0, []],
    ['lets go of those before', many(7), 0, ['1-2', '1-1']],
    [
      'lets go of what landed, and keeps what did not',
      [...many(2), ...landing('1', { attempt: 3 })],
      0,
      ['1-3'],
    ],
    [
      'keeps the last five that did not land',
      [...many(6), ...landing('1', { attempt: 7 })],
      0,
      ['1-7', '1-1'],
    ],
    ['lets go of what is too old', many(1), 8 * DAY_MS, ['1-1']],
    [
      'keeps everything while the task is at work',
      [...many(7), ...upTo('ready', '1', { attempt: 8 })],
      0,
      [],
    ],
    ['counts each task for itself', [...many(5), ...failing('2', 'rejected', { session: 9 })], 0, []],
  ])('%s', (_, events, ageMs, ids) => {
    expect(getExpired(events, ageMs)).toEqual(ids);
  });

  const cutOff = failing('1', 'partial', { outcome: 'interrupted', wip: 'its work' });

  const looked = failing('1', 'needs-human').map(event =>
    event.type === 'verdict.given'
      ? { ...event, verdict: { ...event.verdict, word: 'needs-human' as const, decidedBy: 'human' as const } }
      : event,
  );

  it.each<[string, HarnessEvent[]]>([
    ['waits for a person to look at it', looked],
    ['waits for its next attempt', cutOff],
    ['was blocked meanwhile', [...cutOff, { type: 'task.blocked', task: '1', reason: '' }]],
    ['was reset meanwhile', [...cutOff, reset]],
  ])('keeps work to go on with, however old, of a task that %s', (_, events) => {
    expect(getExpired(events, 400 * DAY_MS)).toEqual([]);
  });

  it('lets it go once the task is done or gone', () => {
    expect(getExpired([...cutOff, synced([], { accepted: ['1'] })], 400 * DAY_MS)).toEqual(['1-1']);
    expect(getExpired([...cutOff, synced([], { removed: ['1'] })], 400 * DAY_MS)).toEqual(['1-1']);
  });

  it('names each attempt so that its ref can be found', () => {
    const expired = getExpiredAttempts(foldAll(BACKLOG, many(6)), STORY_START_MS, simPolicy.checkpoints);
    expect(expired).toEqual([{ id: '1-1', task: '1', attempt: 1 }]);
    const pruned = foldAll(BACKLOG, many(6), { type: 'checkpoints.pruned', ids: ['1-1'] });
    expect(getExpiredAttempts(pruned, STORY_START_MS, simPolicy.checkpoints)).toEqual([]);
  });
});
