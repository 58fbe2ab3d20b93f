import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

/** Found from the repository: the rows are bundled. */
const EXAMPLES = join(process.cwd(), 'test', 'fixtures', 'coming-from');
const EXAMPLE = readFileSync(join(EXAMPLES, 'harness-tasks.json'), 'utf8');
const FEATURES = readFileSync(join(EXAMPLES, 'features.json'), 'utf8');

const FILE = 'harness-tasks.json';
const does = (id: number): string => `[{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`;

interface TaskFile {
  readonly created: string;
  readonly session_config: object;
  readonly session_count: number;
  readonly last_session: string;
  readonly tasks: readonly Readonly<Record<string, unknown>>[];
}

/** The task list with everything that it says of its tasks. */
export const TASK_FILE: readonly Row[] = [
  {
    id: 'A4.1',
    asked: "the skill's own example loads as it is",
    command: 'harness status',
    seen: 'three tasks, the first landed; no warning',
    async show(stage) {
      const project = makeProject(stage, EXAMPLE);
      const { code, out, err } = await project.harness('status');
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /^Tasks: +1\/3 landed/m);
      assert.doesNotMatch(out, /^note:/m);
    },
  },
  {
    id: 'A4.2',
    asked: 'what the file says of a task that failed is believed when it is first read',
    command: 'harness status',
    seen: '[retry] task-002 (1/3)',
    async show(stage) {
      const { out } = await makeProject(stage, EXAMPLE).harness('status');
      assert.match(out, /\[retry\] +task-002: Add rate limiting \(1\/3\)/);
    },
  },
  {
    id: 'A4.3',
    asked: 'a task that failed three times of three there waits for a person',
    command: 'harness run --all, harness inbox, harness reset task-002, harness status',
    seen: 'no session for it, a question; after reset it is open again',
    async show(stage) {
      const project = makeProject(stage, withTask({ attempts: 3 }));
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.doesNotMatch(project.log(), /Starting \[task-002\]/);
      assert.match((await project.harness('inbox')).out, /task-002 has failed 3 times/);
      await project.harness('reset', 'task-002');
      assert.match((await project.harness('status')).out, /\[pending\] +task-002/);
    },
  },
  {
    id: 'A4.4',
    asked: 'what the file says later is not believed: the record is what counts',
    command: 'harness status, "attempts": 3 committed by hand, harness status',
    seen: 'still (1/3)',
    async show(stage) {
      const project = makeProject(stage, EXAMPLE);
      await project.harness('status');
      project.commit({ [FILE]: withTask({ attempts: 3 }) });
      assert.match((await project.harness('status')).out, /task-002: Add rate limiting \(1\/3\)/);
    },
  },
  {
    id: 'A4.5',
    asked: 'a landing writes attempts, started_at_commit, completed_at, session_count and last_session',
    command: 'harness run --task task-003, git diff',
    seen: 'those fields of that task and of the file, and no other byte',
    async show(stage) {
      const project = makeProject(stage, getRunnable());
      const { code, text } = await project.harness('run', '--task', 'task-003');
      assert.equal(code, 0, text);
      const changed = project
        .git('diff', '-U0', 'HEAD~1', '--', FILE)
        .split('\n')
        .flatMap(line => /^\+ +"(\w+)"/.exec(line)?.[1] ?? []);
      const ofTask = ['status', 'attempts', 'started_at_commit', 'completed_at'];
      assert.deepEqual(changed, [...ofTask, 'session_count', 'last_session']);
      const { tasks, session_count, last_session } = project.readJson<TaskFile>(FILE);
      const { status, attempts, started_at_commit, completed_at } = tasks[2] ?? {};
      assert.deepEqual([status, attempts, session_count], ['completed', 1, 2]);
      assert.match(String(completed_at), /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
      assert.equal(last_session, completed_at);
      assert.ok(project.git('rev-parse', 'HEAD~1').startsWith(String(started_at_commit)));
    },
  },
  {
    id: 'A4.19',
    asked: 'sessions are numbered on from the session_count of a file that is taken up',
    command:
      'harness run --task task-003 twice, with "session_count": 7; the same with 49 of 50 sessions used up',
    seen: 'SESSION-8 in the log, 8 in the file and in status; after one more session the project stops',
    async show(stage) {
      const counted = (count: number) =>
        getRunnable().replace('"session_count": 1', `"session_count": ${count}`);
      const project = makeProject(stage, counted(7));
      assert.match((await project.harness('status')).out, /^Sessions: +7$/m);
      assert.equal((await project.harness('run', '--task', 'task-003')).code, 0);
      assert.match(project.log(), /\[SESSION-8\] Starting \[task-003\]/);
      assert.equal(project.readJson<TaskFile>(FILE).session_count, 8);
      assert.match((await project.harness('status')).out, /^Sessions: +8$/m);

      const last = makeProject(stage, counted(49));
      const { text } = await last.harness('run', '--all');
      assert.match(text, /the limit session_config\.max_sessions is reached/);
      assert.match(last.log(), /SESSION-50\]/);
      assert.doesNotMatch(last.log(), /SESSION-51\]/);
    },
  },
  {
    id: 'A4.6',
    asked: 'a failure is written with its category, after what the file had',
    command: 'harness run --all with an agent that lies about task-002, harness export',
    seen: 'status failed, attempts 3, every error behind the first one',
    async show(stage) {
      const project = makeProject(stage, getRunnable());
      await project.harness('run', '--all');
      const { tasks } = await exportTasks(project);
      const { status, attempts, error_log } = tasks[1] as {
        status: string;
        attempts: number;
        error_log: string[];
      };
      assert.deepEqual([status, attempts, error_log.length], ['failed', 3, 3]);
      assert.equal(error_log[0], '[TASK_EXEC] Redis connection refused');
      assert.match(error_log[2] ?? '', /^\[TEST_FAIL\] /);
    },
  },
  {
    id: 'A4.7',
    asked: 'export keeps created and session_config, and every byte that nothing happened to',
    command: 'harness export --format harness-tasks before any run',
    seen: 'the file itself',
    async show(stage) {
      const project = makeProject(stage, EXAMPLE);
      await exportTasks(project);
      assert.equal(project.read('out/harness-tasks.json'), EXAMPLE);
    },
  },
  {
    id: 'A4.8',
    asked: 'export of another backlog has every field of the format',
    command: 'harness run, harness export --format harness-tasks',
    seen: 'version 2, created, session_config, attempts, started_at_commit, error_log, checkpoints, completed_at',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      const { tasks, created, session_config, session_count } = await exportTasks(project);
      assert.match(created, /^\d{4}-/);
      assert.deepEqual(session_config, {
        concurrency_mode: 'exclusive',
        max_tasks_per_session: 20,
        max_sessions: 50,
      });
      assert.equal(session_count, 1);
      for (const field of [
        'attempts',
        'max_attempts',
        'started_at_commit',
        'validation',
        'error_log',
        'checkpoints',
        'completed_at',
      ])
        assert.ok(field in (tasks[0] ?? {}), field);
      assert.deepEqual([tasks[0]?.status, tasks[0]?.attempts], ['completed', 1]);
    },
  },
  {
    id: 'A4.9',
    asked: 'import takes the attempts along',
    command: 'harness import harness-tasks.json, git commit, harness status',
    seen: 'task-002 (1/3)',
    async show(stage) {
      const project = stage.project({ 'features.json': null, [FILE]: EXAMPLE });
      await project.harness('import', FILE);
      project.git('add', '-A');
      project.git('commit', '-q', '-m', 'Import');
      assert.match((await project.harness('status')).out, /task-002: Add rate limiting \(1\/3\)/);
    },
  },
  {
    id: 'A4.10',
    asked: 'another version is refused',
    command: 'harness status with "version": 3',
    seen: 'exit 2, the field and the version that is read',
    async show(stage) {
      const project = makeProject(stage, EXAMPLE.replace('"version": 2', '"version": 3'));
      const { code, err } = await project.harness('status');
      assert.equal(code, 2);
      assert.match(err, /version is 3, and this Harness reads version 2/);
    },
  },
  {
    id: 'A4.11',
    asked: 'a validation.command of null, or empty, is read',
    command: 'harness status with null and with ""',
    seen: 'exit 0',
    async show(stage) {
      for (const command of ['null', '""']) {
        const text = EXAMPLE.replace('"npm test -- --testPathPattern=oauth"', command);
        const { code, text: said } = await makeProject(stage, text).harness('status');
        assert.equal(code, 0, said);
      }
    },
  },
  {
    id: 'A4.12',
    asked: 'session_config.max_tasks_per_session of the file ends a run',
    command: 'harness run --all with 1 of two tasks',
    seen: 'one landing, exit 0, and the limit by name',
    async show(stage) {
      const project = makeProject(stage, getTwo({ max_tasks_per_session: 1 }));
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match(text, /the limit of landed tasks is reached/);
      assert.match(project.log(), /STATS tasks_total=2 completed=1/);
    },
  },
  {
    id: 'A4.13',
    asked: 'session_config.max_sessions of the file ends the project, across runs',
    command: 'harness run --all with 1 of two tasks, twice',
    seen: 'one landing in all, and the limit by name',
    async show(stage) {
      const project = makeProject(stage, getTwo({ max_sessions: 1 }));
      await project.harness('run', '--all');
      const { text } = await project.harness('run', '--all');
      assert.match(text, /max_sessions is reached/);
      assert.match(project.log(), /STATS tasks_total=2 completed=1/);
    },
  },
  {
    id: 'A4.14',
    asked: 'the configuration has the last word over session_config of the file',
    command: 'harness run --all with 1 in the file and 2 in .harness.yaml',
    seen: 'two landings',
    async show(stage) {
      const more = 'session_config: { max_tasks_per_session: 2 }\n';
      const project = makeProject(stage, getTwo({ max_tasks_per_session: 1 }), more);
      await project.harness('run', '--all');
      assert.match(project.log(), /STATS tasks_total=2 completed=2/);
    },
  },
  {
    id: 'A4.15',
    asked: 'session_config.concurrency_mode: concurrent of the file lets two runs work',
    command: 'harness run beside a run',
    seen: 'the second is not refused',
    async show(stage) {
      const project = makeProject(stage, getTwo({ concurrency_mode: 'concurrent' }), '', HANGS);
      const first = project.start(['run', '--task', 'task-001']);
      await waitFor(
        () =>
          project.has('.harness/logs/harness-progress.txt') && /Starting \[task-001\]/.test(project.log()),
      );
      const { code, text } = await project.harness('run', '--task', 'task-004');
      first.kill('SIGKILL');
      assert.equal(code, 0, text);
    },
  },
  {
    id: 'A4.16',
    asked: "the skill's features.json loads as it is, and a landing changes one word of it and its date",
    command: 'harness run --task 1, git diff',
    seen: 'only "passes" of feature 1 and "last_updated"',
    async show(stage) {
      const getUndated = (text: string) => text.replace(/("last_updated": )"[^"]*"/, '$1""');
      const project = stage.project({
        'features.json': FEATURES,
        'tests/e2e/test_registration.py': 'test -f src/1.txt\n',
      });
      assert.equal((await project.harness('status')).err, '');
      const { code, text } = await project.harness('run', '--task', '1');
      assert.equal(code, 0, text);
      const expected = FEATURES.replace('"passes": false', '"passes": true');
      assert.equal(getUndated(project.read('features.json')), getUndated(expected));
    },
  },
  {
    id: 'A4.17',
    asked: 'the steps that an agent says it has done are in the file',
    command:
      'harness run --task task-003 with an agent that prints [CHECKPOINT] step=1/2 "half"; harness export',
    seen: 'checkpoints of the landed task behind those that were there, in the commit and in the export',
    async show(stage) {
      const old = { step: 1, total: 1, description: 'before', timestamp: '2025-01-01T00:00:00Z' };
      const file = JSON.parse(getRunnable()) as { tasks: object[] };
      file.tasks[1] = { ...file.tasks[1], status: 'in_progress', checkpoints: [old] };
      const project = makeProject(stage, `${JSON.stringify(file, null, 2)}\n`);
      project.commit({
        'agent.yaml':
          'tasks: { "*": [{ checkpoint: { step: 1, total: 2, description: half } }, { edit: { file: src/2.txt, content: x } }, { claim: done }] }\n',
      });
      const { code, text } = await project.harness('run', '--task', 'task-002');
      assert.equal(code, 0, text);
      for (const { tasks } of [project.readJson<TaskFile>(FILE), await exportTasks(project)]) {
        const steps = (tasks[1]?.checkpoints ?? []) as { timestamp: string }[];
        assert.deepEqual(
          steps.map(step => ({ ...step, timestamp: '' })),
          [old, { step: 1, total: 2, description: 'half' }].map(step => ({ ...step, timestamp: '' })),
        );
        const timestamp = steps[1]?.timestamp ?? '';
        assert.match(timestamp, /^\d{4}-\d\d-\d\dT[\d:]+Z$/);
      }
    },
  },
  {
    id: 'A4.18',
    asked: 'what waits for a task that failed elsewhere has its line in the log',
    command: 'harness status; harness run --all, with task-002 at 3 of 3 and task-003 behind it',
    seen: 'ERROR [task-003] [DEPENDENCY] Blocked by failed task-002',
    async show(stage) {
      const file = JSON.parse(getRunnable()) as { tasks: object[] };
      file.tasks[1] = { ...file.tasks[1], status: 'failed', attempts: 3 };
      file.tasks[2] = { ...file.tasks[2], depends_on: ['task-002'] };
      const project = makeProject(stage, `${JSON.stringify(file, null, 2)}\n`);
      await project.harness('status');
      await project.harness('run', '--all');
      assert.match(project.log(), /ERROR \[task-003\] \[DEPENDENCY\] Blocked by failed task-002/);
    },
  },
];

const HANGS = `tasks: { task-001: [{ hang: true }], task-004: ${does(4)} }\n`;

function makeProject(
  stage: Stage,
  text: string,
  more = '',
  agent = `tasks: { task-003: ${does(3)}, task-002: [{ lie: done }], task-001: ${does(1)}, task-004: ${does(4)} }\n`,
): SeedProject {
  return stage.project({
    'features.json': null,
    [FILE]: text,
    'agent.yaml': agent,
    '.harness.yaml': `project: { name: sample }
paths: { features: ${FILE} }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false, feedback_rounds: 0 }
${more}`,
  });
}

/** The example with other words for its second task. */
function withTask(fields: object): string {
  const file = JSON.parse(EXAMPLE) as { tasks: object[] };
  file.tasks[1] = { ...file.tasks[1], ...fields };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The example with validations that a small project can run. */
function getRunnable(): string {
  return EXAMPLE.replace('npm test -- --testPathPattern=auth', 'true')
    .replace('npm test -- --testPathPattern=rate-limit', 'test -f src/2.txt')
    .replace('npm test -- --testPathPattern=oauth', 'test -f src/3.txt');
}

function getTwo(config: object): string {
  const tasks = [1, 4].map(id => ({
    id: `task-00${id}`,
    title: `Thing ${id} exists`,
    status: 'pending',
    validation: { command: `test -f src/${id}.txt` },
  }));
  return `${JSON.stringify({ version: 2, session_config: config, tasks }, null, 2)}\n`;
}

async function exportTasks(project: SeedProject): Promise<TaskFile> {
  const { code, text } = await project.harness('export', '--format', 'harness-tasks', '--out', 'out');
  assert.equal(code, 0, text);
  return project.readJson<TaskFile>('out/harness-tasks.json');
}

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let left = 200; left > 0; left -= 1) {
    if (isThere()) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error('it did not come');
}
