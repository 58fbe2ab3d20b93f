import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { answer, countSessions, expectCode, getAsked, getTask, small } from '../small-project.ts';

/** The order of tasks, and what happens when what one builds on breaks or is left out. */
export const DEPENDENCIES: readonly Row[] = [
  {
    id: 'C25.1',
    asked: 'a feature is taken once all it depends on pass, the lowest id first',
    command: 'harness next, harness run --all',
    seen: '1, 3, 2, as the graph says',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 2, depends_on: [3] }, { id: 3, depends_on: [1] }, { id: 1 }],
      });
      assert.match((await project.harness('next')).out, /^Task 1:/);
      expectCode(await project.harness('run', '--all'), 0);
      assert.equal(
        project.git('log', '-3', '--format=%s').replaceAll('\n', '; '),
        'Thing 2 exists; Thing 3 exists; Thing 1 exists',
      );
    },
  },
  {
    id: 'C25.2',
    asked: 'a priority goes before the id',
    command: 'harness next',
    seen: 'task 2',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2, priority: 0 }] });
      assert.match((await project.harness('next')).out, /^Task 2:/);
    },
  },
  {
    id: 'C25.3',
    asked: 'a dependency that does not exist is named',
    command: 'harness run with depends_on: [9]',
    seen: 'exit 2 with task and field; nothing is started',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, depends_on: [9] }] });
      const refused = await project.harness('run');
      expectCode(refused, 2);
      assert.match(refused.err, /depends_on[\s\S]*9/);
    },
  },
  {
    id: 'C25.4',
    asked: 'a dependency that regresses is open again and comes first; what builds on it waits',
    command: 'git rm of what task 1 made, harness run --max-sessions 1',
    seen: 'task 1 is repaired before an agent is set on task 2',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2, depends_on: [1] }] });
      await project.harness('run');
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      const ran = await project.harness('run');
      assert.match(ran.err, /task 1 is open again/);
      assert.equal((await getTask(project, 1)).status, 'landed', ran.text);
      assert.notEqual((await getTask(project, 2)).status, 'landed');
      assert.equal(await countSessions(project), 2);
    },
  },
  {
    id: 'C25.5',
    asked: 'who mends it first need not be paid for',
    command: 'git rm, git revert, harness run',
    seen: 'the next task lands; nothing is repaired twice',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      await project.harness('run');
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      await project.harness('audit', '--rerun');
      project.git('revert', '--no-edit', 'HEAD');
      expectCode(await project.harness('run'), 0);
      assert.equal((await getTask(project, 2)).status, 'landed');
      assert.equal(await countSessions(project), 2);
    },
  },
  {
    id: 'C25.6',
    asked: 'a skipped dependency: what waits for it is asked about',
    command: 'harness skip 1, harness run --all',
    seen: 'exit 7 and the question with override, retry, wait',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2, depends_on: [1] }] });
      await project.harness('skip', '1', '--reason', 'later');
      expectCode(await project.harness('run', '--all'), 7);
      const { what } = await getAsked(project, 'skipped', 'override retry wait abort');
      assert.match(what, /1 task behind it cannot begin: 2/);
    },
  },
  {
    id: 'C25.7',
    asked: 'skip and unblock the dependants',
    command: 'harness answer skipped-1-0 override, harness run --all',
    seen: 'task 1 counts as done, UNPROVEN, and task 2 lands',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2, depends_on: [1] }] });
      await project.harness('skip', '1', '--reason', 'later');
      await project.harness('run', '--all');
      const { id } = await getAsked(project, 'skipped', 'override retry wait abort');
      await answer(project, id, 'override');
      await project.harness('run', '--all');
      assert.equal((await getTask(project, 2)).status, 'landed');
      assert.match((await project.harness('status')).out, /1: .*UNPROVEN by the word of Ada/);
    },
  },
];
