import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { CONFIG, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { until } from '../poll.ts';
import {
  answer,
  countSessions,
  done,
  expectCode,
  getAsked,
  getInbox,
  getTask,
  small,
} from '../small-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

const LIE = '[{ lie: done }]';

/** Ten kinds of questions that the harness asks by itself, and what each answer does. */
export const ESCALATIONS: readonly Row[] = [
  {
    id: 'C17.1',
    asked: '1. a feature that is stuck for three sessions: split, manual, skip, abort (and retry)',
    command: 'harness run --all with an agent that crashes three times',
    seen: 'the question, exit 7; retry goes on from the files',
    async show(stage) {
      const crash = '[{ edit: { file: src/half.txt, content: x } }, { crash: oops }]';
      const agent = { 1: `{ attempts: [${crash}, ${crash}, ${crash}, ${done(1)}] }` };
      const project = small(stage, { tasks: [{ id: 1, max_attempts: 9 }], agent });
      expectCode(await project.harness('run', '--all'), 7);
      const { id, what } = await getAsked(project, 'stuck', 'retry split manual skip abort');
      assert.match(what, /did not get done in 3 sessions/);
      await answer(project, id, 'retry');
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.2',
    asked: '2. a claim that verification refuses is asked about, where that is wanted',
    command: 'harness run with escalation.on_rejected: ask',
    seen: 'retry, manual, skip, abort; without the setting it is tried again',
    async show(stage) {
      const make = (config: string) => small(stage, { tasks: [{ id: 1 }], agent: { 1: LIE }, config });
      const asks = make('escalation: { on_rejected: ask }\n');
      expectCode(await asks.harness('run'), 7);
      await getAsked(asks, 'rejected', 'retry manual skip abort');
      const tries = make('');
      expectCode(await tries.harness('run'), 5);
      assert.deepEqual(await getInbox(tries), []);
    },
  },
  {
    id: 'C17.3',
    asked: '3. previously passing tests that fail now stop the run, with what fails',
    command: 'harness run after a commit that breaks a test of no task',
    seen: 'exit 7 before an agent is paid, and all the options',
    async show(stage) {
      const project = await breakBase(stage);
      const { what } = await getAsked(
        project,
        'regression',
        'retry rollback investigate manual proceed abort',
      );
      assert.match(what, /sh test\/all\.sh/);
      assert.equal(await countSessions(project), 1);
    },
  },
  {
    id: 'C17.4',
    asked: '3. rollback or a fix by hand: the next run looks again',
    command: 'harness answer regression-… rollback, harness run, git revert, harness run',
    seen: 'asked again while it is red; lands once it is green',
    async show(stage) {
      const project = await breakBase(stage);
      const { id } = await getAsked(project, 'regression', 'retry rollback investigate manual proceed abort');
      await answer(project, id, 'rollback');
      expectCode(await project.harness('run'), 7);
      project.git('revert', '--no-edit', 'HEAD');
      expectCode(await project.harness('run'), 0);
      assert.deepEqual(await getInbox(project), []);
    },
  },
  {
    id: 'C17.5',
    asked: '3. retry runs a session that repairs it, before anything else',
    command: 'harness answer regression-… retry, harness run --all',
    seen: 'the repair lands first, then the tasks',
    async show(stage) {
      const project = await breakBase(stage);
      const { id } = await getAsked(project, 'regression', 'retry rollback investigate manual proceed abort');
      await answer(project, id, 'retry');
      expectCode(await project.harness('run', '--all'), 0);
      const [last, first] = project.git('log', '-2', '--format=%s').split('\n');
      assert.match(
        `${first}; ${last}`,
        /^Make what a change to the base broke pass again.*; Thing 2 exists$/,
      );
    },
  },
  {
    id: 'C17.6',
    asked: '3. investigate waits for a person, proceed lives with it',
    command: 'harness answer regression-… proceed, harness run --all',
    seen: 'work goes on beside the red test, and it is not asked about again',
    async show(stage) {
      const project = await breakBase(stage);
      const { id } = await getAsked(project, 'regression', 'retry rollback investigate manual proceed abort');
      await answer(project, id, 'proceed');
      expectCode(await project.harness('run', '--all'), 0);
      assert.deepEqual(await getInbox(project), []);
    },
  },
  {
    id: 'C17.7',
    asked: '4. repeated failures: retry, skip, manual, abort',
    command: 'harness run --all with an agent that lies three times',
    seen: 'the question after the third; manual makes it yours',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }], agent: { 1: LIE } });
      expectCode(await project.harness('run', '--all'), 7);
      const { id } = await getAsked(project, 'attempts', 'retry skip manual abort');
      assert.match((await answer(project, id, 'manual')).out, /task 1 is yours/);
      assert.match(project.git('branch', '--list'), /harness\/handoff\/1/);
    },
  },
  {
    id: 'C17.8',
    asked: '5. an app that is still broken after the fix attempt: retry, rollback, manual, abort',
    command: 'harness run with an environment.init that fails and a reset that does not help',
    seen: 'the question, exit 1; it goes once the ground is firm',
    async show(stage) {
      const { project, ok } = await makeBroken(stage, 'true');
      expectCode(await project.harness('run'), 1);
      await getAsked(project, 'sanity', 'retry rollback manual abort');
      project.write({ [ok]: '' });
      expectCode(await project.harness('run', '--all'), 0);
      assert.deepEqual(await getInbox(project), []);
    },
  },
  {
    id: 'C17.9',
    asked: '6. reset.sh failed: manual, abort',
    command: 'harness run with an environment.reset that fails',
    seen: 'the question, exit 1',
    async show(stage) {
      const { project } = await makeBroken(stage, 'exit 3');
      expectCode(await project.harness('run'), 1);
      await getAsked(project, 'reset', 'manual abort');
    },
  },
  {
    id: 'C17.10',
    asked: '7. a session over its budget: increase, pause, abort',
    command: 'harness run with costs.per_session_usd: 2 and a session of $4',
    seen: 'the question before another session is paid; increase goes on',
    async show(stage) {
      const agent = { 1: `{ attempts: [${done(1, '{ burn: { cost_usd: 4 } }, ')}, ${done(1)}] }` };
      const project = small(stage, { tasks: [{ id: 1 }], agent, config: 'costs: { per_session_usd: 2 }\n' });
      expectCode(await project.harness('run', '--all'), 7);
      const { id, what } = await getAsked(project, 'budget', 'increase proceed pause abort');
      assert.equal(what, 'Session 1 cost $4.00, and a session may cost $2.');
      assert.equal(await countSessions(project), 1);
      await answer(project, id, 'increase', '--text', '$9');
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.11',
    asked: '7. a feature and a project over their budget: increase, pause, abort',
    command: 'harness run --all with costs.total_project_usd: 3 and $4 spent, harness answer budget-3 pause',
    seen: 'exit 6 and the question; pause waits for harness resume',
    async show(stage) {
      const agent = { 1: done(1, '{ burn: { cost_usd: 4 } }, ') };
      const config = 'costs: { total_project_usd: 3, per_session_usd: 9 }\n';
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], agent, config });
      expectCode(await project.harness('run', '--all'), 6);
      const { id } = await getAsked(project, 'budget', 'increase pause abort');
      await answer(project, id, 'pause');
      assert.match((await project.harness('status')).out, /Paused: .*by Ada/);
      expectCode(await project.harness('run', '--all'), 7);
    },
  },
  {
    id: 'C17.12',
    asked: '7. the question goes once the configuration allows more',
    command: 'harness run --all, costs.total_project_usd: 30, harness inbox, harness run --all',
    seen: 'no open question, everything is landed',
    async show(stage) {
      const agent = { 1: done(1, '{ burn: { cost_usd: 4 } }, ') };
      const config = 'costs: { total_project_usd: 3, per_session_usd: 9 }\n';
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], agent, config });
      expectCode(await project.harness('run', '--all'), 6);
      project.commit({ '.harness.yaml': `${CONFIG}costs: { total_project_usd: 30 }\n` });
      assert.deepEqual(await getInbox(project), []);
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.13',
    asked: '8. a dependency cycle: edit, skip both, abort; also in the first backlog there is',
    command: 'harness run --all with tasks 2 and 3 that wait for each other',
    seen: 'task 1 lands, the others are asked about once',
    async show(stage) {
      const knot = [{ id: 1 }, { id: 2, depends_on: [3] }, { id: 3, depends_on: [2] }];
      const project = small(stage, { tasks: knot });
      expectCode(await project.harness('run', '--all'), 7);
      assert.equal((await getTask(project, 1)).status, 'landed');
      const { id } = await getAsked(project, 'cycle', 'edit skip abort');
      assert.equal(project.log().match(/ESCALATION cycle/g)?.length, 1);
      await answer(project, id, 'skip');
      assert.match((await project.harness('status')).out, /\[blocked\] +2: .*\n.*\[blocked\] +3: /);
    },
  },
  {
    id: 'C17.14',
    asked: '8. edit: the question goes with the cycle',
    command: 'harness run --all, a commit that takes a dependency out, harness run --all',
    seen: 'everything is landed',
    async show(stage) {
      const project = small(stage, {
        tasks: [
          { id: 2, depends_on: [3] },
          { id: 3, depends_on: [2] },
        ],
      });
      expectCode(await project.harness('run', '--all'), 7);
      const open = [2, 3].map(id => ({
        id,
        description: `Thing ${id} exists`,
        test_file: `test/thing-${id}.sh`,
      }));
      project.commit({ 'features.json': getBacklog(open) });
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.15',
    asked: '9. all features claim to be done but tests fail: reset false positives, investigate, abort',
    command: 'harness run --all with a task that was marked by hand and never done',
    seen: 'exit 7; reset opens that task again, and it lands with a proof',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, passes: true }, { id: 2 }] });
      expectCode(await project.harness('run', '--all'), 7);
      const { id } = await getAsked(project, 'all-done-red', 'reset retry investigate proceed abort');
      await answer(project, id, 'reset');
      assert.equal((await getTask(project, 1)).status, 'pending');
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.16',
    asked: '9. red all along is red: investigate keeps the exit code, proceed accepts it',
    command: 'harness run --all with a suite that never was green',
    seen: '7, after investigate 5, after proceed 0',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }], files: { 'test/all.sh': 'exit 1\n' } });
      expectCode(await project.harness('run', '--all'), 7);
      const first = await getAsked(project, 'all-done-red', 'retry investigate proceed abort');
      await answer(project, first.id, 'investigate');
      expectCode(await project.harness('run', '--all'), 5);
      project.commit({ 'notes.md': 'known\n' });
      expectCode(await project.harness('run', '--all'), 7);
      const second = await getAsked(project, 'all-done-red', 'retry investigate proceed abort');
      await answer(project, second.id, 'proceed');
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C17.17',
    asked: '10. a large feature: split, proceed anyway, skip',
    command: 'harness run with a task of eight steps, harness answer large-1-0 split',
    seen: 'the question before a session is paid; split waits for harness split',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, verification_steps: [...'12345678'] }] });
      expectCode(await project.harness('run'), 7);
      assert.equal(await countSessions(project), 0);
      const { id } = await getAsked(project, 'large', 'split proceed skip');
      assert.match((await answer(project, id, 'split')).out, /next: harness split 1/);
      assert.match((await project.harness('status')).out, /\[blocked\] +1: .*harness split 1/);
    },
  },
  {
    id: 'C17.18',
    asked: '[A]bort stops every run',
    command: 'harness answer attempts-1-1 abort beside a run',
    seen: 'the run ends after its attempt',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1, max_attempts: 1 }, { id: 2 }, { id: 3 }],
        agent: { 1: LIE },
        config: 'sandbox: { mode: "off" }\n',
      });
      const go = join(project.dir, '..', 'go');
      const waits = done(2, `{ run: "while ! test -f '${go}'; do sleep 0.1; done" }, `);
      const script = `tasks: { "1": ${LIE}, "2": ${waits}, "3": ${done(3)} }\n`;
      project.commit({ 'agent.yaml': script });
      const child = project.start(['run', '--all']);
      const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
      const begun = () => project.harness('log', '--task', '2', '--type', 'session.started', '--json');
      await until('task 2 is begun', async () => (await begun()).out.includes('session.started'));
      expectCode(await answer(project, '1', 'abort'), 0);
      project.write({ '../go': '' });
      assert.notEqual(await ended, 0);
      assert.equal((await getTask(project, 2)).status, 'landed');
      assert.equal((await getTask(project, 3)).status, 'pending');
    },
  },
];

/** A landed task, and a commit from outside that broke a test which no task owns. */
async function breakBase(stage: Stage): Promise<SeedProject> {
  const repair =
    '[{ edit: { file: src/fixed.txt, content: x } }, { say: TASK_COMPLETE }, { claim: TASK_COMPLETE }]';
  const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], agent: { 'loop-1': repair } });
  expectCode(await project.harness('run'), 0);
  project.commit({ 'test/all.sh': 'test -f src/fixed.txt\n' });
  expectCode(await project.harness('run', '--all'), 7);
  return project;
}

/** An environment that starts only once a file beside the project is there. */
async function makeBroken(stage: Stage, reset: string) {
  const project = small(stage, { tasks: [{ id: 1 }] });
  const ok = join(dirname(project.dir), 'ok');
  const environment = `environment: { init: "test -e ${ok}", reset: "${reset}" }\n`;
  project.commit({ '.harness.yaml': `${CONFIG}sandbox: { services: ["${ok}"] }\n${environment}` });
  return { project, ok: '../ok' };
}
