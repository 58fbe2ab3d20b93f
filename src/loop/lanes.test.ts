import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { type Bench, createBench } from '../../test/support/bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import { NO_USAGE } from '../core/model/usage.ts';
import type { Ports } from '../ports/index.ts';
import { type RunReport, runLoop } from './loop.ts';

interface Night {
  readonly tasks: number;
  readonly lanes: number;
  readonly policy?: Partial<Policy>;
  readonly limits?: { readonly maxSessions?: number; readonly maxTasks?: number };
  /** The world of a lane; `opened` counts its beginnings. */
  readonly wrap?: (ports: Ports, lane: number, opened: number) => Ports;
  /** For so long a remote is asked for its tip, and after a fact is kept nobody has heard that it is. */
  readonly answerMs?: number;
  /** Instead of doing its task, an agent asks. */
  readonly asks?: boolean;
}

interface Played {
  readonly events: readonly HarnessEvent[];
  readonly report: RunReport | null;
  readonly error: unknown;
  readonly bench: Bench;
}

const getFiles = (count: number) => {
  const ids = Array.from({ length: count }, (_, at) => String(at + 1));
  const listed = ids.map(id => [id, { passes: false, dependsOn: [], priority: 0 }]);
  return {
    'features.json': JSON.stringify(Object.fromEntries(listed)),
    'claude-progress.txt': '====\nCLAUDE PROGRESS LOG - sim\n====\n',
    'src/old': 'good',
    'test/old': 'assert old',
    ...Object.fromEntries(ids.map(id => [`test/${id}`, `assert ${id}`])),
  };
};

const QUESTION = { question: 'which door?', why: 'there are two', steps: [], check: 'it opens' };

/** A run of several lanes on virtual time; every agent is honest and takes a while. */
async function play({
  tasks,
  lanes,
  policy,
  limits,
  wrap = ports => ports,
  answerMs = 0,
  asks,
}: Night): Promise<Played> {
  const bench: Bench = createBench(getFiles(tasks), {
    agent: async ({ cwd, task }) => {
      await bench.scheduler.sleep(10_000);
      if (asks)
        return { outcome: 'not-done', summary: QUESTION.question, usage: NO_USAGE, question: QUESTION };
      Object.assign(bench.git.slots.get(Number(cwd.slice('slot-'.length))) ?? {}, {
        [`src/${task.id}`]: 'good',
      });
      return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
    },
  });
  const { store } = bench.ports;
  const append = store.append.bind(store);
  store.append = async request => {
    const result = await append(request);
    if (answerMs > 0) await bench.scheduler.sleep(answerMs);
    return result;
  };
  const { workspace } = bench.ports;
  const tip = workspace.tip.bind(workspace);
  workspace.tip = async () => {
    if (answerMs > 0) await bench.scheduler.sleep(answerMs);
    return tip();
  };
  const opened = new Map<number, number>();
  const open = async (lane: number): Promise<Ports> => {
    const times = (opened.get(lane) ?? 0) + 1;
    opened.set(lane, times);
    const self = { ...bench.ports.workers.self, id: `lane-${lane}-${times}`, lane };
    return wrap({ ...bench.ports, workers: { ...bench.ports.workers, self } }, lane, times);
  };
  const { maxSessions = null, ...more } = limits ?? {};
  const options = {
    ...{ maxSessions, ...more, onlyTask: null, version: 'test', signal: new AbortController().signal },
    lanes: { count: lanes, verifiers: 2, open },
  };
  let over: Omit<Played, 'events' | 'bench'> | undefined;
  runLoop(
    bench.ports,
    { ...simPolicy, limits: { ...simPolicy.limits, cleanupInterval: 99 }, ...policy },
    options,
  ).then(
    report => {
      over = { report, error: null };
    },
    (error: unknown) => {
      over = { report: null, error };
    },
  );
  await bench.scheduler.run(() => over !== undefined, 200_000);
  if (!over) throw new Error('the run does not come to an end');
  return { ...over, bench, events: (await bench.ports.store.read({})).map(({ event }) => event) };
}

function pick<T extends HarnessEvent['type']>({ events }: Played, type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const getLanded = (played: Played) =>
  pick(played, 'task.landed')
    .map(({ task }) => Number(task))
    .sort((a, b) => a - b);
const getNotes = (played: Played) => pick(played, 'note.added').map(({ text }) => text);

/** The same ports, with an agent's worktree that cannot be had as often as said. */
function failing(ports: Ports, times: number, error = new Error('the disk is gone')): Ports {
  let left = times;
  const prepare: Ports['workspace']['prepare'] = async (slot, start) => {
    if (left-- > 0) throw error;
    return ports.workspace.prepare(slot, start);
  };
  return { ...ports, workspace: { ...ports.workspace, prepare } };
}

describe('lanes of one process', () => {
  it('land everything, at the same time', async () => {
    const night = await play({ tasks: 6, lanes: 3 });
    expect(getLanded(night)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(night.report).toMatchObject({ why: 'all-done' });
    const started = night.events.findIndex(({ type }) => type === 'session.started');
    const ended = night.events.findIndex(({ type }) => type === 'session.ended');
    const between = night.events.slice(started, ended).filter(({ type }) => type === 'session.started');
    expect(between).toHaveLength(3);
  });

  it('never have the same slot or the same session at once, and read the backlog once for all', async () => {
    const night = await play({ tasks: 9, lanes: 4 });
    const taken = new Map<number, string>();
    for (const event of night.events) {
      if (event.type === 'attempt.started') {
        expect([event.slot, taken.get(event.slot)]).toEqual([event.slot, undefined]);
        taken.set(event.slot, event.task);
      }
      if (event.type === 'candidate.queued' || event.type === 'task.landed')
        for (const [slot, task] of taken) if (task === event.task) taken.delete(slot);
    }
    const sessions = pick(night, 'attempt.started').map(({ session }) => session);
    expect(new Set(sessions).size).toBe(sessions.length);
    const blobs = pick(night, 'backlog.synced').map(({ blob }) => blob);
    expect(new Set(blobs).size).toBe(blobs.length);
  });

  it('take no lease that is being given back, and leave none behind', async () => {
    const night = await play({ tasks: 6, lanes: 3, answerMs: 400 });
    expect(getLanded(night)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(night.error).toBeNull();
    expect([...pick(night, 'attempt.taken-over'), ...pick(night, 'batch.taken-over')]).toEqual([]);
    expect(await night.bench.ports.store.leases()).toEqual([]);
  });

  it('ask each question once', async () => {
    const night = await play({ tasks: 4, lanes: 4, asks: true });
    const asked = pick(night, 'question.asked').map(({ id }) => id);
    expect(asked.length).toBeGreaterThan(3);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it.each([2, 3])('make %i attempts where so many are allowed', async maxSessions => {
    const night = await play({ tasks: 6, lanes: 4, limits: { maxSessions } });
    expect(pick(night, 'attempt.started')).toHaveLength(maxSessions);
    expect(night.report).toMatchObject({ why: 'session-limit' });
  });

  it('land no more tasks than they are let', async () => {
    const night = await play({ tasks: 6, lanes: 4, limits: { maxTasks: 2 } });
    expect(getLanded(night)).toHaveLength(2);
    expect(night.report).toMatchObject({ why: 'task-limit' });
  });
});

describe('a lane whose own step fails', () => {
  it('ends, begins anew, and the others land meanwhile', async () => {
    const wrap = (ports: Ports, lane: number, opened: number) =>
      lane === 1 && opened === 1 ? failing(ports, 1) : ports;
    const night = await play({ tasks: 5, lanes: 3, wrap });
    expect(getLanded(night)).toEqual([1, 2, 3, 4, 5]);
    expect(getNotes(night)).toContain('lane 1 failed: the disk is gone; it begins anew');
    const workers = pick(night, 'worker.started').map(({ worker }) => worker.id);
    expect(workers).toContain('lane-1-2');
    expect(
      pick(night, 'worker.stopped')
        .map(({ workerId }) => workerId)
        .sort(),
    ).toEqual([...workers].sort());
  });

  it('is given up after three times in ten minutes, and the others go on without it', async () => {
    const wrap = (ports: Ports, lane: number) => (lane === 1 ? failing(ports, 99) : ports);
    const night = await play({ tasks: 5, lanes: 2, wrap });
    expect(getNotes(night)).toContain(
      'lane 1 failed: the disk is gone; it failed 3 times and is not started again',
    );
    expect(getLanded(night)).toEqual([1, 2, 3, 4, 5]);
    expect(night.error).toBeNull();
  });

  it('ends the run with its error where all of them are given up', async () => {
    const wrap = (ports: Ports) => failing(ports, 99, new HarnessError('environment', 'no disk left'));
    const night = await play({ tasks: 3, lanes: 2, wrap });
    expect(night.error).toMatchObject({ code: 'environment', message: 'no disk left' });
  });
});

it('what goes wrong while deciding ends the run with that error', async () => {
  let looks = 0;
  const wrap = (ports: Ports): Ports => {
    const tip = async () => {
      if (++looks > 12) throw new HarnessError('repo', 'the repository is gone');
      return ports.workspace.tip();
    };
    return { ...ports, workspace: { ...ports.workspace, tip } };
  };
  const night = await play({ tasks: 4, lanes: 3, wrap });
  expect(night.error).toMatchObject({ code: 'repo', message: 'the repository is gone' });
  expect(getNotes(night)).toEqual([]);
});

it('one lane decides at a time', async () => {
  let [now, most] = [0, 0];
  const wrap = (ports: Ports): Ports => {
    const check: Ports['workers']['check'] = async worker => {
      most = Math.max(most, ++now);
      await ports.clock.sleep(1, new AbortController().signal);
      now--;
      return ports.workers.check(worker);
    };
    return { ...ports, workers: { ...ports.workers, check } };
  };
  expect(getLanded(await play({ tasks: 4, lanes: 4, wrap }))).toEqual([1, 2, 3, 4]);
  expect(most).toBe(1);
});
