import type { IndexRow } from '../../ports/index.ts';
import type { QuickIndex, QuickView } from './quick-index.ts';

interface RowIndexParts extends Pick<QuickView, 'summary' | 'seq' | 'countsByStatus'> {
  /** In the order people read ids. */
  readonly rows: readonly IndexRow[];
}

/** An index of rows that are at hand, asked like one in a file. */
export function createRowIndex({ rows, ...view }: RowIndexParts): QuickIndex {
  const ready = rows.filter(row => row.readyRank !== null).sort(compareRanks);
  return {
    view: () => ({ ...view, next: ready[0] ?? null }),
    rows: ({ limit, offset = 0, status }) => {
      const matching = status === undefined ? rows : rows.filter(row => row.status === status);
      return matching.slice(offset, limit < 0 ? undefined : offset + limit);
    },
    ready: limit => ready.slice(0, limit),
    // What is remembered there is for whoever has nothing but a file.
    meta: () => null,
    close: () => undefined,
  };
}

function compareRanks(a: IndexRow, b: IndexRow): number {
  const [left, right] = [`${a.readyRank}\0${a.id}`, `${b.readyRank}\0${b.id}`];
  return left < right ? -1 : left > right ? 1 : 0;
}
