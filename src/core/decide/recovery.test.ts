import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { VerdictOutcome } from '../model/check.ts';
import type { Leftover, SessionOutcome } from '../model/facts.ts';
import type { Stage } from '../state/attempt.ts';
import { getRecovery } from '../state/leftover.ts';
import { decide } from './decide.ts';
import { getRecoveryPlan } from './recovery.ts';
import { getEndingOfTask } from './retry.ts';

const BACKLOG = synced([makeTask('1')]);
const LEFT: Leftover = { changed: true, steps: 0 };

function cutOff(left: Leftover | undefined, word?: VerdictOutcome): HarnessEvent[] {
  const story = { outcome: 'interrupted' as const, ...(word ? { word } : {}) };
  return upTo(word ? 'judged' : 'candidate', '1', story).map(event =>
    event.type === 'candidate.taken' && left ? { ...event, left } : event,
  );
}

describe('the recovery matrix', () => {
  it.each<[boolean, number, string]>([
    [false, 0, 'again'],
    [false, 2, 'again'],
    [true, 0, 'judge'],
    [true, 2, 'judge'],
  ])('files changed: %s, steps recorded: %s → %s', (changed, steps, action) => {
    expect(getRecovery({ changed, steps }).action).toBe(action);
  });

  it.each<[Leftover, string]>([
    [{ changed: false, steps: 0 }, 'close'],
    [{ changed: false, steps: 1 }, 'close'],
    [{ changed: true, steps: 0 }, 'verify'],
    [{ changed: true, steps: 1 }, 'verify'],
  ])('%j goes on with %s', (left, type) => {
    const state = foldAll(BACKLOG, cutOff(left));
    expect(decide(state, WORLD, simPolicy, SCOPE)).toEqual({ type, task: '1' });
  });

  it('lands what proves to be whole, though nobody claimed it', () => {
    const state = foldAll(BACKLOG, cutOff(LEFT, 'proven'));
    expect(decide(state, WORLD, simPolicy, SCOPE)).toEqual({ type: 'land', task: '1' });
  });

  it.each<VerdictOutcome>(['rejected', 'needs-human', 'inconclusive'])(
    'what is %s goes on as work under way and is nobody’s failure',
    word => {
      const state = foldAll(BACKLOG, cutOff(LEFT, word));
      expect(decide(state, WORLD, simPolicy, SCOPE)).toEqual({ type: 'close', task: '1' });
      const [task, attempt] = [state.tasks.get('1'), state.active.get('1')];
      if (!task || !attempt) throw new Error('no attempt');
      expect(getEndingOfTask(task, attempt)).toMatchObject({
        outcome: 'partial',
        category: 'SESSION_TIMEOUT',
        keepWork: true,
      });
    },
  );
});

describe('what recover says it will do', () => {
  const DEAD = { ...WORLD, self: 'other', workers: new Map([['w1', 'dead' as const]]) };
  const worker = { id: 'w1', host: 'here', pid: 1, startTicks: '9' };
  const started: HarnessEvent = { type: 'worker.started', worker, version: '0' };

  it.each<[Stage, SessionOutcome | undefined, VerdictOutcome | undefined, string]>([
    ['leased', undefined, undefined, 'begin again'],
    ['prepared', undefined, undefined, 'begin again'],
    ['ready', undefined, undefined, 'begin again'],
    ['in-session', undefined, undefined, 'judge'],
    ['session-over', 'claimed', undefined, 'judge'],
    ['session-over', 'interrupted', undefined, 'judge'],
    ['session-over', 'timeout', undefined, 'close'],
    ['candidate', 'claimed', undefined, 'judge'],
    ['judged', 'claimed', 'proven', 'land'],
    ['judged', 'claimed', 'rejected', 'close'],
    ['landing', 'claimed', 'proven', 'land'],
  ])('an attempt left at %s (%s, %s): %s', (stage, outcome, word, action) => {
    const story = { ...(outcome ? { outcome } : {}), ...(word ? { word } : {}) };
    const state = foldAll(BACKLOG, [started, ...upTo(stage, '1', story)]);
    expect(getRecoveryPlan(state, DEAD, new Map([['1', LEFT]]))).toMatchObject([
      { task: '1', stage, action },
    ]);
  });

  it('says nothing of attempts whose worker lives', () => {
    const state = foldAll(BACKLOG, [started, ...upTo('in-session', '1')]);
    const lease = { resource: 'task/1', owner: 'w1', fence: 1, expiresAtMs: 9e15 };
    const world = { ...WORLD, self: 'other', workers: new Map([['w1', 'alive' as const]]), leases: [lease] };
    expect(getRecoveryPlan(state, world, new Map())).toEqual([]);
  });

  it('a run that may start no session goes on with what needs none: a person’s word is not given up', () => {
    const [started, ...rest] = upTo('leased', '1');
    const takesUp = { attempt: null, override: { reason: 'seen', by: 'Ada', workOf: null } };
    const state = foldAll(BACKLOG, [{ ...started, takesUp } as HarnessEvent, ...rest]);
    const action = decide(state, WORLD, simPolicy, { ...SCOPE, maxSessions: 0 });
    expect(action).toEqual({ type: 'resume-held', task: '1' });
  });

  it.each<[Stage, string]>([
    ['leased', 'close'],
    ['prepared', 'close'],
    ['ready', 'close'],
    ['in-session', 'interrupt'],
    ['landing', 'land'],
  ])('a run that may start no session brings an attempt left at %s to rest: %s', (stage, type) => {
    const state = foldAll(BACKLOG, upTo(stage, '1'));
    expect(decide(state, WORLD, simPolicy, { ...SCOPE, maxSessions: 0 })).toEqual({ type, task: '1' });
  });
});
