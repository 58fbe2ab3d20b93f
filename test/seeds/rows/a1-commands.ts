import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const TASKS = `${JSON.stringify(
  {
    version: 2,
    tasks: [
      {
        id: 'task-001',
        title: 'Thing 1 exists',
        status: 'pending',
        validation: { command: 'test -f src/1.txt' },
      },
    ],
  },
  null,
  2,
)}\n`;

const PLAN = '---\nstatus: active\nvalidation: test -f src/1.txt\n---\n# Thing 1 exists\n';

/** A backlog in each format, with one task that can be done. */
const FORMATS = {
  'features.json': {
    'features.json': getBacklog([{ id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh' }]),
  },
  'harness-tasks.json': { 'harness-tasks.json': TASKS },
  'tasks.json': {
    'tasks.json': TASKS.replace('"version": 2,', '"project": "x",').replace('task-001', 'eng-1'),
  },
  plans: { 'plans/0001-thing-1.md': PLAN },
};

/** init, run, status and add, and what is there already. */
export const COMMANDS_A: readonly Row[] = [
  {
    id: 'A1.1',
    asked: 'init takes the path of the project',
    command: 'harness init <path>',
    seen: '.harness.yaml, backlog and log in that folder',
    async show(stage) {
      const project = stage.repository({ 'README.md': 'x\n' });
      mkdirSync(join(project.dir, 'elsewhere'));
      const { code, text } = await project.harnessIn({ cwd: 'elsewhere' }, 'init', '..', '--no-run');
      assert.equal(code, 0, text);
      for (const file of ['.harness.yaml', 'features.json', '.harness/logs/harness-progress.txt'])
        assert.ok(project.has(file), file);
      assert.deepEqual(project.readJson('features.json').features, []);
    },
  },
  {
    id: 'A1.2',
    asked: 'init for a path that is none',
    command: 'harness init nowhere',
    seen: 'exit 2, and the path by name',
    async show(stage) {
      const { code, err } = await stage.repository().harness('init', 'nowhere');
      assert.equal(code, 2, err);
      assert.match(err, /nowhere is not a folder/);
    },
  },
  ...(['harness-tasks.json', 'tasks.json', 'plans'] as const).map(
    (path, i): Row => ({
      id: `A1.${3 + i}`,
      asked: `init takes up ${path} instead of writing an empty backlog beside it`,
      command: 'harness init, harness status',
      seen: 'no features.json; the task that was there is the next one',
      show: stage => showTakenUp(stage.repository(FORMATS[path]), path),
    }),
  ),
  {
    id: 'A1.6',
    asked: 'init takes up .harness/tasks.json, which git ignores there',
    command: 'harness init, the git add that it prints, harness status',
    seen: 'the task that was there is the next one',
    show: stage =>
      showTakenUp(
        stage.repository({ '.harness/tasks.json': FORMATS['tasks.json']['tasks.json'] }),
        '.harness/tasks.json',
      ),
  },
  {
    id: 'A1.7',
    asked: 'init beside a features.json keeps it, byte for byte',
    command: 'harness init',
    seen: 'the same bytes, "kept features.json as it is"',
    async show(stage) {
      const before = FORMATS['features.json']['features.json'];
      const project = stage.repository({ 'features.json': before });
      assert.match((await project.harness('init', '--no-run')).text, /kept features\.json as it is/);
      assert.equal(project.read('features.json'), before);
    },
  },
  {
    id: 'A1.8',
    asked: 'init run again changes nothing',
    command: 'harness init, twice',
    seen: '"Nothing to do", the same log',
    async show(stage) {
      const project = stage.repository({ 'README.md': 'x\n' });
      await project.harness('init', '--no-run');
      const log = project.log();
      assert.match((await project.harness('init', '--no-run')).text, /Nothing to do/);
      assert.equal(project.log(), log);
    },
  },
  {
    id: 'A1.9',
    asked: 'init says which other backlog it leaves aside',
    command: 'harness init beside features.json and harness-tasks.json',
    seen: 'the name of the other, and the way to it',
    async show(stage) {
      const project = stage.repository({ ...FORMATS['features.json'], ...FORMATS['harness-tasks.json'] });
      const { text } = await project.harness('init', '--no-run');
      assert.match(text, /harness-tasks\.json is not used: .*harness import harness-tasks\.json/);
    },
  },
  {
    id: 'A1.10',
    asked: 'the log begins with the set-up',
    command: 'harness init',
    seen: '[time] [SESSION-0] INIT Harness initialized for project …',
    async show(stage) {
      const project = stage.repository({ 'README.md': 'x\n' });
      await project.harness('init', '--no-run');
      assert.match(
        project.log(),
        /^\[\d{4}-\S+Z\] \[SESSION-0\] INIT Harness initialized for project project #0\n/,
      );
    },
  },
  {
    id: 'A1.11',
    asked: 'files of the harness are kept out of git without a question',
    command: 'harness init, git status',
    seen: 'only .harness.yaml and the backlog are new',
    async show(stage) {
      const project = stage.repository({ 'README.md': 'x\n' });
      await project.harness('init', '--no-run');
      assert.equal(project.git('status', '--porcelain'), '?? .harness.yaml\n?? features.json');
    },
  },
  {
    id: 'A1.12',
    asked: 'import after init',
    command: 'harness init, harness import harness-tasks.json',
    seen: 'the empty features.json gives way; one with tasks does not',
    async show(stage) {
      const project = stage.repository({ 'README.md': 'x\n' });
      await project.harness('init', '--no-run');
      project.write(FORMATS['harness-tasks.json']);
      const first = await project.harness('import', 'harness-tasks.json');
      assert.equal(first.code, 0, first.text);
      assert.equal(project.readJson<{ features: unknown[] }>('features.json').features.length, 1);
      assert.equal((await project.harness('import', 'harness-tasks.json')).code, 2);
    },
  },
  ...Object.entries(FORMATS).map(
    ([path, files], i): Row => ({
      id: `A1.${13 + i}`,
      asked: `add with nothing but a sentence, in ${path}`,
      command: 'harness add "Thing 2 exists", git commit, harness run --all',
      seen: 'the task is there; the other lands all the same',
      show: stage => showOpenTask(stage, path, files),
    }),
  ),
  {
    id: 'A1.17',
    asked: 'add in a script has the test planned',
    command: 'harness add "Thing 2 exists"',
    seen: "the planner's test file under the person's own words",
    async show(stage) {
      const project = stage.project({ 'features.json': getBacklog([]), 'agent.yaml': PLANNER });
      const { code, text } = await project.harness('add', 'Thing 9 is there');
      assert.equal(code, 0, text);
      const { features } = project.readJson<{ features: { description: string; test_file: string }[] }>(
        'features.json',
      );
      assert.deepEqual(
        features.map(({ description, test_file }) => [description, test_file]),
        [['Thing 9 is there', 'test/thing-9.sh']],
      );
      assert.equal(project.has('.harness/plan.json'), false);
    },
  },
  {
    id: 'A1.18',
    asked: 'add on a terminal asks what proves it',
    command: 'harness add "Thing 2 exists" on a terminal, "test -f src/2.txt" typed',
    seen: 'the question, and the command in the backlog',
    async show(stage) {
      const project = stage.project({ 'features.json': getBacklog([]) });
      const typed = `printf 'test -f src/2.txt\\nn\\n' | script -qec 'node "$HARNESS" add "Thing 2 exists"' /dev/null`;
      const { text } = await project.sh(typed, { HARNESS: project.program });
      assert.match(text, /What proves it/);
      assert.match(project.read('features.json'), /"command": "test -f src\/2\.txt"/);
    },
  },
  {
    id: 'A1.19',
    asked: "a task of add has every field of the skill's file",
    command: 'harness add "Thing 2 exists" --priority P0 in harness-tasks.json',
    seen: 'the next id, attempts 0 of 3, empty lists, validation.command null',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': getConfig('harness-tasks.json'),
        ...FORMATS['harness-tasks.json'],
      });
      await project.harness('add', 'Thing 2 exists', '--priority', 'P0', '--no-plan');
      assert.deepEqual(project.readJson<{ tasks: unknown[] }>('harness-tasks.json').tasks[1], {
        ...{ id: 'task-002', title: 'Thing 2 exists', status: 'pending', priority: 'P0', depends_on: [] },
        ...{ attempts: 0, max_attempts: 3, started_at_commit: null },
        validation: { command: null, timeout_seconds: 300 },
        on_failure: { cleanup: null },
        ...{ error_log: [], checkpoints: [], completed_at: null },
      });
    },
  },
  {
    id: 'A1.20',
    asked: 'add with a planner whose program cannot start',
    command: 'harness add "…" with agent.command: sh missing.sh',
    seen: 'the task is there and waits for a person, the reason is said, and the program is asked once',
    async show(stage) {
      const config = CONFIG.replace(/agent:.*/, 'agent: { provider: command, command: sh missing.sh }');
      const project = stage.project({ '.harness.yaml': config });
      const { code, text } = await project.harness('add', 'Thing 9 exists');
      assert.equal(code, 0, text);
      assert.match(text, /no test is planned \(no plan: .*missing\.sh could not be started/);
      assert.doesNotMatch(text, /sent back|answer [234]/);
      const { out } = await project.harness('log', '--type', 'planner.ended', '--json');
      assert.equal(out.trim().split('\n').length, 1);
    },
  },
];

const PLANNER = `planner:
  - answer:
      summary: One more thing.
      tasks:
        - { id: "1", title: A file for 9, depends_on: [], test_file: test/thing-9.sh, files: [src/9.txt], size: small, verification_steps: [It is there, It says 9, It stays] }
`;

function getConfig(path: string): string {
  return `project: { name: sample }
paths: { features: ${path} }
testing: { runner: command, full: sh test/all.sh, feature: "sh {file}" }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
`;
}

async function showTakenUp(project: SeedProject, path: string): Promise<void> {
  const { code, text, out } = await project.harness('init', '--no-run');
  assert.equal(code, 0, text);
  assert.match(out, new RegExp(`took up ${path}: the backlog`));
  assert.equal(project.has('features.json'), false);
  const [commit = ''] = /git add .*$/m.exec(out) ?? [];
  const committed = await project.sh(commit);
  assert.equal(committed.code, 0, committed.text);
  const { next, hints } = await project.json<{ next: { title: string } | null; hints: string[] }>('status');
  assert.deepEqual([next?.title, hints], ['Thing 1 exists', []]);
}

async function showOpenTask(stage: Stage, path: string, files: Record<string, string>): Promise<void> {
  const does = '[{ edit: { file: src/1.txt, content: x } }, { claim: done }]';
  const project = stage.project({
    'features.json': null,
    '.harness.yaml': getConfig(path),
    'agent.yaml': `tasks: { "1": ${does}, task-001: ${does}, eng-1: ${does}, "0001": ${does} }\n`,
    ...files,
  });
  const { code, text, err } = await project.harness('add', 'Thing 2 exists');
  assert.equal(code, 0, text);
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'Plan');
  assert.match(err, /nothing proves task \S+ yet/);
  const { code: ended, text: told } = await project.harness('run', '--all');
  const { tasks, questions } = await project.json<{
    tasks: { title: string; status: string }[];
    questions: unknown[];
  }>('status');
  const status = Object.fromEntries(tasks.map(task => [task.title, task.status]));
  assert.equal(status['Thing 1 exists'], 'landed', told);
  assert.notEqual(status['Thing 2 exists'], 'landed', told);
  assert.deepEqual([ended, questions.length], [7, 1], told);
}
