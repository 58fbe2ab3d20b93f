import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, landing, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import { decide } from '../decide/decide.ts';
import { getStop } from '../decide/stopping.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { TaskDef } from '../model/task.ts';
import { canTouch, getRegressionSet, isInSuite } from './regression.ts';

const manual: TaskDef = { ...makeTask('3'), verificationType: 'manual' };
const BACKLOG = synced([makeTask('1'), makeTask('2'), manual, makeTask('4')]);

/** A landing for which not everything that proved earlier ones could be run. */
function landingInHaste(task: string): HarnessEvent[] {
  const check = { check: 'pass-to-pass', status: 'passed', summary: '', findings: [] } as const;
  const checks = [{ ...check, commands: [], durationMs: 0, measures: { left: 2 } }];
  return landing(task, { session: Number(task) }).map(event =>
    event.type === 'verdict.given' ? { ...event, checks } : event,
  );
}

const checked = (commit: string): HarnessEvent => ({
  ...{ type: 'project.checked', commit, tree: 't', passing: 0, failing: 0, broken: [] },
});

describe('the regression set', () => {
  it('is what has landed and was proven by something that can be run, newest first, and not the task itself', () => {
    const state = foldAll(BACKLOG, landing('1'), landing('2', { session: 2 }), landing('3', { session: 3 }));
    expect(getRegressionSet(state, '4').map(({ id }) => id)).toEqual(['2', '1']);
    expect(getRegressionSet(state, '2').map(({ id }) => id)).toEqual(['1']);
  });

  it('leaves a file to the suite that was seen running it', () => {
    const baseline = { passing: ['test/a.js > works'], failing: ['test/b.js > works'] };
    expect(['test/a.js', 'test/b.js', 'test/a', 'c.js'].map(file => isInSuite(file, baseline))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('can be touched by whatever was opened, is new or is gone, and by anything where nobody watched', () => {
    const changed = [{ path: 'a', kind: 'modified' }];
    expect(canTouch(null, [])).toBe(true);
    expect(canTouch(new Set(['a']), changed)).toBe(true);
    expect(canTouch(new Set(['b']), changed)).toBe(false);
    for (const kind of ['added', 'deleted'])
      expect(canTouch(new Set(['b']), [{ path: 'a', kind }])).toBe(true);
  });
});

describe('a look at everything that has landed', () => {
  it.each<[string, HarnessEvent[], Partial<typeof SCOPE>, Parameters<typeof getStop>[3], string]>([
    ['ends a run, whatever ends it', landing('1'), {}, 'task-limit', 'check-all'],
    ['is made once', [...landing('1'), checked('tip')], {}, 'task-limit', 'stop'],
    ['is made again when the tip has moved', [...landing('1'), checked('old')], {}, 'budget', 'check-all'],
    ['is not for who was told to stop', landing('1'), {}, 'asked', 'stop'],
    ['is not for who has no ground to stand on', landing('1'), {}, 'environment', 'stop'],
    ['is not for who only tidies up', landing('1'), { maxSessions: 0 }, 'session-limit', 'stop'],
    ['needs something to look at', [], {}, 'session-limit', 'stop'],
  ])('%s', (_, events, scope, why, type) => {
    const state = foldAll(BACKLOG, events);
    expect(getStop(state, WORLD, { ...SCOPE, ...scope }, why).type).toBe(type);
  });

  it('comes in the middle of a run once enough landings had no time for it', () => {
    const policy = { ...simPolicy, regression: { budgetMs: 0, interval: 2 } };
    const next = (events: HarnessEvent[]) => decide(foldAll(BACKLOG, events), WORLD, policy, SCOPE).type;
    const hasty = [...landingInHaste('1'), ...landingInHaste('2')];
    expect(next(landingInHaste('1'))).toBe('lease');
    expect(next(hasty)).toBe('check-all');
    expect(next([...hasty, checked('tip')])).toBe('lease');
    expect(next([...landing('1'), ...landing('2', { session: 2 })])).toBe('lease');
  });

  it('does not come between the steps of an attempt', () => {
    const policy = { ...simPolicy, regression: { budgetMs: 0, interval: 1 } };
    const events = [...landingInHaste('1'), ...upTo('prepared', '2', { session: 2 })];
    expect(decide(foldAll(BACKLOG, events), WORLD, policy, SCOPE).type).toBe('preflight');
  });
});
