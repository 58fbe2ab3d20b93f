import { afterEach, describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { type Bench, createBench, wrapStore } from '../../test/support/bench.ts';
import { BASE } from '../../test/support/check-bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { failing, synced, upTo } from '../../test/support/pipeline.ts';
import type { HarnessError } from '../core/base/failure.ts';
import type { WorkerRef } from '../core/model/facts.ts';
import type { Ports } from '../ports/index.ts';
import { Journal } from './journal.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { startWorker } from './worker.ts';

const exclusive = { ...simPolicy, exclusive: true };
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts one more process on the same project. */
async function start(
  bench: Bench,
  pid: number,
  policy = exclusive,
  change: (ports: Ports) => Partial<Ports> = () => ({}),
  clone?: string,
) {
  const self: WorkerRef = { id: `w${pid}`, host: 'here', pid, startTicks: '1', ...(clone ? { clone } : {}) };
  const base = { ...bench.ports, workers: { ...bench.ports.workers, self } };
  const ports: Ports = { ...base, ...change(base) };
  const journal = new Journal(ports.store, async () => undefined);
  const keeper = new LeaseKeeper(ports.store, ports.clock, policy.leaseMs, policy.heartbeatMs);
  stops.push(() => keeper.stop());
  return { ...(await startWorker({ ports, policy, journal, keeper }, '0')), journal, keeper, ports };
}

/** Processes of which these are dead; notes whose leftovers are ended. */
function withDead(dead: readonly string[], reaped: string[] = []) {
  return (ports: Ports): Partial<Ports> => ({
    workers: {
      ...ports.workers,
      check: async worker => (dead.includes(worker.id) ? 'dead' : 'alive'),
      reap: async worker => reaped.push(worker.id),
    },
  });
}

async function readTypes(bench: Bench): Promise<string[]> {
  return (await bench.ports.store.read({})).map(({ event }) => event.type);
}

describe('a second run', () => {
  it('is refused while the first one works, and told its pid', async () => {
    const bench = createBench(BASE);
    await start(bench, 100);
    const refused = start(bench, 200);
    await expect(refused).rejects.toMatchObject({
      code: 'locked',
      message: 'another harness run is active (pid 100)',
    });
    await expect(refused).rejects.toSatisfy(
      (error: HarnessError) => error.details.fix?.includes('concurrent') ?? false,
    );
    expect(await readTypes(bench)).toEqual(['worker.started']);
  });

  it('is refused when nobody can tell whether the first one lives', async () => {
    const bench = createBench(BASE);
    await start(bench, 100);
    const unknown = (ports: Ports) => ({
      workers: { ...ports.workers, check: async () => 'unknown' as const },
    });
    await expect(start(bench, 200, exclusive, unknown)).rejects.toMatchObject({ code: 'locked' });
  });

  it('takes the place of a dead one, and ends what that left running', async () => {
    const bench = createBench(BASE);
    await start(bench, 100);
    const reaped: string[] = [];
    const second = await start(bench, 200, exclusive, withDead(['w100'], reaped));
    expect(reaped).toEqual(['w100']);
    expect([...second.journal.state.workers.keys()]).toEqual(['w200']);
    expect(await bench.ports.store.leases()).toMatchObject([{ resource: 'run', owner: 'w200', fence: 2 }]);
  });

  it('takes the place of one that stopped and was killed before it could give the lock back', async () => {
    const bench = createBench(BASE);
    const { journal } = await start(bench, 100);
    await journal.record([{ type: 'worker.stopped', workerId: 'w100', reason: 'done' }]);
    await start(bench, 200);
    expect(await bench.ports.store.leases()).toMatchObject([{ owner: 'w200' }]);
  });

  it('may start when the first one has stopped', async () => {
    const bench = createBench(BASE);
    const first = await start(bench, 100);
    await first.stop('done');
    await start(bench, 200);
    expect(await readTypes(bench)).toEqual(['worker.started', 'worker.stopped', 'worker.started']);
  });

  it('works beside the first one where that is allowed', async () => {
    const bench = createBench(BASE);
    await start(bench, 100, simPolicy);
    const second = await start(bench, 200, simPolicy);
    expect([...second.journal.state.workers.keys()]).toEqual(['w100', 'w200']);
  });

  it('does not steal from a third one that came in between', async () => {
    const bench = createBench(BASE);
    const first = await start(bench, 100);
    await first.journal.record([{ type: 'worker.stopped', workerId: 'w100', reason: 'done' }]);
    const { store } = bench.ports;
    const late = (ports: Ports): Partial<Ports> => ({
      store: wrapStore(store, {
        leases: async () => {
          if ((await store.leases())[0]?.owner === 'w100') await start(bench, 300);
          return store.leases();
        },
      }),
      workers: ports.workers,
    });
    await expect(start(bench, 200, exclusive, late)).rejects.toMatchObject({
      message: expect.stringContaining('pid 300'),
    });
    expect(await store.leases()).toMatchObject([{ owner: 'w300' }]);
  });
});

describe('a run in another clone that passes for the same host', () => {
  const at = (bench: Bench, pid: number, clone?: string, dead: readonly string[] = []) =>
    start(bench, pid, simPolicy, withDead(dead), clone);

  it('is refused while the first one lives, told what to set, and has stopped', async () => {
    const bench = createBench(BASE);
    const first = await at(bench, 100, 'c-1');
    await expect(at(bench, 200, 'c-2')).rejects.toMatchObject({
      code: 'config',
      details: { field: 'HARNESS_HOST_ID', fix: expect.stringContaining('set HARNESS_HOST_ID') },
    });
    await first.journal.refresh();
    expect([...first.journal.state.workers.keys()]).toEqual(['w100']);
  });

  it('is refused while one that is not seen here holds a lease, and goes on once that has run out', async () => {
    const bench = createBench(BASE);
    await at(bench, 100, 'c-1');
    const ttlMs = 60_000;
    await bench.ports.store.acquire({ resource: 'task/1', owner: 'w100', ttlMs });
    await expect(at(bench, 200, 'c-2', ['w100'])).rejects.toThrow('another clone is at work as host here');
    const nowMs = async () => (await bench.ports.store.nowMs()) + ttlMs;
    const later = (ports: Ports) => ({
      ...withDead(['w100'])(ports),
      store: wrapStore(bench.ports.store, { nowMs }),
    });
    const third = await start(bench, 300, simPolicy, later, 'c-2');
    expect([...third.journal.state.workers.keys()]).toEqual(['w300']);
  });

  it('goes on where the clone is the same, or nobody knows which it was', async () => {
    const bench = createBench(BASE);
    await at(bench, 100, 'c-1');
    await at(bench, 200, 'c-1');
    await at(bench, 300);
    const last = await at(bench, 400, 'c-1');
    expect(last.journal.state.workers.size).toBe(4);
  });
});

describe('a start', () => {
  it('keeps a dead worker on record while its attempt waits to be adopted', async () => {
    const bench = createBench(BASE);
    const first = await start(bench, 100);
    const attempt = upTo('ready', '1', { worker: 'w100' });
    await first.journal.record([synced([makeTask('1')]), ...attempt]);
    const second = await start(bench, 200, exclusive, withDead(['w100']));
    expect([...second.journal.state.workers.keys()]).toEqual(['w100', 'w200']);
  });

  it('tells once of a dead process, however many lanes it had', async () => {
    const bench = createBench(BASE);
    await start(bench, 100, simPolicy);
    const lane = { id: 'w100-1', host: 'here', pid: 100, startTicks: '1', lane: 1 };
    const { journal } = await start(bench, 150, simPolicy);
    await journal.record([{ type: 'worker.started', worker: lane, version: '0' }]);
    await start(bench, 200, simPolicy, withDead(['w100', 'w100-1']));
    const notes = (await bench.ports.store.read({ types: ['note.added'] })).map(({ event }) => event);
    expect(notes).toMatchObject([{ text: 'Removed stale lock from pid=100' }]);
  });

  it('writes down what was put right in git', async () => {
    const bench = createBench(BASE);
    await start(bench, 100, exclusive, ports => ({
      workspace: { ...ports.workspace, recover: async () => ['removed a stale lock'] },
    }));
    expect((await bench.ports.store.read({})).at(-1)?.event).toMatchObject({ text: 'removed a stale lock' });
  });

  it('that fails half way gives everything back', async () => {
    const bench = createBench(BASE);
    const broken = (ports: Ports) => ({
      workspace: { ...ports.workspace, recover: () => Promise.reject(new Error('no such repository')) },
    });
    await expect(start(bench, 100, exclusive, broken)).rejects.toThrow('no such repository');
    expect(await readTypes(bench)).toEqual(['worker.started', 'worker.stopped']);
    expect(await bench.ports.store.leases()).toEqual([]);
    await bench.scheduler.run(() => false, 1_000);
    expect(await bench.ports.store.leases()).toEqual([]);
  });

  it('lets go of the kept work of old attempts', async () => {
    const bench = createBench(BASE);
    const first = await start(bench, 100);
    const tries = [1, 2, 3, 4, 5, 6].flatMap(attempt =>
      failing('1', 'rejected', { attempt, worker: 'w100' }),
    );
    await first.journal.record([synced([{ ...makeTask('1'), maxAttempts: 99 }]), ...tries]);
    await first.stop('done');
    const dropped: string[] = [];
    await start(bench, 200, exclusive, ports => ({
      workspace: { ...ports.workspace, drop: async names => void dropped.push(...names) },
    }));
    expect(dropped).toEqual(['attempts/1/1']);
    expect((await bench.ports.store.read({})).at(-1)?.event).toEqual({
      type: 'checkpoints.pruned',
      ids: ['1-1'],
    });
  });
});
