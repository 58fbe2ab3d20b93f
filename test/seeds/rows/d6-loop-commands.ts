import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../behaviour.ts';
import { getLoopFile, getLoopTask, LOOP_FILE, makeLoopProject } from '../loop-project.ts';
import { until } from '../poll.ts';
import type { SeedProject, Stage } from '../stage.ts';

const ONE = [getLoopTask('eng-1')];
const PAUSE = '.harness/signals/pause';
const STOP = '.harness/signals/stop';

/** The commands of harness-loop, and the files that say the same. */
export const LOOP_COMMANDS: readonly Row[] = [
  {
    id: 'D6.1',
    asked: 'status: counts by state and how far it is',
    command: 'harness status',
    seen: '1/2 landed (50%), 1 pending',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('arch-1', { status: 'done' }), ...ONE], {
        'src/arch-1.txt': 'x',
      });
      assert.match((await project.harness('status')).text, /1\/2 landed \(50%\), 1 pending/);
    },
  },
  {
    id: 'D6.2',
    asked: 'status: a blocked task with its retries and why',
    command: 'harness status after its attempts',
    seen: '[blocked] eng-1 (3/3) with the reason',
    async show(stage) {
      const project = makeLoopProject(stage, ONE, { 'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n' });
      await project.harness('run', '--all');
      assert.match((await project.harness('status')).text, /\[(blocked|failed)\] +eng-1: .*\(3\/3\) — \w+/);
    },
  },
  {
    id: 'D6.3',
    asked: 'pause: a run that comes after it does not begin',
    command: 'harness pause, then harness run',
    seen: 'exit 7, and status says PAUSE active',
    async show(stage) {
      const project = makeLoopProject(stage, ONE);
      await project.harness('pause');
      assert.equal((await project.harness('run')).code, 7);
      assert.match((await project.harness('status')).text, /PAUSE active/);
    },
  },
  {
    id: 'D6.4',
    asked: 'signals/pause says the same, also to a run that comes after it',
    command: 'touch .harness/signals/pause; harness run',
    seen: 'exit 7 that names harness resume',
    async show(stage) {
      const project = makePaused(stage);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.match(text, /harness resume/);
    },
  },
  {
    id: 'D6.5',
    asked: 'status says that the pause file is active',
    command: 'touch .harness/signals/pause; harness status',
    seen: 'PAUSE active, and gone as soon as the file is',
    async show(stage) {
      const project = makePaused(stage);
      assert.match((await project.harness('status')).text, /PAUSE active, by the file signals\/pause/);
      assert.deepEqual((await project.json('status')).signals, ['pause']);
      rmSync(join(project.dir, PAUSE));
      assert.doesNotMatch((await project.harness('status')).text, /PAUSE/);
    },
  },
  {
    id: 'D6.6',
    asked: 'status says that the stop file is active',
    command: 'touch .harness/signals/stop; harness status',
    seen: 'STOP active',
    async show(stage) {
      const project = makeLoopProject(stage, ONE);
      project.write({ [STOP]: '' });
      assert.match((await project.harness('status')).text, /STOP active/);
    },
  },
  {
    id: 'D6.7',
    asked: 'resume takes the pause file away, and work goes on',
    command: 'harness resume; harness run',
    seen: 'the file is gone, the task lands',
    async show(stage) {
      const project = makePaused(stage);
      const { text } = await project.harness('resume');
      assert.match(text, /signals\/pause was there, and is taken away/);
      assert.ok(!project.has(PAUSE));
      assert.equal((await project.harness('run')).code, 0);
    },
  },
  {
    id: 'D6.8',
    asked: 'a run that waits for the pause file says so',
    command: 'touch .harness/signals/pause beside a run',
    seen: 'PAUSE active in its output and in the log; taken away, the run goes on and lands',
    async show(stage) {
      const project = makeWaiting(stage, ONE);
      const { run, told, ended } = await runWith(project, () => project.write({ [PAUSE]: '' }));
      try {
        await until('PAUSE active', () => /PAUSE active/.test(told.text));
        assert.match(project.log(), /WARN PAUSE active/);
        rmSync(join(project.dir, PAUSE));
        await ended;
      } finally {
        run.kill('SIGKILL');
      }
      assert.equal(run.exitCode, 0, told.text);
    },
  },
  {
    id: 'D6.9',
    asked: 'signals/stop ends a run after its task',
    command: 'touch .harness/signals/stop beside a run',
    seen: 'one of two tasks landed, and the file is gone',
    async show(stage) {
      const project = makeWaiting(stage, [...ONE, getLoopTask('eng-2')]);
      await (await runWith(project, () => project.write({ [STOP]: '' }))).ended;
      assert.equal(project.git('show', `HEAD:${LOOP_FILE}`).match(/"done"/g)?.length, 1);
      assert.ok(!project.has(STOP));
    },
  },
  {
    id: 'D6.10',
    asked: 'reset: what is blocked is pending again, with no retries',
    command: 'harness reset --all',
    seen: 'eng-1 (0/3)',
    async show(stage) {
      const project = makeLoopProject(stage, ONE, { 'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n' });
      await project.harness('run', '--all');
      assert.equal((await project.harness('reset', '--all')).code, 0);
      assert.match((await project.harness('status')).text, /eng-1: .*\(0\/3\)/);
    },
  },
  {
    id: 'D6.11',
    asked: 'reset with nothing to reset is no error',
    command: 'harness reset --all',
    seen: 'exit 0, nothing to reset',
    async show(stage) {
      const { code, text } = await makeLoopProject(stage, ONE).harness('reset', '--all');
      assert.equal(code, 0, text);
      assert.match(text, /nothing to reset/);
    },
  },
  {
    id: 'D6.12',
    asked: 'add: a task of a phase, after others, in the form of the file',
    command: 'harness add … --phase qa --depends-on eng-1',
    seen: 'qa-1 with dependencies, status, criteria and a retry count',
    async show(stage) {
      const project = makeLoopProject(stage, ONE);
      const { code, text } = await project.harness(
        ...['add', 'Try it', '--phase', 'qa', '--depends-on', 'eng-1', '--validation', 'test -f README.md'],
      );
      assert.equal(code, 0, text);
      const { tasks } = project.readJson<{ tasks: Record<string, unknown>[] }>(LOOP_FILE);
      const { validation: _, ...task } = tasks[1] ?? {};
      assert.deepEqual(task, {
        ...{ id: 'qa-1', title: 'Try it', description: 'Try it', phase: 'qa', status: 'pending' },
        ...{ dependencies: ['eng-1'], acceptance_criteria: ['Try it'], output_files: [], retry_count: 0 },
        ...{ started_at: null, completed_at: null, notes: null },
      });
    },
  },
  {
    id: 'D6.13',
    asked: 'add numbers a task within its phase',
    command: 'harness add … in a file whose last task is arch-2',
    seen: 'eng-2, not arch-3',
    async show(stage) {
      const tasks = [...ONE, getLoopTask('arch-1'), getLoopTask('arch-2')];
      const project = makeLoopProject(stage, tasks);
      const { text } = await project.harness('add', 'More', '--phase', 'engineering', '--validation', 'true');
      assert.match(text, /added task eng-2/);
    },
  },
  {
    id: 'D6.14',
    asked: 'add keeps the rest of the file as it is',
    command: 'harness add …',
    seen: 'only lines were added',
    async show(stage) {
      const project = makeLoopProject(stage, ONE);
      await project.harness('add', 'More', '--validation', 'true');
      const before = getLoopFile(ONE);
      const end = before.lastIndexOf('\n  ]');
      const now = project.read(LOOP_FILE);
      assert.ok(now.length > before.length);
      assert.ok(now.startsWith(before.slice(0, end)) && now.endsWith(before.slice(end)), now);
    },
  },
  {
    id: 'D6.15',
    asked: 'add refuses a phase that there is not',
    command: 'harness add … --phase sales',
    seen: 'exit 2 that names the four',
    async show(stage) {
      const { code, text } = await makeLoopProject(stage, ONE).harness(
        ...['add', 'More', '--phase', 'sales', '--validation', 'true'],
      );
      assert.equal(code, 2, text);
      assert.match(text, /architecture, uiux, engineering, qa/);
    },
  },
  {
    id: 'D6.18',
    asked: 'tasks: the whole graph with states and what each waits for',
    command: 'harness tasks',
    seen: 'both tasks, their states and the edge between them',
    async show(stage) {
      const project = makeLoopProject(stage, [
        getLoopTask('qa-1', { phase: 'qa', dependencies: ['eng-1'] }),
        getLoopTask('eng-1', { status: 'done' }),
      ]);
      const { code, text } = await project.harness('tasks');
      assert.equal(code, 0, text);
      assert.match(text, /eng-1[\s\S]*qa-1[^\n]*← ?eng-1/);
    },
  },
  { id: 'D6.16', asked: 'status: Worker: running (PID n), or its stale pid', later: 'control room' },
  { id: 'D6.17', asked: 'resume starts the worker again', later: 'control room' },
];

function makePaused(stage: Stage): SeedProject {
  const project = makeLoopProject(stage, ONE);
  project.write({ [PAUSE]: '' });
  return project;
}

/** Its agent says that it is there, and waits until it may go on. */
function makeWaiting(stage: Stage, tasks: readonly { readonly id: string }[]): SeedProject {
  const waits = 'touch HERE; for i in $(seq 400); do [ -e GO ] && break; sleep 0.05; done; rm -f HERE GO';
  const moves = tasks.map(
    ({ id }, at) =>
      `  "${id}": [${at === 0 ? `{ run: "${waits}" }, ` : ''}{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`,
  );
  return makeLoopProject(stage, tasks, { 'agent.yaml': `tasks:\n${moves.join('\n')}\n` });
}

/** Once its agent is at work, its tree; null before. */
function findTree({ dir }: SeedProject): string | null {
  const cache = join(dir, '..', 'cache');
  const trees = existsSync(cache) ? readdirSync(cache).map(name => join(cache, name, 'slots/1/tree')) : [];
  return trees.find(tree => existsSync(join(tree, 'HERE'))) ?? null;
}

/** Starts a run, says something while its agent is at work, and lets that go on. */
async function runWith(project: SeedProject, say: () => void) {
  const run = project.start(['run', '--all']);
  const told = { text: '' };
  for (const stream of [run.stdout, run.stderr]) stream?.on('data', part => (told.text += part));
  const ended = once(run, 'exit');
  await until('the agent at work', () => findTree(project) !== null);
  say();
  writeFileSync(join(findTree(project) ?? '', 'GO'), '');
  return { run, told, ended };
}
