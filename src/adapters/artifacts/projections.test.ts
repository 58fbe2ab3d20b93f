import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeStory, makeTask, store, USAGE } from '../../../test/support/history.ts';
import { synced, upTo } from '../../../test/support/pipeline.ts';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import { HARNESS_VERSION, SCHEMA_VERSION } from '../../core/base/version.ts';
import type { StoredEvent } from '../../core/events/event.ts';
import { fold } from '../../core/events/fold.ts';
import type { SessionOutcome } from '../../core/model/facts.ts';
import { createState } from '../../core/state/state.ts';
import { getCosts } from './costs.ts';
import { createProjections, getFileSizes, getSessionState, getTestBaseline } from './projections.ts';

const LANDED_SEQ = 11;
const SESSION_ENDED_SEQ = 17;

describe('session_state.json', () => {
  const read = (events: readonly StoredEvent[]) => JSON.parse(getSessionState(fold(events)));

  it('has the documented fields, ids as numbers', () => {
    expect(read(makeStory())).toEqual({
      harness_version: HARNESS_VERSION,
      schema_version: SCHEMA_VERSION,
      last_session: 2,
      status: 'failed',
      current_feature: 2,
      termination_reason: null,
      next_prompt: 'coding',
      stuck_count: 1,
      timeout_count: 0,
      timestamp: '2026-01-15T10:00:19Z',
    });
  });

  it.each([
    [
      'before any session',
      3,
      { last_session: 0, status: 'complete', current_feature: null, next_prompt: 'coding' },
    ],
    ['after a landing', LANDED_SEQ, { status: 'complete', current_feature: null, termination_reason: null }],
    [
      'while a claim is judged',
      SESSION_ENDED_SEQ,
      { status: 'partial', current_feature: 2, next_prompt: 'continuation' },
    ],
  ])('%s', (_, seq, expected) => {
    expect(read(makeStory().slice(0, seq))).toMatchObject(expected);
  });

  it('names every worker at work once there are several', () => {
    const worker = { host: 'box', pid: 4711, startTicks: '9' };
    const lanes = [1, 2].map(lane => ({
      ...{ type: 'worker.started' as const, worker: { ...worker, id: `w${lane}`, lane }, version: '0' },
    }));
    const events = [synced([makeTask('1'), makeTask('x-2')]), ...lanes];
    const first = upTo('in-session', '1', { worker: 'w1' });
    const second = upTo('leased', 'x-2', { worker: 'w2', session: 2 });
    expect(read(store([...events, ...first, ...second])).workers).toEqual([
      {
        ...{ worker: 'w1', host: 'box', pid: 4711, lane: 1, feature_id: 1, attempt: 1, session: 1 },
        ...{ stage: 'in-session', since: '2026-01-15T10:00:03Z' },
      },
      {
        ...{ worker: 'w2', host: 'box', pid: 4711, lane: 2, feature_id: 'x-2', attempt: 1, session: 2 },
        ...{ stage: 'leased', since: '2026-01-15T10:00:07Z' },
      },
    ]);
    expect(read(makeStory().slice(0, SESSION_ENDED_SEQ))).not.toHaveProperty('workers');
  });

  it.each<[SessionOutcome, string]>([
    ['timeout', 'timeout'],
    ['interrupted', 'user_pause'],
    ['budget', 'budget'],
    ['crashed', 'error'],
  ])('tells why a session that %s was over: %s', (outcome, reason) => {
    const events = makeStory()
      .slice(0, SESSION_ENDED_SEQ)
      .map(stored =>
        stored.event.type === 'session.ended' ? { ...stored, event: { ...stored.event, outcome } } : stored,
      );
    expect(read(events)).toMatchObject({ termination_reason: reason, status: 'partial' });
  });
});

describe('costs.yaml', () => {
  const budget = { perSessionUsd: 10, perTaskUsd: 25, totalUsd: Number.POSITIVE_INFINITY };

  it('has the documented shape', () => {
    expect(parse(getCosts(fold(makeStory()), budget))).toEqual({
      current_session: {
        session_id: 2,
        role: 'coding',
        started: '2026-01-15T10:00:14Z',
        tokens: { input: 1000, output: 200, cached: 50 },
        cost_usd: 0.1,
      },
      cumulative: {
        total_sessions: 2,
        total_tokens: { input: 2000, output: 400, cached: 100 },
        total_cost_usd: 0.2,
        by_role: [
          {
            role: 'coding',
            cost_usd: 0.2,
            sessions: 2,
            tokens: { input: 2000, output: 400, cached: 100 },
          },
        ],
        by_feature: [
          { feature_id: 1, cost_usd: 0.1, sessions: 1, tokens: { input: 1000, output: 200, cached: 50 } },
          { feature_id: 2, cost_usd: 0.1, sessions: 1, tokens: { input: 1000, output: 200, cached: 50 } },
        ],
      },
      budgets: { per_session_usd: 10, per_feature_usd: 25, total_project_usd: Number.POSITIVE_INFINITY },
    });
  });

  it('can be read before anything was spent', () => {
    const empty = parse(getCosts(createState(), null));
    expect(empty).toMatchObject({ current_session: null, cumulative: { total_sessions: 0, by_feature: [] } });
  });

  it('gives any task id back as it was', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.float({ min: 0, max: 1000, noNaN: true }),
        (id, costUsd) => {
          const state = fold(makeStory());
          const task = { ...state.tasks.get('1')!, def: makeTask(id), usage: { ...USAGE, costUsd } };
          const [first] = parse(getCosts({ ...state, tasks: new Map([[id, task]]) }, null)).cumulative
            .by_feature;
          expect(String(first.feature_id)).toBe(id);
          expect(first.cost_usd).toBeCloseTo(costUsd, 5);
        },
      ),
    );
  });
});

describe('test_baseline.json and file_sizes.json', () => {
  it('have the documented fields', () => {
    const state = fold(makeStory());
    expect(JSON.parse(getTestBaseline(state) ?? '')).toEqual({
      session: 0,
      timestamp: '2026-01-15T10:00:02Z',
      passing_tests: ['a.test > one'],
      total_passing: 1,
      total_tests: 1,
    });
    expect(getFileSizes(state)).toContain(
      '"src/a.ts": {\n      "lines": 10,\n      "session_added": 1\n    }',
    );
  });

  it('are not written before there is anything to tell', () => {
    expect([getTestBaseline(createState()), getFileSizes(createState())]).toEqual([null, null]);
  });
});

describe('rewriting', () => {
  const makeStateDir = useStateDirs();

  it('brings back a file that was changed by hand, once an event touches it', () => {
    const stateDir = makeStateDir();
    const { write } = createProjections(stateDir, null);
    const events = makeStory();
    const state = fold(events);
    write(state, events);
    const path = join(stateDir, 'costs.yaml');
    const before = readFileSync(path, 'utf8');
    const other = fold(store([{ type: 'note.added', level: 'debug', text: 'x' }]));
    write(other, []);
    expect(readFileSync(path, 'utf8')).not.toBe(before);
    write(state, []);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
});

describe('files that a worker left in step at its end', () => {
  const makeStateDir = useStateDirs();
  const FILES = ['costs.yaml', 'sessions.json', 'checkpoints/checkpoints.json'];
  const events = makeStory();
  const [stopped] = events.slice(-1);

  /** What a next process writes whose state tells of one task less than there was. */
  function leave(change: (stateDir: string) => void = () => undefined) {
    const stateDir = makeStateDir();
    createProjections(stateDir, null).write(fold(events), events);
    change(stateDir);
    const next = createProjections(stateDir, null);
    const read = () => FILES.map(file => readFileSync(join(stateDir, file), 'utf8'));
    const other = fold(events);
    other.tasks.delete('1');
    return { next, read, other, seen: next.readSeen(other) };
  }

  it('are not made again by the next one, but for what has happened since', () => {
    const { next, read, other, seen } = leave();
    expect(seen).toBe(stopped?.seq);
    const before = read();
    next.write(other, []);
    expect(read()).toEqual(before);
    expect(next.readSeen(other)).toBeNull();
    const again = leave();
    again.next.write(
      again.other,
      events.filter(({ event }) => event.type === 'session.ended'),
    );
    expect(again.read().map((text, at) => text === before[at])).toEqual([false, true, true]);
  });

  it.each<[string, (stateDir: string) => void]>([
    ['is gone', stateDir => rmSync(join(stateDir, 'costs.yaml'))],
    ['was changed by somebody', stateDir => writeFileSync(join(stateDir, 'costs.yaml'), 'mine')],
  ])('are made again where one %s', (_, change) => {
    const { next, read, other } = leave(change);
    next.write(other, []);
    const [costs = '', sessions = ''] = read();
    expect(costs).toContain('cumulative:');
    expect(JSON.parse(sessions)).toHaveLength(2);
  });

  it('are made again for other settings, and after an end that nobody saw', () => {
    expect(leave(dir => rmSync(join(dir, '.projected.json'))).seen).toBeNull();
    const stateDir = makeStateDir();
    createProjections(stateDir, null).write(fold(events), events);
    const budget = { perSessionUsd: 1, perTaskUsd: 2, totalUsd: 3 };
    expect(createProjections(stateDir, { ...simPolicy, budget }).readSeen(fold(events))).toBeNull();
  });
});
