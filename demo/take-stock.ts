import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { getWorkerPrefix } from '../src/adapters/process/marker.ts';
import { findsEveryProcess } from '../src/adapters/process/proc.ts';
import { findMarked } from '../src/adapters/process/sweep.ts';
import { openStore } from '../src/adapters/store/open-store.ts';
import type { StoredEvent } from '../src/core/events/event.ts';
import type { Shop } from './make-shop.ts';
import { runPlainGit } from './plain-git.ts';

/** What is really there after the night; nothing in it is taken from what the harness printed. */
export interface Stock {
  readonly events: readonly StoredEvent[];
  readonly taskIds: readonly string[];
  /** Task → commits on the branch that carry its trailer. */
  readonly landings: ReadonlyMap<string, readonly string[]>;
  readonly testsPass: boolean;
  readonly testsUntouched: boolean;
  /** Null where processes cannot be found by their mark. */
  readonly orphans: number | null;
}

/** Reads git, the store and the process table, and runs the tests in a fresh clone. */
export async function takeStock(shop: Shop): Promise<Stock> {
  const store = await openStore({ stateDir: join(shop.project, '.harness'), quickCheck: true });
  const events = await store.read({}).finally(() => store.close());
  const clone = join(shop.dir, 'clone');
  await runPlainGit(shop.dir, ['clone', '-q', '--template=', shop.project, clone]);
  const backlog = JSON.parse(await runPlainGit(clone, ['show', 'HEAD:features.json'])) as {
    features: { id: string | number }[];
  };
  const changedTests = await runPlainGit(clone, ['diff', '--name-only', shop.start, 'HEAD', '--', 'test']);
  return {
    events,
    taskIds: backlog.features.map(feature => String(feature.id)),
    landings: await readLandings(clone),
    testsPass: await runTests(clone),
    testsUntouched: changedTests === '',
    orphans: findsEveryProcess()
      ? getWorkers(events).flatMap(id => findMarked(getWorkerPrefix(id))).length
      : null,
  };
}

async function readLandings(clone: string): Promise<Map<string, string[]>> {
  const format = '--format=%H %(trailers:key=Harness-Task,valueonly,separator=%x2C)';
  const landings = new Map<string, string[]>();
  for (const line of (await runPlainGit(clone, ['log', format, 'HEAD'])).split('\n')) {
    const [commit = '', task = ''] = line.trim().split(' ');
    if (task !== '') landings.set(task, [...(landings.get(task) ?? []), commit]);
  }
  return landings;
}

function runTests(dir: string): Promise<boolean> {
  const { PATH, HOME, TMPDIR } = process.env;
  return new Promise(resolve => {
    execFile(process.execPath, ['--test'], { cwd: dir, env: { PATH, HOME, TMPDIR } }, error =>
      resolve(error === null),
    );
  });
}

function getWorkers(events: readonly StoredEvent[]): string[] {
  return events.flatMap(({ event }) => (event.type === 'worker.started' ? [event.worker.id] : []));
}
