import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/store/driver.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import type { Store } from '../../src/ports/index.ts';
import type { BenchOptions } from '../bench-options.ts';
import { getMedian, measureUntilSure, type Report, round, type Timing } from '../result.ts';

const WRITERS = 8;
const LIMIT = 2;

/** Facts of eight workers at once, each on disk before the next is said, over a commit of one row of the same database. */
export async function measureAppends({ dir, quick, say }: BenchOptions): Promise<Report> {
  say(`  durable appends under ${WRITERS} writers`);
  const place = join(dir, 'scale-appends');
  mkdirSync(place);
  const stores = await openStores(place);
  const commit = openFloor(place);
  const floor: number[] = [];
  const rounds = quick ? 5 : 40;
  try {
    const measure = async (): Promise<Timing[]> => {
      const [oursMs, floorMs]: [number[], number[]] = [[], []];
      for (let at = 0; at < rounds; at++) {
        const startedMs = performance.now();
        await Promise.all(stores.map(append));
        oursMs.push((performance.now() - startedMs) / WRITERS);
        const floorStartedMs = performance.now();
        for (let writer = 0; writer < WRITERS; writer++) commit.write();
        floorMs.push((performance.now() - floorStartedMs) / WRITERS);
      }
      floor.push(...floorMs);
      return [{ name: `scale-append-${WRITERS}-writers`, limit: LIMIT, oursMs, floorMs }];
    };
    const results = await measureUntilSure(measure, say);
    return { floors: [{ name: 'a durable commit', value: round(getMedian(floor)), unit: 'ms' }], results };
  } finally {
    commit.close();
    for (const store of stores) await store.close();
  }
}

/** One after the other: a new database is made by whoever is first. */
async function openStores(stateDir: string): Promise<readonly Store[]> {
  const stores: Store[] = [];
  for (let at = 0; at < WRITERS; at++) stores.push(await openStore({ stateDir }));
  return stores;
}

const versions = new WeakMap<Store, number>();

/** As a leased fact: what others have said meanwhile is no conflict, and is brought along. */
async function append(store: Store): Promise<void> {
  const result = await store.append({
    stream: 'main',
    expectedVersion: versions.get(store) ?? 0,
    touches: ['1'],
    events: [{ type: 'note.added', level: 'debug', text: 'as long as a fact mostly is '.repeat(6) }],
    atMs: await store.nowMs(),
  });
  if (!result.ok) throw new Error(`an append was refused: ${result.why}`);
  versions.set(store, result.version);
}

/** A database with the same settings, and one row for each commit. */
function openFloor(place: string) {
  const db = openDatabase(join(place, 'floor.db'));
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT');
  const insert = db.prepare('INSERT INTO rows (body) VALUES (?)');
  return {
    write: (): void => {
      insert.run('as long as a fact mostly is '.repeat(6));
    },
    close: (): void => db.close(),
  };
}
