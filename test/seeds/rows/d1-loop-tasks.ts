import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { getLoopFile, getLoopTask, LOOP_FILE, makeLoopProject } from '../loop-project.ts';

/** qa-1 stands first and waits for all the others. */
const GRAPH = [
  getLoopTask('qa-1', { phase: 'qa', dependencies: ['eng-1'], qa_cycle_count: 0 }),
  getLoopTask('eng-1', { dependencies: ['arch-1', 'uiux-1'] }),
  getLoopTask('uiux-1', { phase: 'uiux', dependencies: ['arch-1'] }),
  getLoopTask('arch-1', { phase: 'architecture' }),
];

/** harness-loop's own tasks.json, driven where it is. */
export const LOOP_TASKS_ROWS: readonly Row[] = [
  {
    id: 'D1.1',
    asked: 'tasks.json is read with every field of its own',
    command: 'harness status --json',
    seen: 'four tasks, and no field that has no effect',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      const { text, code } = await project.harness('doctor');
      assert.equal(code, 0, text);
      assert.match(text, /4 tasks, 4 open/);
      assert.doesNotMatch(text, /not a known field|no effect/);
    },
  },
  {
    id: 'D1.2',
    asked: 'dependencies are enforced, whatever order the file has',
    command: 'harness run --all',
    seen: 'landed in the order of the graph',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      const landed = project.git('log', '--reverse', '--format=%s').match(/\w+-\d/g);
      assert.deepEqual(landed, ['arch-1', 'uiux-1', 'eng-1', 'qa-1']);
    },
  },
  {
    id: 'D1.3',
    asked: 'a task waits for its dependencies by name',
    command: 'harness next',
    seen: 'arch-1 is next; the tasks that wait are named with what they wait for',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      const { text } = await project.harness('next');
      assert.match(text, /arch-1/);
      const { text: all } = await project.harness('status', '--all');
      assert.match(all, /qa-1.*\n?.*eng-1/);
    },
  },
  {
    id: 'D1.4',
    asked: 'the state file is the source of truth and is written back in its own words',
    command: 'harness run',
    seen: 'one line of .harness/tasks.json changes: "status": "done"',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const changed = project.git('diff', '-U0', 'HEAD~1', '--', LOOP_FILE).match(/^[+-] .*$/gm);
      assert.deepEqual(changed, ['-      "status": "pending",', '+      "status": "done",']);
    },
  },
  {
    id: 'D1.5',
    asked: 'a project that ignores .harness/ can be driven in place',
    command: 'the line that harness status prints, then harness run',
    seen: 'the file is committed as git would not have it, and the task lands',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      project.git('rm', '-q', '--cached', LOOP_FILE);
      project.commit({ '.gitignore': '.harness/\n' }, 'Ignore the state');
      const { text } = await project.harness('status');
      const line = /git add -f .*git commit -m "[^"]*"/.exec(text)?.[0];
      assert.ok(line, text);
      const pasted = await project.sh(line);
      assert.equal(pasted.code, 0, pasted.text);
      const { code, text: ran } = await project.harness('run');
      assert.equal(code, 0, ran);
      assert.match(project.git('show', `HEAD:${LOOP_FILE}`), /"status": "done"/);
    },
  },
  {
    id: 'D1.6',
    asked: 'a task that waits for one that does not exist is refused',
    command: 'harness run',
    seen: 'exit 2 with the field, in the words of the file',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1', { dependencies: ['arch-9'] })]);
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /tasks\[0\]\.dependencies names arch-9/);
    },
  },
  {
    id: 'D1.7',
    asked: 'dependencies said twice, as dependencies and depends_on, are not guessed at',
    command: 'harness status',
    seen: 'exit 2 that names both fields',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1', { depends_on: [] })]);
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /depends_on says the same as dependencies/);
    },
  },
  {
    id: 'D1.8',
    asked: 'tasks.json becomes features.json with its order kept',
    command: 'harness import .harness/tasks.json',
    seen: 'depends_on has what dependencies had',
    async show(stage) {
      const project = stage.repository({ [LOOP_FILE]: getLoopFile(GRAPH) });
      const { code, text } = await project.harness('import', LOOP_FILE);
      assert.equal(code, 0, text);
      const { project: name, features } = project.readJson<{
        project: string;
        features: { id: string; depends_on: string[] }[];
      }>('features.json');
      assert.equal(name, 'todo');
      assert.deepEqual(features.find(({ id }) => id === 'eng-1')?.depends_on, ['arch-1', 'uiux-1']);
    },
  },
  {
    id: 'D1.9',
    asked: 'and back: what is exported is a tasks.json of its own form',
    command: 'harness export --format loop-tasks',
    seen: 'dependencies, acceptance_criteria and statuses as harness-loop has them',
    async show(stage) {
      const project = makeLoopProject(stage, GRAPH);
      const { code, text } = await project.harness('export', '--format', 'loop-tasks', '--out', 'out');
      assert.equal(code, 0, text);
      const { tasks } = project.readJson<{ tasks: Record<string, unknown>[] }>('out/tasks.json');
      assert.deepEqual(tasks[0]?.dependencies, ['eng-1']);
      assert.deepEqual(tasks[0]?.acceptance_criteria, ['src/qa-1.txt exists']);
      assert.equal(tasks[0]?.status, 'pending');
      assert.equal(tasks[0]?.phase, 'qa');
    },
  },
  { id: 'D1.10', asked: 'phases in order: architecture, uiux, engineering, qa', later: 'phases' },
  { id: 'D1.11', asked: 'a role prompt for each phase', later: 'phases' },
  { id: 'D1.12', asked: 'metadata.current_phase follows the work', later: 'phases' },
  { id: 'D1.13', asked: 'requirements.md, progress.md and config.json are kept', later: 'phases' },
  {
    id: 'D1.14',
    asked: 'the graph is approved before work, interactive or background',
    later: 'control room',
  },
];
