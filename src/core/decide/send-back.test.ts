import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { foldAll, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { State } from '../state/state.ts';
import { decide } from './decide.ts';
import { getEnding } from './retry.ts';

const TASK = synced([makeTask('1')]);
const SENT_BACK: HarnessEvent = {
  type: 'attempt.sent-back',
  task: '1',
  attempt: 1,
  round: 1,
  reason: 'pass-to-pass: broken',
  findings: ['test/old is now failed (12 ms)'],
};

interface Round {
  readonly findings?: readonly string[];
  readonly tree?: string;
  readonly contextShare?: number;
  readonly agentSession?: string;
  readonly costUsd?: number;
}

/** An attempt up to a rejection; `rebased` when the base moved before it. */
function reject({ findings = ['test/old is now failed'], tree, ...rest }: Round = {}): HarnessEvent[] {
  return upTo('judged', '1', { word: 'rejected', costUsd: rest.costUsd ?? 0.01 }).map(event => {
    if (event.type === 'session.ended') return { ...event, ...rest };
    if (event.type === 'candidate.taken' && tree) return { ...event, tree };
    if (event.type !== 'verdict.given') return event;
    return { ...event, verdict: { ...event.verdict, findings }, tree: tree ?? event.tree };
  });
}

/** The second session of the same attempt, up to its rejection. */
function again(round: Round = {}): HarnessEvent[] {
  return reject(round).slice(3);
}

function ask(state: State, world = {}, policy = {}): string {
  return decide(state, { ...WORLD, ...world }, { ...simPolicy, ...policy }, SCOPE).type;
}

describe('work that was rejected', () => {
  it('goes back to the agent, which then works again with what it has on disk', () => {
    expect(ask(foldAll(TASK, reject()))).toBe('send-back');
    const state = foldAll(TASK, reject(), SENT_BACK);
    expect(ask(state)).toBe('session');
    expect(state.active.get('1')).toMatchObject({ round: 1, judged: null });
  });

  it.each<[string, Round, object, object]>([
    ['there is nothing to tell', { findings: [] }, {}, {}],
    ['no round is allowed', {}, {}, { feedbackRounds: 0 }],
    ['the context of its session is nearly full', { agentSession: 's', contextShare: 0.75 }, {}, {}],
    ['the money for a session is gone', { costUsd: 10 }, {}, {}],
    ['somebody asked the run to stop', {}, { stopRequested: true }, {}],
  ])('does not go back when %s', (_, round, world, policy) => {
    expect(ask(foldAll(TASK, reject(round)), world, policy)).toBe('close');
  });

  it('goes back whatever the context was when the agent starts afresh anyway', () => {
    expect(ask(foldAll(TASK, reject({ contextShare: 0.9 })))).toBe('send-back');
  });

  it('goes back again only while the findings change, and only so often', () => {
    const first = [TASK, ...reject(), SENT_BACK];
    expect(ask(foldAll(first, again({ tree: 'other', findings: ['something else'] })))).toBe('send-back');
    const same = again({ tree: 'other', findings: ['test/old is now failed (7 ms)'] });
    expect(ask(foldAll(first, same))).toBe('close');
    expect(ask(foldAll(first, again({ findings: ['something else'] })))).toBe('close');
    const second = [...first, ...again({ tree: 'other', findings: ['b'] }), { ...SENT_BACK, round: 2 }];
    expect(ask(foldAll(second, again({ tree: 'third', findings: ['c'] })))).toBe('close');
  });

  it('does not go back once it was put onto another base: the worktree is not', () => {
    const rebased: HarnessEvent = {
      ...{ type: 'candidate.rebased', task: '1', attempt: 1, commit: 'c2', tree: 'tree-2' },
      ...{ base: 'base-2', baseTree: 'base-2-tree' },
    };
    const proven = upTo('judged', '1');
    const verdict = reject({ tree: 'tree-2' }).at(-1) as HarnessEvent;
    expect(ask(foldAll(TASK, proven, rebased, verdict))).toBe('close');
  });

  it('cannot be sent back without a rejection', () => {
    expect(() => foldAll(TASK, upTo('judged', '1'), SENT_BACK)).toThrow('without having been rejected');
  });

  it('counts the money of every round, and keeps its findings when the next one ends without a claim', () => {
    const over = again()
      .slice(0, 3)
      .map(event => (event.type === 'session.ended' ? { ...event, outcome: 'not-done' as const } : event));
    const state = foldAll(TASK, reject({ costUsd: 1 }), SENT_BACK, over);
    const attempt = state.active.get('1');
    expect(attempt?.agent.usage.costUsd).toBeCloseTo(1.01);
    expect(state.costs.usage.costUsd).toBeCloseTo(1.01);
    expect(attempt && getEnding(attempt)).toMatchObject({ outcome: 'failed', findings: SENT_BACK.findings });
  });
});
