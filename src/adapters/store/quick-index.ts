import { HarnessError } from '../../core/base/failure.ts';
import { SCHEMA_VERSION } from '../../core/base/version.ts';
import type { IndexRow } from '../../ports/index.ts';
import { openDatabase, type SqlValue } from './driver.ts';
import { getMovedError, MOVED_KEY } from './moved.ts';
import { checkStoreFile, getDamageError, getStorePath, hasBeenUsed } from './store-files.ts';
import { getStoreError } from './transaction.ts';

export interface QuickView {
  /** What the last append left; an empty string before the first. */
  readonly summary: string;
  readonly next: IndexRow | null;
  readonly countsByStatus: Readonly<Record<string, number>>;
  /** The number of the newest event; 0 before the first. */
  readonly seq: number;
}

export interface QuickIndex {
  view(): QuickView;
  /** In the order people read ids: 2 before 10. */
  rows(page: { readonly limit: number; readonly offset?: number; readonly status?: string }): IndexRow[];
  /** The head of the queue. */
  ready(limit: number): IndexRow[];
  meta(key: string): string | null;
  close(): void;
}

/**
 * The quick way for `status` and `next`: reads the index without folding events, and can neither
 * create nor change anything. Null where there is no store yet.
 */
export function openQuickIndex(
  stateDir: string,
  onNewerState: 'abort' | 'warn' = 'abort',
): QuickIndex | null {
  if (!checkStoreFile(stateDir)) return null;
  const path = getStorePath(stateDir);
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw getStoreError(error, path);
    }
  };
  const db = guard(() => openDatabase(path, { readOnly: true }));
  const all = (sql: string, ...values: SqlValue[]) => guard(() => db.prepare(sql).all(...values));
  try {
    const [found] = all('PRAGMA user_version') as { user_version: number }[];
    if (!hasSchema(stateDir, found?.user_version ?? 0, onNewerState)) {
      db.close();
      return null;
    }
    const [moved] = all('SELECT value FROM meta WHERE key = ?', MOVED_KEY) as { value: string }[];
    if (moved) throw getMovedError(path, moved.value);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    view: () => getView(all(VIEW) as ViewRow[]),
    rows: ({ limit, offset = 0, status }) =>
      (status === undefined
        ? all(`${ROWS} ORDER BY id_key, id LIMIT ? OFFSET ?`, limit, offset)
        : all(
            `${ROWS} WHERE status = ? ORDER BY id_key, id LIMIT ? OFFSET ?`,
            status,
            limit,
            offset,
          )) as IndexRow[],
    ready: limit =>
      all(`${ROWS} WHERE ready_rank IS NOT NULL ORDER BY ready_rank, id LIMIT ?`, limit) as IndexRow[],
    meta: key => {
      const [row] = all('SELECT value FROM meta WHERE key = ?', `user.${key}`) as { value: string }[];
      return row ? JSON.parse(row.value) : null;
    },
    close: () => db.close(),
  };
}

const ROWS = 'SELECT id, status, ready_rank AS readyRank, data FROM task_index';

/** One statement, so that summary, next task, counts and newest event are of the same moment. */
const VIEW = `SELECT 'summary' AS kind, NULL AS id, NULL AS status, NULL AS readyRank, body AS data, 0 AS n FROM summary
  UNION ALL SELECT * FROM (SELECT 'next', id, status, ready_rank, data, 0 FROM task_index
    WHERE ready_rank IS NOT NULL ORDER BY ready_rank, id LIMIT 1)
  UNION ALL SELECT 'count', NULL, status, NULL, NULL, count(*) FROM task_index GROUP BY status
  UNION ALL SELECT 'newest', NULL, NULL, NULL, NULL, max(seq) FROM events`;

type ViewRow =
  | { readonly kind: 'summary'; readonly data: string }
  | ({ readonly kind: 'next' } & IndexRow)
  | { readonly kind: 'count'; readonly status: string; readonly n: number }
  | { readonly kind: 'newest'; readonly n: number | null };

function getView(rows: readonly ViewRow[]): QuickView {
  let summary = '';
  let next: IndexRow | null = null;
  let seq = 0;
  const countsByStatus: Record<string, number> = {};
  for (const row of rows) {
    if (row.kind === 'summary') summary = row.data;
    else if (row.kind === 'count') countsByStatus[row.status] = row.n;
    else if (row.kind === 'newest') seq = row.n ?? 0;
    else next = { id: row.id, status: row.status, readyRank: row.readyRank, data: row.data };
  }
  return { summary, next, countsByStatus, seq };
}

/** The index has looked the same since then. */
const OLDEST_WITH_INDEX = 1;

/** False for a store whose very first opening was cut short; throws for one this build cannot read. */
function hasSchema(stateDir: string, found: number, onNewerState: 'abort' | 'warn'): boolean {
  if (found >= OLDEST_WITH_INDEX && (found <= SCHEMA_VERSION || onNewerState === 'warn')) return true;
  const path = getStorePath(stateDir);
  if (found === 0) {
    if (hasBeenUsed(stateDir)) throw getDamageError(path, 'has lost its tables');
    return false;
  }
  throw new HarnessError(
    'state',
    `${path} has schema ${found}, this Harness reads schema ${SCHEMA_VERSION}`,
    {
      file: path,
      fix: found < SCHEMA_VERSION ? 'run harness migrate' : 'update Harness to the version that wrote it',
    },
  );
}
