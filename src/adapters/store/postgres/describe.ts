import { readAddress, type Tls } from './address.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS, readLayout } from './migrations.ts';
import { toText } from './texts.ts';

/** What is known of a database without changing anything in it. */
export interface PostgresFacts {
  readonly where: string;
  readonly tls: Tls;
  /** As the server calls itself. */
  readonly server: string;
  /** Null where nothing of the harness is there. */
  readonly schema: number | null;
  readonly supported: number;
  readonly madeBy: string | null;
  /** Null where this project has no records there. */
  readonly project: {
    readonly events: number;
    readonly bytes: number;
    readonly movedTo: string | null;
  } | null;
}

/** Asks a database about itself and one project. */
export async function describePostgres(url: string, key: string): Promise<PostgresFacts> {
  const db = await openDatabase(readAddress(url));
  try {
    const { where, tls } = db.address;
    const { version, madeBy } = await readLayout(db, where);
    const [about] = await db.call<{ server: string }>("SELECT current_setting('server_version') AS server");
    const supported = MIGRATIONS.at(-1)?.to ?? 0;
    const [project] = version === 0 ? [] : await db.read<Found>(PROJECT, [toText(key)]);
    return {
      ...{ where, tls, supported, madeBy, server: about?.server ?? 'unknown' },
      schema: version === 0 ? null : version,
      project: project ?? null,
    };
  } finally {
    await db.close();
  }
}

interface Found {
  readonly events: number;
  readonly bytes: number;
  readonly movedTo: string | null;
}

/** Several projects share the tables: the size is that of this one's events. */
const PROJECT = `SELECT p.moved_to AS "movedTo", h.seq AS events,
    (SELECT coalesce(sum(pg_column_size(e)), 0) FROM harness.events e WHERE e.project = p.id) AS bytes
  FROM harness.projects p JOIN harness.heads h ON h.project = p.id WHERE p.key = $1`;
