import { describe, expect, it } from 'vitest';
import { makeTask, store } from '../../../test/support/history.ts';
import { synced, upTo } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import { fold } from '../events/fold.ts';
import { NO_USAGE } from '../model/usage.ts';
import { isCrowded } from './provider-trouble.ts';

const TASKS = ['1', '2', '3', '4'];
const MINUTE_MS = 60_000;

const atWork = (...tasks: readonly string[]): HarnessEvent[] =>
  tasks.flatMap((task, at) => upTo('in-session', task, { session: at + 1, worker: `w${task}` }));
const refused = (untilMs: number | null, kind: 'rate_limit' | 'crash' = 'rate_limit'): HarnessEvent => ({
  ...{ type: 'provider.failed', provider: 'scripted', kind, message: '429', count: 1, untilMs },
  response: 'wait',
});
const spent = (task: string): HarnessEvent => ({
  ...{ type: 'session.spent', task, attempt: 1, session: 1, usage: { ...NO_USAGE, costUsd: 0.1 } },
});
const foldThem = (...events: readonly (HarnessEvent | readonly HarnessEvent[])[]) =>
  fold(store([synced(TASKS.map(id => makeTask(id))), ...events.flat()]));

describe('a provider with several agents', () => {
  it('takes as many as there are while it works', () => {
    expect(isCrowded(foldThem(atWork('1', '2', '3')), 'scripted', 0)).toBe(false);
  });

  it('is tried by one alone once it has refused, until that one is answered', () => {
    const probing = foldThem(atWork('1'), refused(5), upTo('in-session', '2', { session: 2 }).slice(0, 4));
    expect(isCrowded(probing, 'scripted', 10)).toBe(true);
    const answered = foldThem(refused(5), atWork('2'), spent('2'));
    expect(answered.trouble.providers.size).toBe(0);
  });

  it('is not known to be back by a session that began before it refused', () => {
    const state = foldThem(atWork('1'), refused(5), spent('1'));
    expect(state.trouble.providers.has('scripted')).toBe(true);
  });

  it('lets in half as many as were there when it refused, and one more every ten minutes', () => {
    const state = foldThem(atWork('1', '2', '3', '4'), refused(5));
    const sinceMs = state.trouble.crowds.get('scripted')?.sinceMs ?? 0;
    expect(state.trouble.crowds.get('scripted')).toMatchObject({ atOnce: 2 });
    state.trouble.providers.clear();
    expect(isCrowded(state, 'scripted', sinceMs + 20 * MINUTE_MS)).toBe(true);
    expect(isCrowded(state, 'scripted', sinceMs + 30 * MINUTE_MS)).toBe(false);
  });

  it('keeps nobody out for an agent that crashed', () => {
    expect(isCrowded(foldThem(atWork('1', '2'), refused(null, 'crash')), 'scripted', 0)).toBe(false);
  });
});
