import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/store/driver.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { getSum } from '../../src/adapters/store/schema.ts';
import type { BenchOptions } from '../bench-options.ts';
import { measureUntilSure, type Report, type Timing } from '../result.ts';

const LIMIT = 2;
const EVENTS_PER_TASK = 100;

/** What `log --task` asks of a long record, over the same rows as the database gives them. */
export async function measureLog({ dir, quick, say }: BenchOptions): Promise<Report> {
  const events = quick ? 20_000 : 1_000_000;
  say(`  the log of one task among ${events} events`);
  const stateDir = join(dir, 'scale-log');
  mkdirSync(stateDir);
  const store = await openStore({ stateDir });
  const path = join(stateDir, 'store.db');
  fill(path, events);
  const db = openDatabase(path, { readOnly: true });
  const query = db.prepare('SELECT * FROM events WHERE task = ? ORDER BY seq');
  try {
    const measure = async (): Promise<Timing[]> => {
      const [oursMs, floorMs]: [number[], number[]] = [[], []];
      for (let at = 0; at < (quick ? 20 : 200); at++) {
        const task = String((at * 37) % (events / EVENTS_PER_TASK));
        const startedMs = performance.now();
        const found = await store.read({ task });
        oursMs.push(performance.now() - startedMs);
        const floorStartedMs = performance.now();
        const rows = query.all(task) as { readonly body: string }[];
        for (const { body } of rows) JSON.parse(body);
        floorMs.push(performance.now() - floorStartedMs);
        if (found.length !== rows.length) throw new Error(`${found.length} events, ${rows.length} rows`);
      }
      return [{ name: `scale-log-task-${events}-events`, limit: LIMIT, oursMs, floorMs }];
    };
    return { floors: [], results: await measureUntilSure(measure, say) };
  } finally {
    db.close();
    await store.close();
  }
}

/** All of them in one commit: how they came there is not what is measured. */
function fill(path: string, events: number): void {
  const db = openDatabase(path);
  const insert = db.prepare(
    'INSERT INTO events (stream, version, at_ms, type, task, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  db.exec('BEGIN');
  for (let version = 1; version <= events; version++) {
    const task = String(version % (events / EVENTS_PER_TASK));
    const text = 'as long as a fact mostly is '.repeat(6);
    const body = JSON.stringify({ type: 'note.added', level: 'debug', text, task });
    const row = { stream: 'main', version, atMs: version, type: 'note.added', task, body };
    insert.run('main', version, version, 'note.added', task, body, getSum(row));
  }
  db.exec('COMMIT');
  db.close();
}
