import { afterEach, beforeEach } from 'vitest';
import type { HarnessEvent } from '../../src/core/events/event.ts';
import type { AppendRequest, AppendResult, Lease, Store } from '../../src/ports/index.ts';
import type { MakeStore, StoreUnderTest } from './store-contract.ts';

/** A fresh store for each test of the surrounding describe. */
export function useStore(makeStore: MakeStore): { readonly current: () => StoreUnderTest } {
  let underTest: StoreUnderTest | null = null;
  beforeEach(async () => {
    underTest = await makeStore();
  });
  afterEach(async () => {
    await underTest?.dispose();
  });
  return { current: () => underTest as StoreUnderTest };
}

export function note(text: string, task?: string): HarnessEvent {
  return { type: 'note.added', level: 'routine', text, ...(task === undefined ? {} : { task }) };
}

export async function append(store: Store, request: Partial<AppendRequest> = {}): Promise<AppendResult> {
  const base = { stream: 'main', expectedVersion: 0, events: [note('x')], atMs: await store.nowMs() };
  return store.append({ ...base, ...request });
}

export async function take(store: Store, owner = 'a', ttlMs = 60_000, resource = 'task:1'): Promise<Lease> {
  const result = await store.acquire({ resource, owner, ttlMs });
  if (!result.ok) throw new Error(`${resource} is held by ${result.by.owner}`);
  return result.lease;
}

export async function countEvents(store: Store): Promise<number> {
  return (await store.read({})).length;
}
