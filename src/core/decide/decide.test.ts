import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { failing, foldAll, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import { playHistory } from '../../../test/support/random-history.ts';
import type { HarnessEvent } from '../events/event.ts';
import { apply } from '../events/fold.ts';
import type { Action } from '../model/action.ts';
import type { VerdictOutcome } from '../model/check.ts';
import type { SessionOutcome } from '../model/facts.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { RunScope, World } from '../model/world.ts';
import type { Stage } from '../state/attempt.ts';
import { createState } from '../state/state.ts';
import { decide } from './decide.ts';

const BACKLOG = synced([makeTask('1'), makeTask('2', ['1'])]);

interface Look {
  readonly world?: Partial<World>;
  readonly scope?: Partial<RunScope>;
  readonly policy?: Partial<typeof simPolicy>;
}

function ask(events: readonly HarnessEvent[], { world, scope, policy }: Look = {}): Action {
  const state = foldAll(BACKLOG, events);
  const at = { ...WORLD, backlogBlob: state.backlog?.blob ?? 'b0', ...world };
  return decide(state, at, { ...simPolicy, ...policy }, { ...SCOPE, ...scope });
}

describe('the pipeline', () => {
  it.each<[Stage, string]>([
    ['leased', 'prepare'],
    ['prepared', 'preflight'],
    ['ready', 'session'],
    ['in-session', 'interrupt'],
    ['session-over', 'snapshot'],
    ['landing', 'land'],
  ])('goes on from %s with %s', (stage, type) => {
    expect(ask(upTo(stage, '1'))).toMatchObject({ type, task: '1' });
  });

  it('begins no session once others have spent what was left', () => {
    const events: HarnessEvent[] = [
      ...upTo('ready', '1'),
      { type: 'planner.spent', usage: { ...NO_USAGE, costUsd: 9.5 } },
    ];
    const withTotal = (totalUsd: number) => ({ policy: { budget: { ...simPolicy.budget, totalUsd } } });
    expect(ask(events, withTotal(10))).toMatchObject({ type: 'session', task: '1' });
    expect(ask(events, withTotal(9.5))).toEqual({ type: 'close', task: '1' });
  });

  it.each<[SessionOutcome, string]>([
    ['claimed', 'verify'],
    ['not-done', 'close'],
    ['crashed', 'close'],
    ['timeout', 'close'],
    ['interrupted', 'close'],
    ['budget', 'close'],
    ['context', 'close'],
    ['stuck', 'close'],
    ['unavailable', 'close'],
    ['asked', 'close'],
  ])('goes on from the candidate of a session that ended %s with %s', (outcome, type) => {
    expect(ask(upTo('candidate', '1', { outcome }))).toEqual({ type, task: '1' });
  });

  it.each<[VerdictOutcome, string]>([
    ['proven', 'land'],
    ['rejected', 'close'],
    ['needs-human', 'close'],
    ['inconclusive', 'close'],
  ])('goes on from the verdict %s with %s', (word, type) => {
    expect(ask(upTo('judged', '1', { word }))).toEqual({ type, task: '1' });
  });

  it('closes an attempt whose preflight failed', () => {
    expect(ask(upTo('ready', '1', { preflightFails: true }))).toEqual({ type: 'close', task: '1' });
  });

  it('is walked to its end even when no more may be started', () => {
    const look = { world: { stopRequested: true }, scope: { maxSessions: 0, environmentBroken: true } };
    expect(ask(upTo('judged', '1'), look)).toEqual({ type: 'land', task: '1' });
  });

  it('never leads to a landing that is not proven', () => {
    const choices = fc.array(fc.nat(1_000), { maxLength: 300, size: 'max' });
    fc.assert(
      fc.property(choices, numbers => {
        const state = createState();
        for (const stored of playHistory(numbers)) {
          apply(state, stored);
          const world = { ...WORLD, backlogBlob: state.backlog?.blob ?? 'missing' };
          const action = decide(state, world, simPolicy, SCOPE);
          if (action.type !== 'land') continue;
          expect(state.active.get(action.task)?.judged?.verdict.word).toBe('proven');
        }
      }),
    );
  });
});

describe('a word to the workers', () => {
  const say = (mode: 'paused' | 'stopped' | 'running'): HarnessEvent => ({
    type: 'control.changed',
    mode,
    by: 'Ada',
    reason: '',
  });
  const came: HarnessEvent = {
    type: 'worker.started',
    worker: { id: WORLD.self, host: 'h', pid: 1, startTicks: '1' },
    version: '1',
  };
  const wait = { type: 'wait', ms: expect.any(Number), why: expect.any(String) };

  it.each<[string, readonly HarnessEvent[], Partial<World>, unknown]>([
    ['a pause makes those wait who were there', [came, say('paused')], {}, wait],
    [
      'a pause keeps those from beginning who come later',
      [say('paused'), came],
      {},
      { type: 'stop', why: 'paused' },
    ],
    ['a pause holds an attempt between two steps', [came, ...upTo('ready', '1'), say('paused')], {}, wait],
    [
      'a landing is brought to its end',
      [came, ...upTo('landing', '1'), say('paused')],
      {},
      { type: 'land', task: '1' },
    ],
    ['what is resumed goes on', [came, say('paused'), say('running')], {}, { type: 'lease', task: '1' }],
    ['a stop ends those who were there', [came, say('stopped')], {}, { type: 'stop', why: 'asked' }],
    ['a stop is nothing to those who come later', [say('stopped'), came], {}, { type: 'lease', task: '1' }],
    ['a file pauses as long as it is there', [came], { pauseRequested: true }, wait],
    [
      'a file keeps those from beginning who come after it',
      [came],
      { pauseRequested: true, pausedBefore: true },
      { type: 'stop', why: 'paused' },
    ],
  ])('%s', (_, events, world, action) => {
    expect(ask(events, { world })).toEqual(action);
  });
});

describe('where memory runs short', () => {
  const look = (atOnce: number | null, isOver = false): Look => ({
    world: {
      machine: { atOnce, isOver, why: '9 % free' },
      workers: new Map([['other', 'alive']]),
      leases: [{ resource: 'task/1', owner: 'other', fence: 1, expiresAtMs: WORLD.nowMs + 60_000 }],
    },
  });
  const other = { id: 'other', host: 'here', pid: 4712, startTicks: '9' };
  const started: HarnessEvent = { type: 'worker.started', worker: other, version: '0' };
  const busy = [synced([makeTask('1'), makeTask('3')]), started, ...upTo('ready', '1', { worker: 'other' })];

  it.each<[string, readonly HarnessEvent[], Look, object]>([
    ['as many as were asked for begin while there is enough', busy, look(null), { type: 'lease', task: '3' }],
    ['a second begins beside one under a warning', busy, look(2), { type: 'lease', task: '3' }],
    ['none begins beside one when it is critical', busy, look(1), { type: 'wait', why: '9 % free' }],
    ['none begins at all before it has been looked at again', [], look(1), { type: 'wait' }],
    ['the run stops when it stays so', [], look(1, true), { type: 'stop', why: 'machine' }],
    ['what is under way is not stopped for that', busy, look(1, true), { type: 'wait' }],
  ])('%s', (_, events, at, action) => {
    expect(ask(events, at)).toMatchObject(action);
  });
});

describe('what is asked for comes before what is next', () => {
  it.each<[string, Look, Action]>([
    ['a request to stop', { world: { stopRequested: true } }, { type: 'stop', why: 'asked' }],
    ['a broken environment', { scope: { environmentBroken: true } }, { type: 'stop', why: 'environment' }],
    [
      'the limit of sessions',
      { scope: { maxSessions: 2, endedAttempts: 2 } },
      { type: 'stop', why: 'session-limit' },
    ],
    ['nothing of the kind', {}, { type: 'lease', task: '1' }],
    [
      'a limit not yet reached',
      { scope: { maxSessions: 2, endedAttempts: 1 } },
      { type: 'lease', task: '1' },
    ],
    ['a backlog that has changed', { world: { backlogBlob: 'b9' } }, { type: 'sync' }],
    ['a backlog that is gone', { world: { backlogBlob: 'missing' } }, { type: 'sync' }],
    ['a task that is not ready', { scope: { onlyTask: '2' } }, { type: 'stop', why: 'nothing-ready' }],
    ['a task that is ready', { scope: { onlyTask: '1' } }, { type: 'lease', task: '1' }],
  ])('%s', (_, look, action) => {
    expect(ask([], look)).toEqual(action);
  });
});

describe('the end of the backlog', () => {
  it.each<[string, HarnessEvent[], string]>([
    ['one set aside, one waiting for it', [{ type: 'task.blocked', task: '1', reason: '' }], 'nothing-ready'],
    ['everything removed', [synced([], { removed: ['1', '2'] })], 'empty-backlog'],
  ])('%s: %s', (_, events, why) => {
    expect(ask(events)).toEqual({ type: 'stop', why });
  });
});

describe('what only a person can decide is asked once, and then waited for', () => {
  it.each<[string, HarnessEvent[], Look, string, Action]>([
    [
      'a spent budget',
      [],
      { policy: { budget: { ...simPolicy.budget, totalUsd: 0 } } },
      'budget-0',
      { type: 'stop', why: 'budget' },
    ],
    [
      'a task over its budget',
      failing('1', 'rejected', { costUsd: 3 }),
      { policy: { budget: { ...simPolicy.budget, perTaskUsd: 3 } } },
      'budget-1-1',
      { type: 'stop', why: 'nothing-ready' },
    ],
    [
      'a task that is interrupted again and again',
      [1, 2].flatMap(attempt => failing('1', 'partial', { attempt, outcome: 'interrupted' })),
      { policy: { maxInterruptions: 2 } },
      'stuck-1-2',
      { type: 'stop', why: 'nothing-ready' },
    ],
    [
      'a blocked task',
      failing('1', 'needs-human'),
      {},
      'impossible-1-1',
      { type: 'stop', why: 'nothing-ready' },
    ],
  ])('%s', (_, events, look, id, then) => {
    const asked = ask(events, look);
    expect(asked).toMatchObject({ type: 'ask', question: { id } });
    if (asked.type !== 'ask') return;
    expect(ask([...events, { type: 'question.asked', ...asked.question }], look)).toEqual(then);
  });

  it('a cent below is nothing to ask about', () => {
    const policy = { budget: { ...simPolicy.budget, perTaskUsd: 3 } };
    expect(ask(failing('1', 'rejected', { costUsd: 2.99 }), { policy })).toMatchObject({ type: 'lease' });
  });
});

describe('providers that cannot be had', () => {
  const failed = (untilMs: number | null): HarnessEvent => ({
    type: 'provider.failed',
    provider: 'sim',
    kind: 'rate_limit',
    message: 'slow down',
    count: 1,
    response: 'wait',
    untilMs,
  });

  it.each<[string, HarnessEvent[], Look, Partial<Action>]>([
    ['are waited for', [failed(6_000)], {}, { type: 'wait', ms: 5_000 }],
    ['are waited for in short pieces', [failed(1e9)], {}, { type: 'wait', ms: 30_000 }],
    ['are waited for within an attempt', [...upTo('ready', '1'), failed(1e9)], {}, { type: 'wait' }],
    [
      'keep nobody waiting who was told to stop',
      [...upTo('ready', '1'), failed(1e9)],
      { world: { stopRequested: true } },
      { type: 'close' },
    ],
    [
      'keep nobody waiting whose time is over',
      [...upTo('ready', '1'), failed(1e9)],
      { scope: { untilMs: 1 } },
      { type: 'close' },
    ],
    ['are used again when their time has come', [failed(1_000)], {}, { type: 'lease' }],
    [
      'are passed over for the next',
      [failed(6_000)],
      { policy: { providers: ['sim', 'b'] } },
      { type: 'lease' },
    ],
    [
      'end the run when a person has to log in',
      [],
      { scope: { halted: new Map([['sim', 'auth']]) } },
      { why: 'auth' },
    ],
    ['end the run', [], { scope: { halted: new Map([['sim', 'provider']]) } }, { why: 'provider' }],
  ])('%s', (_, events, look, action) => {
    expect(ask(events, look)).toMatchObject(action);
  });
});
