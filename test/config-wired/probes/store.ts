import type { SeedProject } from '../../seeds/stage.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { Probe } from '../probe.ts';

/** A run with a database at hand, and what it then holds. */
async function runBesideDatabase(project: SeedProject): Promise<string> {
  const server = await startPostgres();
  try {
    const ran = await project.harnessIn({ PROBE_DATABASE: server.url() }, 'run');
    const [there] = await server.query<{ found: boolean }>(
      server.url(),
      "SELECT to_regclass('harness.events') IS NOT NULL AS found",
    );
    if (!there?.found) return `${ran.text}\nin the database: nothing`;
    const [row] = await server.query<{ key: string; events: number }>(
      server.url(),
      'SELECT key, seq::int AS events FROM harness.projects JOIN harness.heads ON project = id',
    );
    return `${ran.text}\nin the database: ${row?.events} events of ${row?.key}`;
  } finally {
    await server.stop();
  }
}

// A reference for the configuration, not for this file.
const URL = ['$', '{PROBE_DATABASE}'].join('');

/** Where the records are. */
export const STORE_PROBES: readonly Probe[] = [
  {
    run: [],
    look: runBesideDatabase,
    change: { 'store.url': { to: URL, tells: /in the database: \d+ events/ } },
  },
  {
    run: [],
    with: { store: { url: URL } },
    look: runBesideDatabase,
    change: { 'store.project': { to: 'shop', tells: /events of shop/ } },
  },
];
