import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeScreen } from '../../../../test/support/fake-screen.ts';
import { makeTask, STORY_START_MS, USAGE } from '../../../../test/support/history.ts';
import { ended, landed, synced, upTo, WORKER } from '../../../../test/support/pipeline.ts';
import type { HarnessEvent, StoredEvent } from '../../../core/events/event.ts';
import { apply } from '../../../core/events/fold.ts';
import { createState } from '../../../core/state/state.ts';
import { holdDrawing } from '../../terminal/hold-drawing.ts';
import type { Io } from '../../terminal/io.ts';
import { createReporter } from '../watch.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Where {
  readonly isTty?: boolean;
  readonly json?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** A reporter on a terminal in memory, told what a loop would tell it. */
function watch({ isTty = false, json = false, columns = 80, rows = 24 }: Where = {}) {
  const screen = new FakeScreen(columns, rows, Date.now);
  const printed: string[] = [];
  const err = (text: string) => (isTty ? screen.write(`${text}\n`) : printed.push(text));
  const io: Io = {
    ...{ env: {}, cwd: '/', isTty, useColour: false, colourOut: false },
    ...{ out: () => undefined, exit: () => undefined, err },
  };
  const reporter = createReporter(io, json, screen);
  const state = createState();
  const record = (...events: readonly HarnessEvent[]) => {
    for (const event of events) {
      const next = state.seq + 1;
      const stored: StoredEvent = {
        ...{ seq: next, stream: 'project', version: next, atMs: STORY_START_MS, event },
      };
      apply(state, stored);
      reporter.event(stored, state);
    }
  };
  const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);
  const lane = (number: number) => reporter.lane?.(number) ?? reporter;
  const ends: (() => void)[] = [];
  return { screen, printed, reporter, record, pass, lane, ends };
}

type Watched = ReturnType<typeof watch>;

const started = (id: string, lane?: number): HarnessEvent => ({
  type: 'worker.started',
  worker: { ...WORKER, id, ...(lane === undefined ? {} : { lane }) },
  version: '0',
  budgetUsd: 200,
});
const stopped = (workerId: string): HarnessEvent => ({ type: 'worker.stopped', workerId, reason: 'done' });
const BACKLOG = synced(['7', '9', '12'].map(id => makeTask(id)));
const spent = (task: string, costUsd: number): HarnessEvent => ({
  ...{ type: 'session.spent', task, attempt: 1, session: 1, usage: { ...USAGE, costUsd } },
});
const rest = (from: Parameters<typeof upTo>[0], to: Parameters<typeof upTo>[0], task: string) =>
  upTo(to, task, { worker: 'w2', session: 2, word: 'rejected' }).slice(upTo(from, task).length);

/** Two lanes: one in a session, one that verifies. */
function playHalf({ record, pass, lane, ends }: Watched): void {
  const [first, second] = [lane(1), lane(2)];
  record(BACKLOG, started('w1', 1), started('w2', 2));
  first.phase('7', 'lease');
  record(...upTo('leased', '7', { worker: 'w1' }));
  first.phase('7', 'session');
  record(...upTo('in-session', '7').slice(1), spent('7', 0.31));
  pass(60);
  second.phase('9', 'lease');
  record(...upTo('session-over', '9', { worker: 'w2', session: 2 }));
  second.phase('9', 'verify');
  second.phase('9', 'fail-to-pass: passed (1 test)');
  ends.push(second.command?.('npm test') ?? (() => undefined));
  second.printed?.('\u001b[32mok 1\u001b[0m - adds\u001b[2Jup');
  first.agent('7', { type: 'file', action: 'write', path: 'src/tax.ts' });
  pass(41);
}

/** Lane 1 lands, lane 2 is refused. */
function playRest({ record, pass, lane, ends }: Watched): void {
  record(...upTo('landing', '7', { costUsd: 0.31 }).slice(4), landed('7'));
  lane(1).phase(null, 'sync');
  for (const end of ends) end();
  record(...rest('session-over', 'judged', '9'), ended('9', 'rejected'));
  pass(1);
}

const FACTS = [
  'backlog: 3 tasks new or changed',
  '[1] ▶ task 7, attempt 1 (session 1, base base)',
  '[2] ▶ task 9, attempt 1 (session 2, base base)',
  '[2] task 9: agent claimed: what it said',
];

describe('several lanes on a terminal', () => {
  it.each([
    [
      { columns: 80, rows: 24 },
      [
        ' 1  task 7  session  1:41  $0.31  write src/tax.ts',
        ' 2  task 9  verify   0:41  $0.10  npm test  | ok 1 - adds up',
        ' landed 0  rejected 0  waiting for a person 0  $0.41 of $200',
      ],
    ],
    [
      { columns: 40, rows: 10 },
      [
        ' 1  task 7  session  1:41  $0.31  writ…',
        ' 2  task 9  verify   0:41  $0.10  npm …',
        ' ✔ 0  ✘ 0  ? 0  $0.41 of $200',
      ],
    ],
  ])('have a row each below the facts: %o', (size, rows) => {
    const watched = watch({ isTty: true, ...size });
    playHalf(watched);
    const seen = watched.screen.seen();
    expect(seen.slice(-3)).toEqual(rows);
    expect(watched.screen.getCursor()).toEqual({ row: seen.length, column: 0 });
    if (size.columns === 80) expect(seen.slice(0, -3)).toEqual(FACTS);
  });

  it('say what came of their tasks, and wait for the next', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    playRest(watched);
    expect(watched.screen.seen().slice(FACTS.length)).toEqual([
      '[1] task 7: agent claimed: what it said',
      '[1] task 7: proven (all checks: it is proven)',
      '[1] ✔ task 7 landed as landed-7 on main',
      '[2] task 9: rejected (pass-to-pass: it is rejected)',
      '[2] ✘ task 9: rejected: it was rejected',
      ' 1    sync',
      ' 2    waits',
      ' landed 1  rejected 1  waiting for a person 0  $0.41 of $200',
    ]);
  });

  it('leave room on a small terminal for the last of the facts', () => {
    const watched = watch({ isTty: true, columns: 40, rows: 10 });
    playHalf(watched);
    playRest(watched);
    expect(watched.screen.seen()).toEqual([
      '[1] task 7: proven (all checks: it is pr',
      'oven)',
      '[1] ✔ task 7 landed as landed-7 on main',
      '[2] task 9: rejected (pass-to-pass: it i',
      's rejected)',
      '[2] ✘ task 9: rejected: it was rejected',
      ' 1    sync',
      ' 2    waits',
      ' ✔ 1  ✘ 1  ? 0  $0.41 of $200',
    ]);
  });

  it('draw at most ten times a second, each time with one write', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    const before = watched.screen.writes.length;
    for (let at = 0; at < 2_000; at++) {
      watched.lane(2).printed?.(`ok ${at}`);
      vi.advanceTimersByTime(1);
    }
    const writes = watched.screen.writes.slice(before);
    expect(writes.length).toBeGreaterThan(10);
    expect(writes.length).toBeLessThanOrEqual(20);
    expect(watched.screen.seen().join('\n')).toContain('npm test  | ok 1999');
  });

  it('leave nothing of theirs behind, in whatever state they end', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    watched.screen.write('^C');
    watched.reporter.close();
    watched.reporter.close();
    watched.pass(10);
    expect(watched.screen.seen()).toEqual(FACTS);
    expect(watched.screen.getCursor()).toEqual({ row: FACTS.length, column: 0 });
    expect(watched.screen.writes.join('')).not.toContain('\u001b[?25l');
  });

  it('take their rows away when their workers stop: then the screen is somebody else’s', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    watched.record(stopped('w1'));
    watched.pass(1);
    expect(watched.screen.seen().filter(line => line.startsWith(' 1'))).toEqual([]);
    watched.record(stopped('w2'));
    watched.pass(1);
    expect(watched.screen.seen()).toEqual(FACTS);
  });

  it('draw nothing while a person is asked, and show afterwards what happened meanwhile', async () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    await holdDrawing(async () => {
      expect(watched.screen.seen()).toEqual(FACTS);
      watched.screen.write('  Your answer> ');
      const before = watched.screen.writes.length;
      playRest(watched);
      watched.pass(5);
      expect(watched.screen.writes.length).toBe(before);
      watched.screen.write('y\n');
    });
    const seen = watched.screen.seen();
    expect(seen[FACTS.length]).toBe('  Your answer> y');
    expect(seen[FACTS.length + 1]).toBe('[1] task 7: agent claimed: what it said');
    expect(seen.at(-1)).toContain('landed 1  rejected 1');
    watched.reporter.close();
  });

  it('are drawn anew, and once, on a terminal that has become narrower', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    watched.screen.resize(30, 24);
    vi.advanceTimersByTime(100);
    const seen = watched.screen.seen().join('\n');
    expect(seen.match(/ 1 {2}task 7/g)).toHaveLength(1);
    expect(seen.match(/landed 0|✔ 0/g)).toHaveLength(1);
    for (const fact of FACTS) expect(seen.replaceAll('\n', '')).toContain(fact);
  });

  it('stay where they are, and are drawn below, when the shell had the terminal in between', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    watched.screen.write('^Z\n$ fg\n');
    watched.screen.signal('lost');
    watched.pass(1);
    const seen = watched.screen.seen();
    expect(seen.slice(FACTS.length + 3, FACTS.length + 5)).toEqual(['^Z', '$ fg']);
    expect(seen.at(-3)).toContain('task 7  session  1:42');
  });

  it('are gone before an error that nobody expected is written', () => {
    const watched = watch({ isTty: true });
    playHalf(watched);
    watched.screen.signal('ending');
    watched.screen.write('Error: boom\n');
    watched.reporter.close();
    expect(watched.screen.seen()).toEqual([...FACTS, 'Error: boom']);
  });

  it('are named when somebody stops them', () => {
    const watched = watch({ isTty: true });
    expect(watched.reporter.running()).toBeNull();
    playHalf(watched);
    expect(watched.reporter.running()).toBe('task 7 (session, 1:41) and task 9 (verify, 0:41) were running');
  });
});

describe('several lanes where nobody watches', () => {
  it('are told in lines that carry the number of the lane, commands that take their time too', () => {
    const watched = watch();
    playHalf(watched);
    playRest(watched);
    expect(watched.printed.filter(line => !line.includes(':'))).toEqual([
      FACTS[1],
      FACTS[2],
      '[1] ✔ task 7 landed as landed-7 on main',
    ]);
    expect(watched.printed).toContain('[2] task 9: rejected (pass-to-pass: it is rejected)');
    expect(watched.printed).toContain('[1] 0:02  task 7, session: the agent works');
    expect(watched.printed).toContain(
      '[2] 0:32  task 9, fail-to-pass: passed (1 test): npm test  | ok 1 - addsup',
    );
    expect(watched.screen.writes).toEqual([]);
    watched.reporter.close();
  });

  it('are in every line for a program: the lane, the worker and its host', () => {
    const watched = watch({ json: true });
    playHalf(watched);
    playRest(watched);
    watched.reporter.close();
    const lines = watched.printed.map(line => JSON.parse(line));
    const tell = ({ type, lane, worker, host }: Record<string, unknown>) => [type, lane, worker, host];
    expect(lines.filter(({ task }) => task === '9').map(tell)).toEqual(
      lines.filter(({ task }) => task === '9').map(({ type }) => [type, 2, 'w2', 'here']),
    );
    expect(lines.filter(({ task }) => task === '7').every(({ lane }) => lane === 1)).toBe(true);
    expect(lines[0]).not.toHaveProperty('lane');
    expect(lines[1]).toMatchObject({ type: 'worker.started', lane: 1, worker: { id: 'w1' }, host: 'here' });
  });
});

describe('one lane', () => {
  const play = (where: Where) => {
    const watched = watch(where);
    watched.record(BACKLOG, started('w1'), ...upTo('in-session', '7'), ended('7', 'failed'));
    watched.reporter.note?.('something to know');
    watched.reporter.close();
    return watched;
  };

  it('is told in lines as they always were', () => {
    expect(play({}).printed).toEqual([
      'backlog: 3 tasks new or changed',
      '▶ task 7, attempt 1 (session 1, base base)',
      '✘ task 7: failed: it was failed',
      'note: something to know',
    ]);
  });

  it('is told to programs as it always was', () => {
    const { printed } = play({ json: true });
    const [, worker = '', attempt = ''] = printed;
    expect(Object.keys(JSON.parse(worker))).toEqual([
      'seq',
      'atMs',
      'type',
      'worker',
      'version',
      'budgetUsd',
    ]);
    expect(attempt).not.toContain('"lane"');
    expect(attempt).not.toContain('"host"');
  });

  it('has no block on a terminal', () => {
    expect(play({ isTty: true }).screen.writes.join('')).not.toContain('\u001b[J');
  });
});
