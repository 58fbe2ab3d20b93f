import { describe, expect, it } from 'vitest';
import { createBench } from '../../test/support/bench.ts';
import { BASE } from '../../test/support/check-bench.ts';
import type { Lease } from '../ports/index.ts';
import { type LeaseHolder, releaseDeadPorts, Surroundings } from './surroundings.ts';

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
  /** Its slots are a lane's. */
  const openHeld = async () => {
    const surroundings = open();
    for (const slot of [1, 2]) await surroundings.assign(slot, createHolder());
    return surroundings;
  };
  const leased = async () => (await ports.store.leases()).map(({ resource }) => resource);
  return { ...bench, ports, said, taken, open, openHeld, leased };
}

describe('the ports of a slot', () => {
  it('are no other slot’s, and none of those who verify', async () => {
    const stage = createStage();
    const [one, other] = [await stage.openHeld(), await stage.openHeld()];
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
    const { openHeld, leased } = createStage();
    const surroundings = await openHeld();
    const first = await surroundings.open(1, 'agent');
    expect(await surroundings.open(1, 'agent')).toEqual(first);
    expect(await leased()).toHaveLength(1);
    expect((await leased())[0]).toMatch(/^ports\/[^/]+\/\d+$/);
  });

  it('are passed over where somebody listens on one of them, and that is said once', async () => {
    const { openHeld, taken, said, leased } = createStage();
    const surroundings = await openHeld();
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
    const { openHeld, taken, said } = createStage();
    const surroundings = await openHeld();
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
    const { openHeld, leased } = createStage(all);
    await expect((await openHeld()).open(1, 'agent')).rejects.toThrow(
      'blocks of ports in a row are all taken',
    );
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

describe('where no lane keeps leases', () => {
  it('a slot is given ports that nobody has leased or listens on, and takes no lease', async () => {
    const { open, openHeld, leased, taken } = createStage();
    const held = await (await openHeld()).open(1, 'agent');
    const before = await leased();
    const first = await open().open(1, 'agent');
    expect(first.HARNESS_PORT).not.toBe(held.HARNESS_PORT);
    taken.push(Number(first.HARNESS_PORT));
    expect([held.HARNESS_PORT, first.HARNESS_PORT]).not.toContain(
      (await open().open(1, 'agent')).HARNESS_PORT,
    );
    expect(await leased()).toEqual(before);
  });

  it('ports that somebody leases in the meantime are theirs', async () => {
    const { open, openHeld } = createStage();
    const [surroundings, later] = [open(), await openHeld()];
    const before = await surroundings.open(1, 'agent');
    expect(await surroundings.open(1, 'agent')).toEqual(before);
    expect(await later.open(1, 'agent')).toEqual(before);
    expect((await surroundings.open(1, 'agent')).HARNESS_PORT).not.toBe(before.HARNESS_PORT);
  });
});

it('ports of a dead worker are free at once, and nobody else’s are', async () => {
  const { ports, leased, openHeld } = createStage();
  await (await openHeld()).keep(1);
  const { self } = ports.workers;
  const take = (resource: string, owner: string) => ports.store.acquire({ resource, owner, ttlMs: 60_000 });
  await take(`ports/${self.host}/7`, 'w-dead');
  await take('task/1', 'w-dead');
  const others = (await leased()).filter(resource => resource !== `ports/${self.host}/7`);
  await releaseDeadPorts(ports, { ...self, id: 'w-dead' });
  expect([...(await leased())].sort()).toEqual([...others].sort());
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

  it('does not take what another slot of its process has, whose lease ran out while all of it was stopped', async () => {
    const { ports } = createStage();
    // Every slot begins to look at the same place.
    const hasher = { ...ports.hasher, sha256: () => 'a'.repeat(64) };
    const surroundings = new Surroundings({ ports: { ...ports, hasher }, policy: { leaseMs: 1_000 } });
    const [first, second] = [createHolder(), createHolder()];
    await surroundings.assign(1, first);
    await surroundings.assign(2, second);
    const one = await surroundings.open(1, 'agent');
    for (const lease of first.held.values()) await ports.store.release(lease);
    expect((await surroundings.open(2, 'agent')).HARNESS_PORT).not.toBe(one.HARNESS_PORT);
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
