import { randomUUID } from 'node:crypto';
import type { RunGit } from '../../src/adapters/git/repo/run-git.ts';
import type { AppendRequest, Ports } from '../../src/ports/index.ts';
import type { Failpoints } from './failpoints.ts';
import { getCommand } from './watch-git.ts';
import type { Alter } from './watch-postgres.ts';

/** Safeguards that can be taken away, each with what the harness then no longer does. */
export const BREAKAGES = {
  'landing-recognition': 'sees that a commit of its own has landed already',
  'take-over': 'finds out that a worker is dead',
  'lock-cleanup': 'clears the locks that a killed git left',
  'atomic-append': 'records a lease and the fact of it in one transaction',
  'compare-and-swap': 'moves a branch only from where it saw it',
  reap: 'ends the processes that a dead worker left',
  'lease-again': 'takes a lease again that is over and that nobody wanted',
  'push-first': 'has a landing on the remote before it is recorded',
  'known-answers': 'does once what it sends again because the answer was lost',
} as const;

export type Breakage = keyof typeof BREAKAGES;

/** The name of a safeguard, or an error that lists them. */
export function parseBreakage(name: string | undefined): Breakage | null {
  if (!name) return null;
  if (name in BREAKAGES) return name as Breakage;
  throw new Error(`--break takes one of ${Object.keys(BREAKAGES).join(', ')}`);
}

/** Ports with the safeguard gone. */
export function breakPorts(ports: Ports, breakage: Breakage | null, points: Failpoints): Ports {
  const { workspace, workers, store } = ports;
  switch (breakage) {
    case 'landing-recognition':
      return { ...ports, workspace: override(workspace, { findLandings: async () => [] }) };
    case 'take-over':
      return { ...ports, workers: override(workers, { check: async () => 'alive' }) };
    case 'lease-again': {
      const renew: Ports['store']['renew'] = async (lease, ttlMs) =>
        lease.expiresAtMs <= (await store.nowMs()) ? null : store.renew(lease, ttlMs);
      return { ...ports, store: override(store, { renew }) };
    }
    case 'push-first':
      return recordFirst(ports, points);
    case 'reap':
      return { ...ports, workers: override(workers, { reap: async () => 0 }) };
    case 'atomic-append':
      return {
        ...ports,
        store: override(store, { append: request => appendInHalves(store, request, points) }),
      };
    default:
      return ports;
  }
}

/** Git without the old value that makes a move of a branch a compare-and-swap. */
export function breakGit(run: RunGit, breakage: Breakage | null): RunGit {
  if (breakage !== 'compare-and-swap') return run;
  return (args, options) => {
    const isMove = getCommand(args) === 'update-ref' && args.some(arg => arg.startsWith('refs/heads/'));
    return run(isMove ? args.slice(0, -1) : args, options);
  };
}

/** Whether a change of a file is one that the missing safeguard would have made. */
export function isBrokenChange(breakage: Breakage | null, call: string, path: string): boolean {
  return breakage === 'lock-cleanup' && call === 'rmSync' && path.endsWith('.lock');
}

/** What a statement brings, with nothing by which it is known when it comes a second time. */
export function breakStatement(breakage: Breakage | null): Alter {
  if (breakage !== 'known-answers') return (_, values) => values;
  return (name, values) => {
    if (!name.startsWith('pg.append')) return values;
    return [JSON.stringify({ ...JSON.parse(String(values[0])), id: randomUUID() })];
  };
}

/** A landing that has been told of and not been made: one lane lands, and any of them records. */
let push: (() => Promise<unknown>) | null = null;

/** Says at once that it has landed, and pushes when that has been recorded. */
function recordFirst(ports: Ports, points: Failpoints): Ports {
  const { workspace, store } = ports;
  const land: Ports['workspace']['land'] = async request => {
    push = () => workspace.land(request);
    return { ok: true, commit: request.commit, ref: 'refs/remotes/origin/main', note: null };
  };
  const append: Ports['store']['append'] = async request => {
    const result = await store.append(request);
    const now = request.events.some(({ type }) => type === 'task.landed') ? push : null;
    if (now === null) return result;
    push = null;
    points.pass('workspace.land:late');
    await now();
    return result;
  };
  return { ...ports, workspace: override(workspace, { land }), store: override(store, { append }) };
}

async function appendInHalves(store: Ports['store'], request: AppendRequest, points: Failpoints) {
  const { acquire, ...rest } = request;
  if (!acquire) return store.append(request);
  const taken = await store.acquire(acquire);
  if (!taken.ok) return { ok: false, why: 'held', by: taken.by } as const;
  points.pass('store.append:half');
  const result = await store.append(rest);
  return result.ok ? { ...result, lease: taken.lease } : result;
}

function override<T extends object>(target: T, replaced: Partial<T>): T {
  return new Proxy(target, {
    get: (object, key) => {
      if (key in replaced) return Reflect.get(replaced, key) as unknown;
      const value = Reflect.get(object, key) as unknown;
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
