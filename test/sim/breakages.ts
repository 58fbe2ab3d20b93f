import type { AppendRequest, Ports, Store } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';

/** Ways to break each invariant on purpose; a simulator that stays green under one of them is blind. */
export const BREAKAGES = ['verdict', 'twice', 'unseen', 'cas', 'fencing', 'durability', 'takeover'] as const;

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
  return store;
}

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
