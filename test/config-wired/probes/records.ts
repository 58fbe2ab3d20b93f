import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../../src/adapters/store/driver.ts';
import { getStorePath } from '../../../src/adapters/store/store-files.ts';
import type { SeedProject } from '../../seeds/stage.ts';
import { makeEarlier, makeNewer, makeOlder } from '../../support/store-schema.ts';
import type { Probe } from '../probe.ts';
import { log, play, read } from './kit.ts';

const DAY_MS = 86_400_000;

/** A clock that is ahead, for the program alone. */
async function runLater(project: SeedProject, days: number, ...args: readonly string[]): Promise<string> {
  project.write({
    '../home/later.mjs': `const now = Date.now; Date.now = () => now() + ${days * DAY_MS};\n`,
  });
  const env = { NODE_OPTIONS: `--import=${join(project.dir, '..', 'home', 'later.mjs')}` };
  return (await project.harnessIn(env, ...args)).text;
}

function list(project: SeedProject, path: string): readonly string[] {
  return project.has(path) ? readdirSync(join(project.dir, path), { recursive: true, encoding: 'utf8' }) : [];
}

const attempts = (project: SeedProject): string =>
  `kept: ${project.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n').filter(Boolean).length}`;

const TRIES = {
  attempts: { max_attempts: 5 },
  verification: { require_evidence: false, feedback_rounds: 0 },
};

/** The log of what happened. */
const events = (project: SeedProject): string => read(project, '.harness/logs/events.jsonl');

const LANDED: Partial<Probe> = { run: [['run']] };

/** What is recorded, for how long, and by which version. */
export const RECORD_PROBES: readonly Probe[] = [
  {
    with: { logging: { sampling: 0 } },
    look: events,
    change: {
      'logging.level': { from: 'important', to: 'debug', tells: /preflight\.passed/ },
    },
  },
  { look: events, change: { 'logging.sampling': { from: 0, to: 1, tells: /preflight\.passed/ } } },
  {
    ...LANDED,
    look: async project => {
      await runLater(project, 10, 'run');
      return `transcripts: ${list(project, '.harness/sessions').join(' ')}`;
    },
    change: { 'logging.retention_days': { to: 1, tells: /session-1-task-1/ } },
  },
  {
    run: [['run', '--all', '--max-tasks', '2'], ['run']],
    with: { logging: { level: 'debug' } },
    look: project => `logs: ${list(project, '.harness/logs').join(' ')}`,
    change: { 'logging.max_file_mb': { to: 0.0002, tells: /logs: .*events\.\d+-\d+\.jsonl/ } },
  },
  {
    files: play('{ edit: { file: src/half.txt, append: "x" } }, { lie: done }'),
    with: TRIES,
    run: [['run'], ['run'], ['run']],
    look: attempts,
    change: { 'checkpoints.per_task': { from: 5, to: 1, tells: /kept: [3-9]/ } },
  },
  {
    files: play('{ edit: { file: src/half.txt, append: "x" } }, { lie: done }'),
    with: TRIES,
    run: [['run'], ['run']],
    look: async project => {
      // The store asks SQLite for the time, which no clock of the program's own changes.
      makeEarlier(project.dir, 3 * DAY_MS);
      return `${(await project.harness('run', '--for', '0.001s')).text}\n${attempts(project)}`;
    },
    change: { 'checkpoints.max_age_days': { to: 1, tells: /kept: 2/ } },
  },
  {
    look: async project => {
      makeOlder(project.dir);
      return (await project.harness('run')).text;
    },
    change: { 'compatibility.on_older_state': { from: 'migrate', to: 'abort', tells: /task 2 landed/ } },
  },
  {
    look: async project => {
      makeNewer(project.dir);
      return (await project.harness('run')).text;
    },
    change: { 'compatibility.on_newer_state': { from: 'abort', to: 'warn', tells: /task 2 landed/ } },
  },
  {
    look: async project => {
      makeOlder(project.dir);
      await project.harness('run');
      return `beside: ${readdirSync(project.dir)
        .filter(name => name.startsWith('.harness.backup.'))
        .join(' ')}`;
    },
    change: {
      'compatibility.backup_before_migrate': { to: false, tells: /beside: \S/ },
    },
  },
  {
    files: play('{ hang: true }'),
    with: { session_config: { concurrency_mode: 'concurrent' }, lease: { heartbeat_seconds: 0.4 } },
    run: [['status']],
    look: readLease,
    change: {
      'lease.ttl_seconds': { from: 60, to: 1, tells: /lease: long/ },
    },
  },
  {
    files: play('{ hang: true }'),
    run: [['status']],
    look: countSigns,
    change: { 'lease.heartbeat_seconds': { from: 15, to: 0.3, tells: /signs: many/ } },
  },
];

async function startRun(project: SeedProject) {
  const child = project.start(['run']);
  for (let left = 200; left > 0 && !/Starting \[1\]/.test(log(project)); left--)
    await new Promise(resolve => setTimeout(resolve, 50));
  return child;
}

/** How long a worker that has just begun may keep its task without another word. */
async function readLease(project: SeedProject): Promise<string> {
  const child = await startRun(project);
  const db = openDatabase(getStorePath(join(project.dir, '.harness')));
  const rows = db.prepare('SELECT max(expires_at_ms) AS at FROM leases').all() as { at: number }[];
  db.close();
  child.kill('SIGKILL');
  return `lease: ${(rows[0]?.at ?? 0) - Date.now() > 20_000 ? 'long' : 'short'}`;
}

/** Whether a worker says again and again that it is there, however slow the machine is; 8 seconds are less than 15. */
async function countSigns(project: SeedProject): Promise<string> {
  const child = await startRun(project);
  const db = openDatabase(getStorePath(join(project.dir, '.harness')));
  const seen = new Set<string>();
  for (let look = 0; look < 160 && seen.size < MANY; look++) {
    seen.add(JSON.stringify(db.prepare('SELECT * FROM leases').all()));
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  db.close();
  child.kill('SIGKILL');
  return `signs: ${seen.size < MANY ? 'few' : 'many'}`;
}

const MANY = 4;
