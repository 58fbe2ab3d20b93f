import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask, USAGE } from '../../../test/support/history.ts';
import { foldAll, landing, SCOPE, synced, upTo, WORKER, WORLD } from '../../../test/support/pipeline.ts';
import { decide } from '../decide/decide.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { Policy } from './policy.ts';
import { getAllProviders, getProviders, getRoleSettings } from './policy.ts';
import { addUsage, NO_USAGE } from './usage.ts';

const started: HarnessEvent = { type: 'worker.started', worker: WORKER, version: '0' };
const policy: Policy = {
  ...simPolicy,
  providers: ['claude', 'codex'],
  models: {
    ...simPolicy.models,
    coding: { provider: 'claude', model: 'claude-opus-4-5', effort: 'high' },
    continuation: { provider: 'codex', model: 'gpt-6', effort: 'low' },
    review: { provider: 'acp', model: null, effort: null },
  },
};

describe('a role', () => {
  it('has its own provider first, then the chain', () => {
    expect(getProviders(policy, 'continuation')).toEqual(['codex', 'claude']);
    expect(getProviders(policy, 'review')).toEqual(['acp', 'claude', 'codex']);
    expect(getAllProviders(policy)).toEqual(['claude', 'codex', 'sim', 'acp']);
  });

  it('gives its model and effort to its own provider alone', () => {
    expect(getRoleSettings(policy, 'coding', 'claude')).toEqual({ model: 'claude-opus-4-5', effort: 'high' });
    expect(getRoleSettings(policy, 'coding', 'codex')).toEqual({});
    expect(getRoleSettings(policy, 'review', 'acp')).toEqual({});
  });

  it.each([
    ['fresh work', null, 'claude'],
    ['work that was cut off', 'wip-1', 'codex'],
  ])('decides who gets %s', (_, wip, provider) => {
    const state = foldAll(started, synced([makeTask('1')]), upTo('ready', '1', { wip }));
    expect(decide(state, WORLD, policy, SCOPE)).toEqual({ type: 'session', task: '1', provider });
  });

  it('falls back along the chain when its provider cannot be had', () => {
    const failed: HarnessEvent = {
      ...{ type: 'provider.failed', provider: 'codex', kind: 'rate_limit', message: '', count: 1 },
      ...{ response: 'wait', untilMs: WORLD.nowMs + 1 },
    };
    const state = foldAll(started, synced([makeTask('1')]), upTo('ready', '1', { wip: 'wip-1' }), failed);
    expect(decide(state, WORLD, policy, SCOPE)).toMatchObject({ type: 'session', provider: 'claude' });
  });
});

describe('what was used', () => {
  const spent = (costUsd: number, role?: 'review'): HarnessEvent => ({
    ...{ type: 'session.spent', task: '1', attempt: 1, session: 1 },
    usage: { ...NO_USAGE, cachedTokens: 7, costUsd },
    ...(role ? { role } : {}),
  });

  it('is counted by role and adds up to the whole', () => {
    const tasks = synced([makeTask('1'), makeTask('2')]);
    const state = foldAll(started, tasks, landing('1'), landing('2', { wip: 'w', session: 2 }));
    expect(state.costs.byRole.get('coding')).toEqual({ usage: USAGE, sessions: 1 });
    expect([...state.costs.byRole.values()].map(one => one.usage).reduce(addUsage)).toEqual(
      state.costs.usage,
    );
  });

  it('beside a session is the helper’s, and takes nothing from what the session reports', () => {
    const events = upTo('session-over', '1', { costUsd: 3 });
    const state = foldAll(
      started,
      synced([makeTask('1')]),
      events.slice(0, -1),
      spent(1),
      spent(2, 'review'),
      events.slice(-1),
    );
    expect(state.costs.byRole.get('review')).toEqual({
      usage: { ...NO_USAGE, cachedTokens: 7, costUsd: 2 },
      sessions: 0,
    });
    expect(state.costs.byRole.get('coding')?.usage.costUsd).toBeCloseTo(3);
    expect(state.costs.usage.costUsd).toBeCloseTo(5);
  });

  it('before a crash stays used, whatever is recovered', () => {
    const tasks = synced([makeTask('1')]);
    const inSession = upTo('in-session', '1');
    const crashed: HarnessEvent = {
      ...{ type: 'session.ended', task: '1', attempt: 1, session: 1, outcome: 'interrupted', summary: '' },
      ...{ usage: { ...NO_USAGE, costUsd: 0.5 }, durationMs: 0, transcript: null },
    };
    const state = foldAll(started, tasks, inSession, spent(0.5), spent(0.25), crashed);
    expect(state.costs.byRole.get('coding')).toMatchObject({
      sessions: 1,
      usage: { costUsd: 0.75, cachedTokens: 14 },
    });
    expect(state.costs.usage.costUsd).toBe(0.75);
  });
});
