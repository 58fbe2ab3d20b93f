import type { HarnessEvent, StoredEvent } from '../../src/core/events/event.ts';
import type { TestRun } from '../../src/core/model/testing.ts';
import { QUEUE_RESOURCE } from '../../src/core/model/world.ts';
import type { AppendRequest, Ports, Store } from '../../src/ports/index.ts';
import { wrapStore } from '../support/bench.ts';
import type { Chance } from './random.ts';
import type { SimGit } from './sim-git.ts';

/** Ways to break each invariant on purpose, and what has to be said then; a simulator that says nothing is blind. */
export const BREAKAGES = {
  verdict: /landed and (is not done|broke what worked)/,
  twice: /landed twice/,
  unseen: /notes tell 2 times|is in git and (not )?recorded/,
  cas: /committed by hand, is lost/,
  fencing: /lease held by two/,
  durability: /a recorded fact is lost/,
  takeover: /did not come to rest/,
  'batch-suite': /is red on \S+, which is on the branch/,
  'batch-proven': /is on the branch, and nobody has proven it/,
  'batch-members': /merges \S+, which nobody has queued/,
  // Two that land at once leave more than one kind of trace.
  'queue-fence': /./,
  queued: /was queued, and nothing became of it/,
  slot: /^slot 1 was given/,
  port: /^port \d+ of host \S+ was given/,
  innocent: /was ejected for test\/old, which it did not break/,
  collisions: /collided 4 times in a row/,
  reserve: /was begun with money that others have/,
  unreserved: /was started with nothing left for it/,
  cap: /spent \S+, and \S+ was kept for it/,
} as const;

export type Breakage = keyof typeof BREAKAGES;

/** Git that moves branches, commits and trees as it should not. */
export function breakGit(git: SimGit, breakage: Breakage | null): void {
  git.blindLanding = breakage === 'cas';
  git.doubleLanding = breakage === 'twice';
  git.copiesMembers = breakage === 'batch-members';
  git.alwaysConflicts = breakage === 'collisions';
}

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
  if (breakage === 'takeover') return refuse(store, 'attempt.taken-over');
  if (breakage === 'queued') return refuse(store, 'batch.started');
  if (breakage === 'queue-fence') return shareQueue(store);
  if (breakage === 'port') return sharePorts(store);
  return store;
}

/** An event that always comes too late. */
function refuse(store: Store, type: HarnessEvent['type']): Store {
  return override(store, 'append', append => async (request: AppendRequest) => {
    if (!request.events.some(event => event.type === type)) return append(request);
    return { ok: false, why: 'conflict', version: request.expectedVersion, tail: [] };
  });
}

/** Everybody has a lease of their own on the same ports. */
function sharePorts(store: Store): Store {
  return override(store, 'acquire', acquire => request => {
    const { resource, owner } = request;
    return acquire(
      resource.startsWith('ports/') ? { ...request, resource: `${resource}/${owner}` } : request,
    );
  });
}

/** What others have for themselves, nobody sees. */
function hideReserves(store: Store): Store {
  const hide = (stored: StoredEvent): StoredEvent =>
    stored.event.type === 'attempt.started'
      ? { ...stored, event: { ...stored.event, reserveUsd: 0 } }
      : stored;
  return wrapStore(store, {
    read: async request => (await store.read(request)).map(hide),
    append: async request => {
      const result = await store.append(request);
      return 'tail' in result ? { ...result, tail: result.tail.map(hide) } : result;
    },
  });
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
const SPOILT: Record<'batch-proven' | 'slot' | 'unreserved', (event: HarnessEvent) => HarnessEvent> = {
  'batch-proven': event =>
    event.type === 'batch.proven' ? { type: 'note.added', level: 'routine', text: 'not proven' } : event,
  slot: event => (event.type === 'attempt.started' ? { ...event, slot: 1 } : event),
  unreserved: event => (event.type === 'attempt.started' ? { ...event, reserveUsd: 0 } : event),
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

/** Ports that prove what they should not, do not see what others did, or do not stop an agent. */
export function breakAgentPorts(ports: Ports, breakage: Breakage | null, git: SimGit): Ports {
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
  if (breakage === 'reserve') return { ...ports, store: hideReserves(ports.store) };
  if (breakage === 'cap') {
    const { signal } = new AbortController();
    return {
      ...ports,
      agent: override(ports.agent, 'run', run => (request, on) => run({ ...request, signal }, on)),
    };
  }
  if (breakage === 'collisions') {
    const append: Store['append'] = async request => {
      if (request.events.some(({ type }) => type === 'candidate.queued')) git.userCommit(() => undefined);
      return ports.store.append(request);
    };
    return { ...ports, store: wrapStore(ports.store, { append }) };
  }
  if (breakage === 'batch-proven' || breakage === 'slot' || breakage === 'unreserved') {
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
