import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wrapStore } from '../../test/support/bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { ended, synced, upTo } from '../../test/support/pipeline.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import type { HarnessEvent, StoredEvent } from '../core/events/event.ts';
import { fold } from '../core/events/fold.ts';
import type { State } from '../core/state/state.ts';
import { isBlockedByDependency } from '../core/state/task-state.ts';
import { getIndexRow, getSummary } from '../core/views/index-rows.ts';
import type { Lease, Store } from '../ports/index.ts';
import { Journal, PROJECT_STREAM } from './journal.ts';

const PROCESSES = ['a', 'b', 'c'];
const CALLERS = [1, 2, 3, 4];
const ids = PROCESSES.flatMap(name => CALLERS.map(caller => `${name}${caller}`));
/** Every third task waits for the two before it, so that what others land changes rows of one's own. */
const tasks = ids.map((id, at) => makeTask(id, at % 3 === 2 ? [ids[at - 1] as string] : []));

/** A store that takes its time, another one for every call. */
function slow(store: Store, pick: () => number): Store {
  const linger = async (): Promise<void> => {
    for (let turns = pick() % 4; turns > 0; turns--) await new Promise(setImmediate);
  };
  const call = <A extends unknown[], R>(work: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      await linger();
      const result = await work(...args);
      await linger();
      return result;
    };
  };
  return wrapStore(store, {
    append: call(store.append.bind(store)),
    read: call(store.read.bind(store)),
    nowMs: call(store.nowMs.bind(store)),
  });
}

const toData = (state: State) => ({ ...state, ready: state.ready.peek(), queue: state.ready.size });

it('many callers in several processes leave one history, and each sees only what is in it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(100), { minLength: 200, maxLength: 200 }), async choices => {
      let [next, token] = [0, 0];
      const pick = () => choices[next++ % choices.length] ?? 0;
      const store = createMemoryStore(
        () => 1_000,
        () => `t${++token}`,
      );
      const read = () => store.read({ stream: PROJECT_STREAM });
      const work = async (journal: Journal, id: string): Promise<void> => {
        const look = async () => {
          const seen = toData(journal.state);
          const { version } = journal.state;
          const known = (await read()).filter(event => event.version <= version);
          expect(known).toHaveLength(version);
          expect(seen).toEqual(toData(fold(known)));
        };
        const acquire = { resource: `task/${id}`, owner: id, ttlMs: 60_000 };
        const [first, ...rest] = upTo('judged', id) as [HarnessEvent, ...HarnessEvent[]];
        let lease: Lease | null = null;
        while (lease === null) {
          await journal.refresh();
          const result = await journal.record([first], { acquire });
          lease = result.ok ? result.lease : null;
          if (pick() % 5 === 0) await look();
        }
        for (const event of [...rest, ended(id, pick() % 2 === 0 ? 'failed' : 'partial')]) {
          expect(await journal.record([event], { lease })).toMatchObject({ ok: true });
          if (pick() % 3 === 0) await journal.refresh();
          if (pick() % 5 === 0) await look();
        }
      };
      await new Journal(store, async () => undefined).record([synced(tasks)]);
      const heard: StoredEvent[] = [];
      const journals = PROCESSES.map(name => {
        const journal = new Journal(slow(store, pick), async events => void heard.push(...events));
        return { name, journal };
      });
      await Promise.all(
        journals.flatMap(({ name, journal }) => CALLERS.map(caller => work(journal, `${name}${caller}`))),
      );
      const stored = await read();
      expect(heard.sort((a, b) => a.seq - b.seq)).toEqual(stored.slice(1));
      const state = fold(stored);
      for (const { journal } of journals) {
        await journal.refresh();
        expect(toData(journal.state)).toEqual(toData(state));
      }
      for (const id of ids) expect(store.index.get(id)).toEqual(getIndexRow(state, id));
      const blocked = [...state.tasks.values()].filter(isBlockedByDependency).length;
      expect(JSON.parse(store.summary)).toEqual(JSON.parse(JSON.stringify(getSummary(state, blocked))));
    }),
    { numRuns: 12 },
  );
}, 60_000);
