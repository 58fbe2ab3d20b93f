import { describe } from 'vitest';
import type { IndexRow, Store } from '../../src/ports/index.ts';
import { describeAppends } from './store-appends.ts';
import { describeLeases } from './store-leases.ts';
import { describeReads } from './store-reads.ts';
import { describeSaved } from './store-saved.ts';

/** One store under test, and the little a test needs besides the port. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The same data through another connection, as a second process would have it. */
  openAnother(): Promise<Store>;
  /** Lets the store's clock go on by at least this much. */
  passTime(ms: number): Promise<void>;
  /** What `status` and `next` would see. */
  readIndex(): Promise<{ readonly summary: string; readonly rows: readonly IndexRow[] }>;
  /** Removes everything that was made. */
  dispose(): Promise<void>;
}

export type MakeStore = () => Promise<StoreUnderTest>;

/** The facts every store must show, whatever it is built on. */
export function describeStore(name: string, makeStore: MakeStore): void {
  describe(`store: ${name}`, () => {
    describeAppends(makeStore);
    describeLeases(makeStore);
    describeReads(makeStore);
    describeSaved(makeStore);
  });
}
