import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../../test/sim/sim-policy.ts';
import { makeTask } from '../../../test/support/history.ts';
import { ended, foldAll, landing, SCOPE, synced, upTo, WORLD } from '../../../test/support/pipeline.ts';
import type { HarnessEvent } from '../events/event.ts';
import type { StopReason } from '../model/action.ts';
import type { Policy } from '../model/policy.ts';
import type { RunScope, World } from '../model/world.ts';
import { getEscalation } from '../people/escalation.ts';
import { getStopReason, STOPPING } from './stopping.ts';

const BACKLOG = synced(['1', '2', '3'].map(id => ({ ...makeTask(id), maxAttempts: 99 })));

interface Look {
  readonly events?: readonly HarnessEvent[];
  readonly world?: Partial<World>;
  readonly scope?: Partial<RunScope>;
  readonly policy?: Partial<Policy>;
}

function ask({ events = [], world, scope, policy }: Look): StopReason | null {
  const state = foldAll(BACKLOG, events);
  return getStopReason({
    state,
    world: { ...WORLD, ...world },
    policy: { ...simPolicy, ...policy },
    scope: { ...SCOPE, ...scope },
  });
}

const limits = (changed: Partial<Policy['limits']>) => ({ limits: { ...simPolicy.limits, ...changed } });

/** An attempt that did nothing and said so. */
function idle(task: string, attempt: number, findings: readonly string[] = []): HarnessEvent[] {
  const story = { attempt, session: attempt, outcome: 'not-done' } as const;
  return [...upTo('session-over', task, story), ended(task, 'failed', { attempt, findings })];
}

/** An attempt that did not begin, because of what its base was. */
const refused = (base: string): HarnessEvent[] => [
  ...upTo('prepared', '1', { base }),
  {
    ...{ type: 'preflight.failed', task: '1', attempt: 1, checks: [], reason: 'red' },
    ...{ category: 'DEPENDENCY', red: ['a'] },
  },
  ended('1', 'partial'),
];

const DRIFT = getEscalation(
  'drift',
  { task: null, cause: 'c' },
  { title: 't', what: 'w', why: 'y', drift: 0.4 },
);

const rounds = (n: number) =>
  Array.from({ length: n }, (_, i) => ['1', '2', '3'].flatMap(id => idle(id, i + 1))).flat();

describe('a run begins nothing more', () => {
  const table: [StopReason, string, Look, Look][] = [
    ['asked', 'once it is told to stop', { world: { stopRequested: true } }, {}],
    ['environment', 'on broken ground', { scope: { environmentBroken: true } }, {}],
    [
      'red-base',
      'on a base that turned red',
      { events: refused('tip') },
      { events: refused('an earlier commit') },
    ],
    [
      'drift',
      'while a person is asked about it',
      { events: [{ type: 'question.asked', ...DRIFT }] },
      { events: [{ type: 'question.asked', ...DRIFT, id: 'cycle-1', kind: 'cycle' }] },
    ],
    [
      'time',
      'once its time is over',
      { scope: { untilMs: WORLD.nowMs } },
      { scope: { untilMs: WORLD.nowMs + 1 } },
    ],
    [
      'session-limit',
      'after so many attempts',
      { scope: { maxSessions: 2, endedAttempts: 2 } },
      { scope: { maxSessions: 2, endedAttempts: 1 } },
    ],
    [
      'task-limit',
      'after so many landed tasks',
      { scope: { maxTasks: 2, endedAttempts: 5, landedTasks: 2 } },
      { scope: { maxTasks: 2, endedAttempts: 5, landedTasks: 1 } },
    ],
    [
      'project-sessions',
      'once the project has had all its sessions',
      { events: landing('1', { session: 4 }), policy: limits({ sessions: 4 }) },
      { events: landing('1', { session: 4 }), policy: limits({ sessions: 5 }) },
    ],
    [
      'iterations',
      'after so many attempts that landed nothing',
      { scope: { endedAttempts: 9, withoutLanding: 4 }, policy: limits({ attemptsWithoutLanding: 4 }) },
      { scope: { endedAttempts: 9, withoutLanding: 3 }, policy: limits({ attemptsWithoutLanding: 4 }) },
    ],
    ['budget', 'without money', { policy: { budget: { ...simPolicy.budget, totalUsd: 0 } } }, {}],
    [
      'stale',
      'when two rounds over everything ready brought nothing new',
      { events: rounds(3), scope: { endedAttempts: 9 } },
      { events: rounds(2), scope: { endedAttempts: 6 } },
    ],
  ];

  it.each(table)('%s: %s, and not before', (why, _, met, unmet) => {
    expect(ask(met)).toBe(why);
    expect(ask(unmet)).toBeNull();
  });

  it('for every reason in the table, each of which is tried here', () => {
    expect(table.map(([why]) => why)).toEqual(STOPPING.map(([why]) => why));
  });
});

describe('progress is', () => {
  const scope = { endedAttempts: 9 };
  it.each<[string, readonly HarnessEvent[]]>([
    ['a finding that is new', [...rounds(2), ...idle('1', 3), ...idle('2', 3, ['another']), ...idle('3', 3)]],
    ['a landing', [...rounds(3).slice(0, -idle('3', 3).length), ...landing('3', { attempt: 3 })]],
    [
      'a landing, after which everything counts anew',
      [...rounds(2), ...landing('3', { attempt: 3, session: 3 }), ...['1', '2'].flatMap(id => idle(id, 3))],
    ],
    ['a task that nobody has tried', [...rounds(3), synced([makeTask('4')])]],
    [
      'work that differs',
      [
        ...rounds(2),
        ...['1', '2'].flatMap(id => idle(id, 3)),
        ...upTo('candidate', '3', { attempt: 3, outcome: 'not-done' }),
        ended('3', 'failed', { attempt: 3 }),
      ],
    ],
    ['a reset by a person', [...rounds(3), { type: 'task.reset', task: '2', reason: 'again' }]],
  ])('%s', (_, events) => {
    expect(ask({ events, scope })).toBeNull();
  });

  it('not asked of a run that has tried nothing yet', () => {
    expect(ask({ events: rounds(3) })).toBeNull();
  });

  it('not what interruptions are counted by', () => {
    const cut = [1, 2, 3].flatMap(n =>
      ['1', '2', '3'].flatMap(id => [
        ...upTo('session-over', id, { attempt: n, session: n, outcome: 'interrupted' }),
        ended(id, 'partial', { attempt: n }),
      ]),
    );
    expect(ask({ events: cut, scope })).toBeNull();
  });
});
