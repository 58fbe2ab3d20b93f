import { HarnessError } from '../core/base/failure.ts';
import {
  getBlockPorts,
  getEnvironmentSurroundings,
  getNextBlock,
  getSurroundings,
  type SlotUse,
  type Variables,
} from '../core/decide/surroundings.ts';
import type { WorkerRef } from '../core/model/facts.ts';
import type { Lease, Ports, Sockets } from '../ports/index.ts';

/** Who keeps leases alive beside the work; a lane's keeper is one. */
export interface LeaseHolder {
  hold(lease: Lease): void;
  get(resource: string): Lease | undefined;
  forget(resource: string): void;
}

interface Block {
  readonly block: number;
  readonly resource: string;
}

interface SurroundingsOptions {
  readonly ports: Pick<Ports, 'store' | 'workers' | 'hasher' | 'reporter' | 'sockets'>;
  readonly policy: { readonly leaseMs: number };
}

/** Whoever listens on so many blocks listens everywhere. */
const MOST_TRIES = 100;

/**
 * What the programs of each slot have to themselves. A block of ports is leased, so that no other worker takes it, and
 * looked at each time, since anybody may listen on any port. One object for all slots of a process; where there is
 * nobody to look, nothing is given, and where no lane keeps leases, as for a proof that is made again, none are taken.
 */
export class Surroundings {
  readonly #ports: SurroundingsOptions['ports'];
  readonly #ttlMs: number;
  readonly #blocks = new Map<string, Block>();
  readonly #holders = new Map<number, LeaseHolder>();
  readonly #kept = new Set<number>();
  readonly #noted = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ ports, policy }: SurroundingsOptions) {
    this.#ports = ports;
    this.#ttlMs = policy.leaseMs;
  }

  /** From now on the leases of a slot are this lane's to renew and to release. */
  assign(slot: number, holder: LeaseHolder): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#holders.get(slot) === holder) return;
      for (const use of USES) await this.#give(slot, use);
      this.#kept.delete(slot);
      this.#holders.set(slot, holder);
    });
  }

  /** For a session or a command: its ports are free at this moment, unless the environment was brought up on them. */
  open(slot: number, use: SlotUse): Promise<Variables> {
    const { sockets } = this.#ports;
    return sockets ? this.#inTurn(() => this.#open(sockets, slot, use)) : Promise.resolve({});
  }

  /** For what brings the environment up and down: the ports stay the slot's, as somebody may be listening there now. */
  keep(slot: number): Promise<Variables> {
    const { sockets } = this.#ports;
    if (!sockets) return Promise.resolve({});
    return this.#inTurn(async () => {
      const agent = await this.#open(sockets, slot, 'agent');
      const verification = await this.#open(sockets, slot, 'verification');
      this.#kept.add(slot);
      return getEnvironmentSurroundings(agent, verification);
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(act);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #open(sockets: Sockets, slot: number, use: SlotUse): Promise<Variables> {
    const held = this.#blocks.get(getKey(slot, use));
    if (held && (await this.#isOurs(slot, held.resource))) {
      const { block } = held;
      if (this.#kept.has(slot) || (await this.#isFree(sockets, block)))
        return getSurroundings({ project: sockets.project, slot, use, block });
    }
    await this.#give(slot, use);
    const block = await this.#take(sockets, slot, use);
    return getSurroundings({ project: sockets.project, slot, use, block });
  }

  async #isOurs(slot: number, resource: string): Promise<boolean> {
    const holder = this.#holders.get(slot);
    return holder ? holder.get(resource) !== undefined : !(await this.#isLeased(resource));
  }

  async #isLeased(resource: string): Promise<boolean> {
    return (await this.#ports.store.leases()).some(lease => lease.resource === resource);
  }

  async #take(sockets: Sockets, slot: number, use: SlotUse): Promise<number> {
    const { workers, hasher } = this.#ports;
    const hash = hasher.sha256(`${sockets.project} ${slot} ${use}`);
    const passedOver = new Set<number>();
    while (passedOver.size < MOST_TRIES) {
      const block = getNextBlock(hash, passedOver);
      if (block === null) break;
      passedOver.add(block);
      const resource = `${getPrefix(workers.self)}${block}`;
      // A process that was stopped for long finds its own leases run out: what another slot of it has is no one's to take.
      if (this.#isInUse(resource) || !(await this.#acquire(slot, resource))) continue;
      this.#blocks.set(getKey(slot, use), { block, resource });
      if (await this.#isFree(sockets, block)) return block;
      await this.#give(slot, use);
    }
    throw new HarnessError('environment', `${MOST_TRIES} blocks of ports in a row are all taken`, {
      fix: 'see who listens between 20000 and 31999 (ss -ltn), and end what nobody needs',
    });
  }

  #isInUse(resource: string): boolean {
    return [...this.#blocks.values()].some(held => held.resource === resource);
  }

  async #acquire(slot: number, resource: string): Promise<boolean> {
    const { store, workers } = this.#ports;
    const holder = this.#holders.get(slot);
    if (!holder) return !(await this.#isLeased(resource));
    const taken = await store.acquire({ resource, owner: workers.self.id, ttlMs: this.#ttlMs });
    if (taken.ok) holder.hold(taken.lease);
    return taken.ok;
  }

  async #isFree(sockets: Sockets, block: number): Promise<boolean> {
    const ports = getBlockPorts(block);
    const [taken] = await sockets.findTaken(ports);
    if (taken === undefined) return true;
    if (!this.#noted.has(block)) {
      this.#noted.add(block);
      const all = `${ports.at(0)} to ${ports.at(-1)}`;
      this.#ports.reporter.note?.(`somebody listens on port ${taken}: ports ${all} are passed over`);
    }
    return false;
  }

  async #give(slot: number, use: SlotUse): Promise<void> {
    const key = getKey(slot, use);
    const held = this.#blocks.get(key);
    this.#blocks.delete(key);
    const holder = this.#holders.get(slot);
    const lease = held && holder?.get(held.resource);
    if (!lease) return;
    holder?.forget(lease.resource);
    await this.#ports.store.release(lease);
  }
}

/** Ports of workers that are seen to be dead, with all that they started, are anybody's at once. */
export async function releaseDeadPorts(
  { store, workers }: Pick<Ports, 'store' | 'workers'>,
  dead: WorkerRef,
): Promise<void> {
  const prefix = getPrefix(dead);
  for (const { resource, owner: before, fence } of await store.leases()) {
    if (before !== dead.id || !resource.startsWith(prefix)) continue;
    const owner = workers.self.id;
    const taken = await store.acquire({ resource, owner, ttlMs: BRIEF_MS, adoptedFence: fence });
    if (taken.ok) await store.release(taken.lease);
  }
}

/** For as long as it takes to let go of it. */
const BRIEF_MS = 5_000;

const PORTS = 'ports/';

/** Whether a lease is about ports. */
export function isOfPorts({ resource }: Pick<Lease, 'resource'>): boolean {
  return resource.startsWith(PORTS);
}

function getPrefix({ host }: WorkerRef): string {
  return `${PORTS}${host}/`;
}

const USES: readonly SlotUse[] = ['agent', 'verification'];

function getKey(slot: number, use: SlotUse): string {
  return `${slot} ${use}`;
}
