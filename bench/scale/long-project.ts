import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/store/driver.ts';
import { getSum } from '../../src/adapters/store/schema.ts';
import { getStorePath } from '../../src/adapters/store/store-files.ts';
import { openProject } from '../../src/app/project/open-project.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import { Journal, PROJECT_STREAM } from '../../src/loop/journal.ts';
import { runSetup, writeSampleRepo } from '../sample-repo.ts';
import { countTasks, makeEvents } from './long-history.ts';

export interface LongProject {
  readonly events: number;
  /** Tasks that are still to be done. */
  readonly live: number;
}

/** A repository and its records after so many events, saved as its last run left it. */
export async function writeLongProject(repo: string, { events, live }: LongProject): Promise<void> {
  const landed = countTasks(events);
  writeSampleRepo(repo, { tasks: landed + live, files: 0 });
  const path = join(repo, 'features.json');
  const backlog = JSON.parse(readFileSync(path, 'utf8'));
  for (const feature of backlog.features.slice(0, landed)) feature.passes = true;
  const text = `${JSON.stringify(backlog, null, 2)}\n`;
  writeFileSync(path, text);
  runSetup(repo, 'commit', '-q', '-a', '--amend', '--no-edit');
  const project = await openProject({ cwd: repo, env: process.env });
  const defs = project.backlog.parse(text).tasks.map(({ def }) => def);
  mkdirSync(project.stateDir, { recursive: true });
  const store = await project.store();
  const commit = runSetup(repo, 'rev-parse', 'HEAD');
  const blob = runSetup(repo, 'rev-parse', 'HEAD:features.json');
  fill(project.stateDir, defs, { landed, commit, blob });
  const journal = new Journal(store, async () => undefined);
  await journal.refresh();
  await journal.save();
  await journal.settle();
  await project.close();
}

type Start = Parameters<typeof makeEvents>[1];

/** All of them in one commit: how they came there is not what is measured. */
function fill(stateDir: string, defs: readonly TaskDef[], start: Start): void {
  const db = openDatabase(getStorePath(stateDir));
  const insert = db.prepare(
    'INSERT INTO events (stream, version, at_ms, type, task, body, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  db.exec('BEGIN');
  let version = 0;
  for (const event of makeEvents(defs, start)) {
    version++;
    const task = 'task' in event && event.task !== undefined ? event.task : null;
    const atMs = STARTED_MS + version * 1_000;
    const row = {
      stream: PROJECT_STREAM,
      version,
      atMs,
      type: event.type,
      task,
      body: JSON.stringify(event),
    };
    insert.run(row.stream, version, atMs, row.type, task, row.body, getSum(row));
  }
  db.exec('COMMIT');
  db.close();
}

const STARTED_MS = Date.UTC(2026, 0, 1);
