import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FEATURES, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';
import { CONCURRENT, getLanded, runTogether } from '../together.ts';

const APART = FEATURES.slice(0, 2).map(({ depends_on: _, ...feature }) => feature);

/** Several runs on one project: who has what, where each works, and what becomes of a dead one's work. */
export const TOGETHER: readonly Row[] = [
  {
    id: 'A6.1',
    asked: 'a task is claimed by one worker, under the lock',
    command: 'two times harness run --all, with concurrency_mode: concurrent',
    seen: 'both end with 0; every task was begun once and is in the history once',
    async show(stage) {
      const project = stage.project({ ...CONCURRENT, 'features.json': getBacklog(FEATURES.slice(0, 2)) });
      for (const { code, text } of await runTogether(project, 2)) assert.equal(code, 0, text);
      assert.deepEqual(getLanded(project), ['1', '2']);
      assert.deepEqual(
        project
          .log()
          .match(/Starting \[\w+\]/g)
          ?.sort(),
        ['Starting [1]', 'Starting [2]'],
      );
    },
  },
  {
    id: 'A6.2',
    asked: 'every worker has a worktree of its own',
    command: 'two runs whose agents say where they are',
    seen: 'two folders, neither of them the checkout',
    async show(stage) {
      const project = await sayWhere(stage);
      const [one, two] = ['1', '2'].map(id =>
        readFileSync(join(project.dir, '..', `where-${id}`), 'utf8').trim(),
      );
      assert.notEqual(one, two);
      assert.ok(![one, two].includes(project.dir));
    },
  },
  {
    id: 'A6.3',
    asked: 'work lands on a base that another worker has moved',
    command: 'the same, then harness audit',
    seen: 'both tasks on the branch, each as it was judged, with a proof that holds',
    async show(stage) {
      const project = await sayWhere(stage);
      assert.deepEqual(getLanded(project), ['1', '2']);
      const merges = project.git(
        'log',
        '--merges',
        '--format=%s %(trailers:key=Harness-Batch,valueonly)',
        'main',
      );
      for (const merge of merges.split('\n').filter(Boolean)) assert.match(merge, /^Merge .* \d+$/);
      const { code, text } = await project.harness('audit');
      assert.equal(code, 0, text);
    },
  },
  {
    id: 'A6.4',
    asked: 'what a dead worker held is taken over',
    command: 'kill -9 of a run whose agent is at work, then harness run --all',
    seen: 'the task goes on in the next run and lands once',
    async show(stage) {
      const project = stage.project({ ...CONCURRENT, ...HANGS });
      const first = project.start(['run']);
      await waitFor(() => isAtWork(project));
      first.kill('SIGKILL');
      await once(first, 'exit');
      project.commit(WORKS);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.deepEqual(getLanded(project), ['1']);
    },
  },
  {
    id: 'A6.5',
    asked: 'HARNESS_WORKER_ID names a worker',
    command: 'HARNESS_WORKER_ID=alpha harness run, harness status --json',
    seen: 'the active task is held by alpha and a part of its own',
    async show(stage) {
      const project = stage.project({ ...CONCURRENT, ...HANGS });
      const run = project.start(['run'], { HARNESS_WORKER_ID: 'alpha' });
      await waitFor(() => isAtWork(project));
      const { active } = await project.json<{ active: readonly { worker: string }[] }>('status');
      run.kill('SIGKILL');
      await once(run, 'exit');
      assert.match(active[0]?.worker ?? '', /^alpha-\w+$/);
    },
  },
  {
    id: 'A6.6',
    asked: 'HARNESS_WORKER_ID that cannot be a name',
    command: 'HARNESS_WORKER_ID="a b" harness run',
    seen: 'exit 2, with the variable and what it takes',
    async show(stage) {
      const { code, text } = await stage.project().harnessIn({ HARNESS_WORKER_ID: 'a b' }, 'run');
      assert.equal(code, 2, text);
      assert.match(text, /HARNESS_WORKER_ID[\s\S]*letters/);
    },
  },
  {
    id: 'A6.7',
    asked: 'HARNESS_STATE_ROOT is the folder whose state every worker shares',
    command: 'git worktree add, then HARNESS_STATE_ROOT=<checkout> harness run --all there',
    seen: 'what was done there is in the status of the checkout, with and without the variable',
    async show(stage) {
      const config = `${CONCURRENT['.harness.yaml']}git: { base_branch: main }\n`;
      const project = stage.project({ ...ONE, '.harness.yaml': config });
      project.git('worktree', 'add', '-q', '../second', '-b', 'second');
      const env = { cwd: '../second', HARNESS_STATE_ROOT: project.dir };
      const run = await project.harnessIn(env, 'run', '--all');
      assert.equal(run.code, 0, run.text);
      for (const more of [{}, { HARNESS_STATE_ROOT: project.dir }]) {
        const { out } = await project.harnessIn(more, 'status', '--json');
        assert.equal(JSON.parse(out).counts.landed, 1);
      }
    },
  },
  {
    id: 'A6.8',
    asked: 'HARNESS_STATE_ROOT in another clone',
    command: 'git clone, then HARNESS_STATE_ROOT=<checkout> harness status there',
    seen: 'exit 2: its commits are not here; worktrees share the state',
    async show(stage) {
      const project = stage.project();
      project.git('clone', '-q', '.', '../clone');
      const env = { cwd: '../clone', HARNESS_STATE_ROOT: project.dir };
      const { code, text } = await project.harnessIn(env, 'status');
      assert.equal(code, 2, text);
      assert.match(text, /HARNESS_STATE_ROOT[\s\S]*git worktree add/);
    },
  },
  {
    id: 'A6.12',
    asked: 'a worktree on another branch does not mix that branch into the records it shares',
    command:
      'harness run; git worktree add -b second; harness run --all there, plain, with HARNESS_BASE_BRANCH=main, with its own',
    seen: 'exit 2 that names both branches and the setting, nothing on either; with a name it lands there',
    async show(stage) {
      const project = stage.project();
      const first = await project.harness('run');
      assert.equal(first.code, 0, first.text);
      project.git('worktree', 'add', '-q', '../second', '-b', 'second');
      const before = project.git('for-each-ref', 'refs/heads');
      const refused = await project.harnessIn({ cwd: '../second' }, 'run');
      assert.equal(refused.code, 2, refused.text);
      assert.match(refused.text, /is on second, and shares its records with \S+, which is on main/);
      assert.match(refused.text, /git\.base_branch[\s\S]*base_branch: main/);
      assert.equal(project.git('for-each-ref', 'refs/heads'), before);
      const named = await project.harnessIn({ cwd: '../second', HARNESS_BASE_BRANCH: 'main' }, 'run');
      assert.equal(named.code, 0, named.text);
      assert.match(project.git('log', '-1', '--format=%s', 'main'), /Thing 2/);
      assert.equal((await project.harnessIn({ cwd: '../second' }, 'status')).code, 0);
    },
  },
  {
    id: 'A6.9',
    asked: 'claimed_by and lease_expires_at in the task, renewed at each checkpoint',
    later: 'workers',
  },
  {
    id: 'A6.10',
    asked: 'HARNESS_STATE_ROOT pins the records for other clones, on several machines',
    later: 'workers',
  },
  { id: 'A6.11', asked: 'a living claim of another worker in the file is respected', later: 'workers' },
];

const ONE = { 'features.json': getBacklog(FEATURES.slice(0, 1)) };
const HANGS = { ...ONE, 'agent.yaml': 'tasks: { "1": [{ hang: true }] }\n' };
const WORKS = {
  'agent.yaml': 'tasks: { "1": [{ edit: { file: src/1.txt, content: "1" } }, { claim: done }] }\n',
};

/** Two agents in two runs, each of which waits until it has seen the other's note on where it is. */
async function sayWhere(stage: Stage): Promise<SeedProject> {
  const project = stage.project({ ...CONCURRENT, 'features.json': getBacklog(APART) });
  const notes = join(project.dir, '..', 'where-');
  const getSteps = (id: number, other: number): string => {
    const run = `pwd > ${notes}${id}; for i in $(seq 200); do [ -e ${notes}${other} ] && break; sleep 0.05; done`;
    return `  "${id}": [{ run: ${JSON.stringify(run)} }, { edit: { file: src/${id}.txt, content: "${id}" } }, { claim: done }]\n`;
  };
  project.commit({ 'agent.yaml': `tasks:\n${getSteps(1, 2)}${getSteps(2, 1)}` });
  for (const { code, text } of await runTogether(project, 2)) assert.equal(code, 0, text);
  return project;
}

function isAtWork(project: SeedProject): boolean {
  return project.has('.harness/logs/harness-progress.txt') && /Starting \[1\]/.test(project.log());
}

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let left = 400; left > 0; left -= 1) {
    if (isThere()) return;
    await sleep(50);
  }
  throw new Error('the run did not begin its first task');
}
