import type { Row } from './behaviour.ts';
import { LOCK } from './rows/a5-lock.ts';
import { VERSIONS } from './rows/c26-versions.ts';

const GROUPS: readonly (readonly Row[])[] = [
  LOCK, //
  VERSIONS,
];

/** Every behaviour, in the order of the tables in docs/coming-from.md. */
export const ROWS: readonly Row[] = GROUPS.flat().sort((a, b) =>
  a.id.localeCompare(b.id, 'en', { numeric: true }),
);
