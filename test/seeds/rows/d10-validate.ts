import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { getLoopFile, getLoopTask, LOOP_FILE } from '../loop-project.ts';
import type { Stage } from '../stage.ts';

const GOOD = [
  getLoopTask('arch-1', { phase: 'architecture' }),
  getLoopTask('eng-1', { dependencies: ['arch-1'] }),
  getLoopTask('eng-fix-1', { dependencies: ['eng-1'], output_files: ['src/eng-1.txt'] }),
  getLoopTask('qa-1', { phase: 'qa', dependencies: ['eng-fix-1'] }),
];

/** One command that judges a backlog of any format. */
export const VALIDATE: readonly Row[] = [
  {
    id: 'D10.1',
    asked: 'a good graph is called so',
    command: 'harness validate .harness/tasks.json',
    seen: 'exit 0, 4 tasks',
    async show(stage) {
      const { code, text } = await validate(stage, GOOD);
      assert.equal(code, 0, text);
      assert.match(text, /valid .*4 tasks, 0 done/);
    },
  },
  wrong(
    2,
    'the schema: a status that there is not',
    [getLoopTask('eng-1', { status: 'running' })],
    /status cannot be "running"/,
  ),
  wrong(
    3,
    'the schema: a title is missing',
    [getLoopTask('eng-1', { title: '' })],
    /title is missing or empty/,
  ),
  wrong(
    4,
    'the schema: a phase that there is not',
    [getLoopTask('eng-1', { phase: 'sales' })],
    /phase cannot be "sales"/,
  ),
  wrong(
    5,
    'a dependency that does not exist',
    [getLoopTask('eng-1', { dependencies: ['arch-9'] })],
    /names arch-9/,
  ),
  wrong(
    6,
    'a cycle, named as a whole',
    [getLoopTask('eng-1', { dependencies: ['eng-2'] }), getLoopTask('eng-2', { dependencies: ['eng-1'] })],
    /eng-1 → eng-2 → eng-1/,
  ),
  wrong(7, 'two tasks with one id', [getLoopTask('eng-1'), getLoopTask('eng-1')], /tasks\[1\]\.id is eng-1/),
  wrong(
    8,
    'an id that is not of its phase',
    [getLoopTask('eng-1', { phase: 'qa' })],
    /ids of the phase qa are qa- and a number/,
  ),
  wrong(9, 'an id without a number', [getLoopTask('eng-login')], /ids of the phase engineering are eng-/),
  wrong(
    10,
    'no acceptance criteria',
    [getLoopTask('eng-1', { acceptance_criteria: [] })],
    /acceptance_criteria has nothing in it/,
  ),
  wrong(
    11,
    'two tasks that write one file, and neither waits for the other',
    [getLoopTask('eng-1', { output_files: ['a.ts'] }), getLoopTask('eng-2', { output_files: ['a.ts'] })],
    /a\.ts, which eng-1 writes as well/,
  ),
  {
    id: 'D10.12',
    asked: 'overlap is no error along a way of dependencies, however long',
    command: 'harness validate .harness/tasks.json',
    seen: 'exit 0',
    async show(stage) {
      const far = [
        ...GOOD.slice(0, 3),
        getLoopTask('qa-1', { phase: 'qa', dependencies: ['eng-fix-1'], output_files: ['src/eng-1.txt'] }),
      ];
      const { code, text } = await validate(stage, far);
      assert.equal(code, 0, text);
    },
  },
  {
    id: 'D10.13',
    asked: 'everything wrong is said at once, for a program too',
    command: 'harness validate --json',
    seen: 'exit 2 and ok: false with field, message and fix of each',
    async show(stage) {
      const bad = [getLoopTask('eng-1', { acceptance_criteria: [], dependencies: ['x-1'], phase: 'qa' })];
      const project = stage.folder({ [LOOP_FILE]: getLoopFile(bad) });
      const { code, out } = await project.harness('validate', LOOP_FILE, '--json');
      assert.equal(code, 2);
      const { ok, errors } = JSON.parse(out) as { ok: boolean; errors: { field: string; fix: string }[] };
      assert.equal(ok, false);
      assert.deepEqual(errors.map(({ field }) => field).sort(), [
        'tasks[0].acceptance_criteria',
        'tasks[0].dependencies',
        'tasks[0].id',
      ]);
      assert.ok(errors.every(({ fix }) => fix.length > 10));
    },
  },
  {
    id: 'D10.14',
    asked: 'a file that is no JSON, and one that is not there',
    command: 'harness validate',
    seen: 'exit 2 with the line, exit 2 with the path',
    async show(stage) {
      const project = stage.folder({ 'tasks.json': '{"tasks": [,]}' });
      const broken = await project.harness('validate', 'tasks.json');
      assert.equal(broken.code, 2);
      assert.match(broken.text, /line 1, column 12/);
      const gone = await project.harness('validate', 'nowhere.json');
      assert.equal(gone.code, 2);
      assert.match(gone.text, /there is no .*nowhere\.json/);
    },
  },
  {
    id: 'D10.15',
    asked: 'what nothing can prove is a warning',
    command: 'harness validate .harness/tasks.json',
    seen: 'exit 0, the task is named',
    async show(stage) {
      const { code, text } = await validate(stage, [getLoopTask('eng-1', { validation: undefined })]);
      assert.equal(code, 0, text);
      assert.match(text, /nothing can prove eng-1 yet/);
    },
  },
  {
    id: 'D10.16',
    asked: 'one command for every format',
    command: 'harness validate with features.json, harness-tasks.json and a folder of plans',
    seen: 'exit 0 for good ones, 2 for a missing dependency',
    async show(stage) {
      const project = stage.folder({
        'features.json': '{"features":[{"id":1,"description":"A","test_file":"a.js"}]}',
        'harness-tasks.json':
          '{"version":2,"tasks":[{"id":"task-001","title":"A","status":"pending","validation":{"command":"true"}}]}',
        'plans/0001-a.md': '---\nvalidation: "true"\n---\n# A\n',
        'bad/0001-a.md': '---\ndepends_on: ["0009"]\n---\n# A\n',
        'bad.json': '{"features":[{"id":1,"description":"A","test_file":"a.js","depends_on":[9]}]}',
      });
      for (const [path, wanted] of [
        ['features.json', 0],
        ['harness-tasks.json', 0],
        ['plans', 0],
        ['bad', 2],
        ['bad.json', 2],
      ] as const) {
        const { code, text } = await project.harness('validate', path);
        assert.equal(code, wanted, `${path}: ${text}`);
      }
    },
  },
  {
    id: 'D10.17',
    asked: 'the backlog of the project, without a name',
    command: 'harness validate',
    seen: 'exit 0, features.json',
    async show(stage) {
      const { code, text } = await stage.project().harness('validate');
      assert.equal(code, 0, text);
      assert.match(text, /features\.json: 3 tasks/);
    },
  },
];

function validate(stage: Stage, tasks: readonly object[]) {
  return stage.folder({ [LOOP_FILE]: getLoopFile(tasks) }).harness('validate', LOOP_FILE);
}

function wrong(number: number, asked: string, tasks: readonly object[], message: RegExp): Row {
  return {
    id: `D10.${number}`,
    asked,
    command: 'harness validate .harness/tasks.json',
    seen: `exit 2: ${message.source}`,
    async show(stage) {
      const { code, text } = await validate(stage, tasks);
      assert.equal(code, 2, text);
      assert.match(text, message);
    },
  };
}
