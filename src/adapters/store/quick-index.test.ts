import { expect, it } from 'vitest';
import { useStateDirs } from '../../../test/support/temp-dir.ts';
import type { IndexRow } from '../../ports/index.ts';
import { openStore } from './open-store.ts';
import { openQuickIndex } from './quick-index.ts';

const makeStateDir = useStateDirs();

it('gives the summary, the next task and the counts of one moment', async () => {
  const stateDir = await makeIndexedStore([
    row('1', 'landed', null),
    row('10', 'pending', '0:000005:b'),
    row('2', 'pending', '0:000001:a'),
    row('3', 'retry', '1:000000:a'),
    row('4', 'pending', null),
  ]);
  const quick = openQuickIndex(stateDir);
  expect(quick?.view()).toEqual({
    summary: '{"project":"p"}',
    next: row('2', 'pending', '0:000001:a'),
    countsByStatus: { landed: 1, pending: 3, retry: 1 },
    seq: 0,
  });
  quick?.close();
});

it('lists tasks page by page in the order people count', async () => {
  const rows = Array.from({ length: 12 }, (_, i) => row(`task-${i + 1}`, i % 2 ? 'landed' : 'pending', null));
  const stateDir = await makeIndexedStore([...rows].reverse());
  const quick = openQuickIndex(stateDir);
  const ids = (found: IndexRow[] | undefined) => found?.map(r => r.id);
  expect(ids(quick?.rows({ limit: 3 }))).toEqual(['task-1', 'task-2', 'task-3']);
  expect(ids(quick?.rows({ limit: 3, offset: 9 }))).toEqual(['task-10', 'task-11', 'task-12']);
  expect(ids(quick?.rows({ limit: 2, offset: 4, status: 'landed' }))).toEqual(['task-10', 'task-12']);
  quick?.close();
});

it('gives an empty view of a store nothing was recorded in', async () => {
  const stateDir = makeStateDir();
  await (await openStore({ stateDir })).close();
  const quick = openQuickIndex(stateDir);
  expect(quick?.view()).toEqual({ summary: '', next: null, countsByStatus: {}, seq: 0 });
  expect(quick?.rows({ limit: 5 })).toEqual([]);
  quick?.close();
});

async function makeIndexedStore(rows: readonly IndexRow[]): Promise<string> {
  const stateDir = makeStateDir();
  const store = await openStore({ stateDir });
  const index = { rows, removed: [], summary: '{"project":"p"}' };
  await store.append({ stream: 'main', expectedVersion: 0, events: [], atMs: 1, index });
  await store.close();
  return stateDir;
}

function row(id: string, status: string, readyRank: string | null): IndexRow {
  return { id, status, readyRank, data: '{}' };
}
