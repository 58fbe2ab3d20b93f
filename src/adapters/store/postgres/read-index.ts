import type { IndexRow } from '../../../ports/index.ts';
import type { QuickIndex } from '../quick-index.ts';
import { createRowIndex } from '../row-index.ts';
import type { Database } from './database.ts';
import { fromText } from './texts.ts';

/** Everything the index holds of one moment, since what it is asked afterwards must fit together. */
export async function readIndex(db: Database, project: number): Promise<QuickIndex> {
  const rows = await db.read<{ kind: 'head' | 'row' } & Record<keyof IndexRow | 'n', string>>(READ, [
    project,
  ]);
  let [summary, seq] = ['', 0];
  const listed: IndexRow[] = [];
  for (const { kind, id, status, readyRank, data, n } of rows) {
    if (kind === 'head') [summary, seq] = [fromText(data ?? ''), Number(n)];
    else {
      const rank = readyRank === null ? null : fromText(readyRank);
      listed.push({ id: fromText(id), status, readyRank: rank, data: fromText(data) });
    }
  }
  const countsByStatus: Record<string, number> = {};
  for (const { status } of listed) countsByStatus[status] = (countsByStatus[status] ?? 0) + 1;
  return createRowIndex({ summary, seq, rows: listed, countsByStatus });
}

/** One statement; rows come in the order people read ids, which `id_key` gives. */
const READ = `SELECT 'head' AS kind, NULL AS id, NULL AS status, NULL AS "readyRank", s.body AS data, h.seq AS n, NULL AS key
    FROM harness.heads h LEFT JOIN harness.summaries s USING (project) WHERE h.project = $1
  UNION ALL SELECT 'row', id, status, ready_rank, data, 0, id_key FROM harness.task_index WHERE project = $1
  ORDER BY key, id`;
