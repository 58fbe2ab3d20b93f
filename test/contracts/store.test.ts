import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createMemoryStore } from '../../src/adapters/store/memory-store.ts';
import { openStore } from '../../src/adapters/store/open-store.ts';
import { openPostgres } from '../../src/adapters/store/postgres/open-postgres.ts';
import { openQuickIndex } from '../../src/adapters/store/quick-index.ts';
import { compareIds } from '../../src/core/model/task.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { describeStore } from './store-contract.ts';

let server: PostgresServer;
let projects = 0;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

const START_MS = Date.UTC(2026, 0, 1);

describeStore('memory', async () => {
  let wallMs = START_MS;
  let tokens = 0;
  const store = createMemoryStore(
    () => wallMs,
    () => `token-${++tokens}`,
  );
  return {
    store,
    openAnother: async () => store,
    passTime: async ms => {
      wallMs += ms;
    },
    readIndex: async () => ({
      summary: store.summary,
      rows: [...store.index.values()].sort((a, b) => compareIds(a.id, b.id)),
    }),
    dispose: async () => {},
  };
});

describeStore('sqlite', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'harness-store-'));
  let wallMs = START_MS;
  const open = () => openStore({ stateDir, wallMs: () => wallMs });
  const store = await open();
  return {
    store,
    openAnother: open,
    passTime: async ms => {
      wallMs += ms;
    },
    readIndex: async () => {
      const quick = openQuickIndex(stateDir);
      if (!quick) throw new Error('there is no store');
      const result = {
        summary: quick.view().summary,
        rows: quick.rows({ limit: 100 }).map(row => ({ ...row })),
      };
      quick.close();
      return result;
    },
    dispose: async () => {
      await store.close();
      rmSync(stateDir, { recursive: true });
    },
  };
});

describeStore('postgres', async () => {
  const url = server.url();
  const key = `project ${++projects}`;
  const open = () => openPostgres({ url, project: { key, name: 'sample' } });
  const store = await open();
  return {
    store,
    openAnother: open,
    passTime: async ms => {
      // The server's clock cannot be put forward, but what the project remembers of it.
      const text = `UPDATE harness.heads SET clock_wall_ms = harness.wall_ms(),
        clock_ms = greatest(clock_ms, harness.wall_ms()) + $2 WHERE project = (SELECT id FROM harness.projects WHERE key = $1)`;
      await server.query(url, text, [key, ms]);
    },
    readIndex: async () => {
      const index = await store.readIndex();
      return { summary: index.view().summary, rows: index.rows({ limit: 100 }) };
    },
    dispose: () => store.close(),
  };
});
