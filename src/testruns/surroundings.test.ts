import { describe, expect, it } from 'vitest';
import { createBench } from '../../test/support/bench.ts';
import { BASE } from '../../test/support/check-bench.ts';
import type { Lease } from '../ports/index.ts';
import { type LeaseHolder, Surroundings } from './surroundings.ts';

/** A lane's leases, without a clock that renews them. */
function createHolder() {
  const held = new Map<string, Lease>();
  const holder: LeaseHolder = {
    hold: lease => void held.set(lease.resource, lease),
    get: resource => held.get(resource),
    forget: resource => void held.delete(resource),
  };
  return { ...holder, held };
}

function createStage(taken: number[] = []) {
  const bench = createBench(BASE);
  const said: string[] = [];
  const ports = {
    ...bench.ports,
    reporter: { ...bench.ports.reporter, note: (text: string) => void said.push(text) },
    sockets: {
      project: 'hproject',
      findTaken: async (asked: readonly number[]) => asked.filter(port => taken.includes(port)),
    },
  };
  const open = () => new Surroundings({ ports, policy: { leaseMs: 1_000 } });
  const leased = async () => (await ports.store.leases()).map(({ resource }) => resource);
  return { ...bench, ports, said, taken, open, leased };
}

describe('the ports of a slot', () => {
  it('are no other slot’s, and none of those who verify', async () => {
    const stage = createStage();
    const [one, other] = [stage.open(), stage.open()];
    const all = [
      await one.open(1, 'agent'),
      await one.open(1, 'verification'),
      await one.open(2, 'agent'),
      await other.open(1, 'agent'),
      await other.open(1, 'verification'),
    ];
    expect(new Set(all.map(({ HARNESS_PORT }) => HARNESS_PORT)).size).toBe(5);
    expect(await stage.leased()).toHaveLength(5);
  });

  it('stay the same as long as nobody else listens there', async () => {
    const { open, leased } = createStage();
    const surroundings = open();
    const first = await surroundings.open(1, 'agent');
    expect(await surroundings.open(1, 'agent')).toEqual(first);
    expect(await leased()).toHaveLength(1);
    expect((await leased())[0]).toMatch(/^ports\/[^/]+\/\d+$/);
  });

  it('are passed over where somebody listens on one of them, and that is said once', async () => {
    const { open, taken, said, leased } = createStage();
    const surroundings = open();
    const before = await surroundings.open(1, 'agent');
    taken.push(Number(before.HARNESS_PORT_7));
    const after = await surroundings.open(1, 'agent');
    expect(after.HARNESS_PORT).not.toBe(before.HARNESS_PORT);
    expect(after.HARNESS_DB_SUFFIX).toBe(before.HARNESS_DB_SUFFIX);
    await surroundings.open(1, 'agent');
    expect(said).toEqual([expect.stringContaining(`listens on port ${before.HARNESS_PORT_7}`)]);
    expect(await leased()).toHaveLength(1);
  });

  it('are kept where the environment was brought up on them', async () => {
    const { open, taken, said } = createStage();
    const surroundings = open();
    const { HARNESS_PORT, HARNESS_VERIFICATION_PORT } = await surroundings.keep(1);
    taken.push(Number(HARNESS_PORT), Number(HARNESS_VERIFICATION_PORT));
    expect(await surroundings.open(1, 'agent')).toMatchObject({ HARNESS_PORT });
    expect(await surroundings.open(1, 'verification')).toMatchObject({
      HARNESS_PORT: HARNESS_VERIFICATION_PORT,
    });
    expect(said).toEqual([]);
  });

  it('are refused where everybody listens', async () => {
    const all = Array.from({ length: 12_000 }, (_, at) => 20_000 + at);
    const { open, leased } = createStage(all);
    await expect(open().open(1, 'agent')).rejects.toThrow('blocks of ports in a row are all taken');
    expect(await leased()).toEqual([]);
  });

  it('are nobody’s where nobody can look', async () => {
    const { ports, leased } = createStage();
    const { sockets: _, ...blind } = ports;
    const surroundings = new Surroundings({ ports: blind, policy: { leaseMs: 1_000 } });
    expect(await surroundings.open(1, 'agent')).toEqual({});
    expect(await surroundings.keep(1)).toEqual({});
    expect(await leased()).toEqual([]);
  });
});

describe('the lane that has a slot', () => {
  it('keeps the leases of its ports alive', async () => {
    const { open, leased } = createStage();
    const surroundings = open();
    const { held, ...lane } = createHolder();
    await surroundings.assign(1, lane);
    await surroundings.keep(1);
    expect([...held.keys()].sort()).toEqual([...(await leased())].sort());
    expect(held.size).toBe(2);
  });

  it('gives them up to the next one', async () => {
    const { open, leased } = createStage();
    const surroundings = open();
    const [first, second] = [createHolder(), createHolder()];
    await surroundings.assign(1, first);
    const before = await surroundings.open(1, 'agent');
    await surroundings.assign(1, second);
    expect([first.held.size, await leased()]).toEqual([0, []]);
    expect(await surroundings.open(1, 'agent')).toEqual(before);
    expect(second.held.size).toBe(1);
  });

  it('takes others when a lease is not its own any more', async () => {
    const { open, ports } = createStage();
    const surroundings = open();
    const { held, ...lane } = createHolder();
    await surroundings.assign(1, lane);
    const before = await surroundings.open(1, 'agent');
    const [lost] = held.values();
    if (!lost) throw new Error('nothing was leased');
    await ports.store.release(lost);
    await ports.store.acquire({ resource: lost.resource, owner: 'somebody', ttlMs: 60_000 });
    lane.forget(lost.resource);
    expect((await surroundings.open(1, 'agent')).HARNESS_PORT).not.toBe(before.HARNESS_PORT);
  });
});
