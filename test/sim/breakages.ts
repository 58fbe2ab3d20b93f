import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { TestRun } from '../../src/core/model/testing.ts';
import { QUEUE_RESOURCE } from '../../src/core/model/world.ts';
import type { AppendRequest, Ports, Store } from '../../src/ports/index.ts';
import { wrapStore } from '../support/bench.ts';
import type { Chance } from './random.ts';

/** Ways to break each invariant on purpose; a simulator that stays green under one of them is blind. */
export const BREAKAGES = [
  'verdict',
  'twice',
  'unseen',
  'cas',
  'fencing',
  'durability',
  'takeover',
  'batch-suite',
  'batch-proven',
  'queue-fence',
  'slot',
  'innocent',
] as const;

export type Breakage = (typeof BREAKAGES)[number];

/** A store that forgets fences, or facts, or dead workers' leases. */
export function breakStore(store: Store, breakage: Breakage | null, chance: Chance): Store {
  if (breakage === 'fencing') {
    return override(store, 'append', append => (request: AppendRequest) => {
      const { lease: _, ...unfenced } = request;
      return append(unfenced);
    });
  }
  if (breakage === 'durability') {
    return override(store, 'append', append => async (request: AppendRequest) => {
      const loses = request.events.some(
        event => event.type === 'note.added' || event.type === 'worker.stopped',
      );
      if (!loses || !chance.happens(0.5)) return append(request);
      return {
        ok: true,
        version: request.expectedVersion + request.events.length,
        seq: request.expectedVersion + request.events.length,
        lease: null,
        tail: [],
      };
    });
  }
  if (breakage === 'takeover') {
    return override(
      store,
      'append',
      append => async (request: AppendRequest) =>
        request.events.some(event => event.type === 'attempt.taken-over')
          ? { ok: false, why: 'conflict', version: request.expectedVersion, tail: [] }
          : append(request),
    );
  }
  if (breakage === 'queue-fence') return shareQueue(store);
  return store;
}

/** Nobody sees that somebody has the queue, whoever wants it is given it, and whoever had it goes on. */
function shareQueue(store: Store): Store {
  const adopt = async <T extends { readonly resource: string }>(wanted: T): Promise<T> => {
    const current = (await store.leases()).find(({ resource }) => resource === QUEUE_RESOURCE);
    return wanted.resource === QUEUE_RESOURCE && current
      ? { ...wanted, adoptedFence: current.fence }
      : wanted;
  };
  return wrapStore(store, {
    leases: async () => (await store.leases()).filter(({ resource }) => resource !== QUEUE_RESOURCE),
    acquire: async request => store.acquire(await adopt(request)),
    append: async ({ lease, acquire, ...request }) => {
      const kept = lease === undefined || lease.resource === QUEUE_RESOURCE ? {} : { lease };
      return store.append({ ...request, ...kept, ...(acquire ? { acquire: await adopt(acquire) } : {}) });
    },
  });
}

/** What is written down instead of what happened. */
const SPOILT: Record<'batch-proven' | 'slot', (event: HarnessEvent) => HarnessEvent> = {
  'batch-proven': event =>
    event.type === 'batch.proven' ? { type: 'note.added', level: 'routine', text: 'not proven' } : event,
  slot: event => (event.type === 'attempt.started' ? { ...event, slot: 1 } : event),
};

/** Whether a batch is judged on that tree. */
function isOfQueue(dir: string): boolean {
  const number = Number(dir.slice('pristine-'.length));
  return number >= FIRST_QUEUE_TREE && number % 2 === 0;
}

const FIRST_QUEUE_TREE = 800;

/** A suite that is always green, and one that blames whoever makes it three green tests. */
const LIES: Record<'batch-suite' | 'innocent', (run: TestRun) => TestRun> = {
  'batch-suite': run => ({
    ...run,
    exitCode: 0,
    results: run.results.map(one => ({ ...one, outcome: 'passed' })),
  }),
  innocent: run => {
    const isLied = run.results.filter(({ outcome }) => outcome === 'passed').length >= 3;
    const results = run.results.map(one =>
      isLied && one.id === 'test/old' ? ({ ...one, outcome: 'failed' } as const) : one,
    );
    return { ...run, results };
  },
};

/** Ports that prove what they should not, or do not see what has already landed. */
export function breakAgentPorts(ports: Ports, breakage: Breakage | null): Ports {
  if (breakage === 'verdict') {
    const tests = override(ports.tests, 'run', run => async request => {
      const result = await run(request);
      const isCandidate = request.dir.endsWith('2') || request.dir.endsWith('4');
      if (!isCandidate) return result;
      return {
        ...result,
        exitCode: 0,
        results: result.results.map(one => ({ ...one, outcome: 'passed' as const })),
      };
    });
    return { ...ports, tests };
  }
  if (breakage === 'batch-suite' || breakage === 'innocent') {
    const tests = override(ports.tests, 'run', run => async request => {
      const result = await run(request);
      return isOfQueue(request.dir) ? LIES[breakage](result) : result;
    });
    return { ...ports, tests };
  }
  if (breakage === 'batch-proven' || breakage === 'slot') {
    const spoil = SPOILT[breakage];
    const append: Store['append'] = request =>
      ports.store.append({ ...request, events: request.events.map(spoil) });
    return { ...ports, store: wrapStore(ports.store, { append }) };
  }
  if (breakage === 'unseen') {
    return { ...ports, workspace: override(ports.workspace, 'findLandings', () => async () => []) };
  }
  return ports;
}

function override<T extends object, K extends keyof T>(port: T, key: K, make: (original: T[K]) => T[K]): T {
  const original = port[key];
  const bound = typeof original === 'function' ? (original.bind(port) as T[K]) : original;
  const replaced = make(bound);
  return new Proxy(port, {
    get: (target, name) => {
      if (name === key) return replaced;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
