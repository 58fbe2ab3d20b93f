import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { countSessions, done, expectCode, getAsked, getTask, small } from '../small-project.ts';

/** What keeps a run from going round in circles. */
export const DEAD_LOOPS: readonly Row[] = [
  {
    id: 'D4.1',
    asked: 'a task that fails three times is blocked, and the others go on',
    command: 'harness run --all with an agent that lies',
    seen: 'three sessions, the question, the other task landed',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], agent: { 1: '[{ give_up: no idea }]' } });
      expectCode(await project.harness('run', '--all'), 7);
      await getAsked(project, 'attempts', 'retry skip manual abort');
      assert.equal((await getTask(project, 2)).status, 'landed');
      assert.equal(await countSessions(project), 4);
    },
  },
  {
    id: 'D4.2',
    asked: 'two rounds without progress end the run',
    command: 'harness run --all with convergence.stale_rounds: 1',
    seen: 'no progress, and why; not every attempt is paid',
    async show(stage) {
      const tasks = [{ id: 1, max_attempts: 9 }];
      const config = 'convergence: { stale_rounds: 1 }\n';
      const project = small(stage, { tasks, agent: { 1: '[{ give_up: no idea }]' }, config });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 5);
      assert.match(ran.out, /no progress: the same tasks fail for the same reasons/);
      assert.equal(await countSessions(project), 2);
    },
  },
  {
    id: 'D4.3',
    asked: 'so many attempts that land nothing end the run',
    command: 'harness run --all with convergence.max_iterations: 1',
    seen: 'exit 5 after one',
    async show(stage) {
      const tasks = [{ id: 1, max_attempts: 9 }];
      const config = 'convergence: { max_iterations: 1 }\n';
      const project = small(stage, { tasks, agent: { 1: '[{ give_up: no idea }]' }, config });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 5);
      assert.match(ran.out, /too many attempts landed nothing/);
      assert.equal(await countSessions(project), 1);
    },
  },
  {
    id: 'D4.4',
    asked: 'a stop file is heeded between two tasks, and taken away',
    command: 'touch .harness/signals/stop in the first session of harness run --all',
    seen: 'the first task lands, the second is not begun',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], config: 'sandbox: { mode: "off" }\n' });
      const touch = `{ run: "mkdir -p '${project.dir}/.harness/signals' && touch '${project.dir}/.harness/signals/stop'" }, `;
      project.commit({ 'agent.yaml': `tasks: { "1": ${done(1, touch)}, "2": ${done(2)} }\n` });
      const ran = await project.harness('run', '--all');
      assert.match(ran.out, /1 landed, 0 rejected; stopped on request/);
      assert.equal((await getTask(project, 2)).status, 'pending');
      assert.equal(project.has('.harness/signals/stop'), false);
    },
  },
  { id: 'D4.5', asked: 'bugs of QA become fix tasks, so many and no more', later: 'phases' },
];
