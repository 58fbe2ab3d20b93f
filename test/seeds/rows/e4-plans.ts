import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';

const FIRST = `${ACTIVE}/0001-first.md`;
const SECOND = `${ACTIVE}/0002-second.md`;
const TWO = { [FIRST]: getPlan('0001', { depends_on: ['0002'] }), [SECOND]: getPlan('0002') };

/** The graph of plans, and where a plan goes once it has landed. */
export const PLANS: readonly Row[] = [
  {
    id: 'E4.1',
    asked: 'planDir alone makes the backlog',
    command: 'harness status',
    seen: 'two tasks, with their numbers as ids',
    async show(stage) {
      const { text } = await makePlansProject(stage, TWO).harness('status');
      assert.match(text, /0\/2 landed/);
      assert.match(text, /0001: Write 0001/);
    },
  },
  {
    id: 'E4.2',
    asked:
      'every field of the head is known: id, title, phase, status, depends_on, estimated_passes, acceptance_tags',
    command: 'harness validate',
    seen: 'exit 0 without a warning',
    async show(stage) {
      const { code, text } = await makePlansProject(stage, TWO).harness('validate');
      assert.equal(code, 0, text);
      assert.doesNotMatch(text, /warning/);
    },
  },
  ...['active', 'in_progress', 'blocked'].map((status, at) => ({
    id: `E4.${at + 3}`,
    asked: `a plan that is ${status} is to be done`,
    command: 'harness status',
    seen: '0/1 landed',
    show: async (stage: Parameters<typeof makePlansProject>[0]) => {
      const project = makePlansProject(stage, { [FIRST]: getPlan('0001', { status }) });
      assert.match((await project.harness('status')).text, /0\/1 landed/);
    },
  })),
  {
    id: 'E4.6',
    asked: 'a plan waits for those it depends on',
    command: 'harness run --all',
    seen: '0002 lands before 0001',
    async show(stage) {
      const project = makePlansProject(stage, TWO);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.deepEqual(project.git('log', '--reverse', '--format=%s').match(/000\d/g), ['0002', '0001']);
    },
  },
  {
    id: 'E4.7',
    asked: 'a landed plan moves to completedDir, with its status',
    command: 'harness run',
    seen: 'the landing commit moves it, completed, and changes nothing else of it',
    async show(stage) {
      const project = makePlansProject(stage, TWO);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.ok(!project.has(SECOND));
      const wanted = getPlan('0002').replace('status: "active"', 'status: "completed"');
      assert.equal(project.read(`${COMPLETED}/0002-second.md`), wanted);
      assert.equal(project.git('show', `HEAD:${COMPLETED}/0002-second.md`), wanted.trimEnd());
      assert.ok(project.has(FIRST));
    },
  },
  {
    id: 'E4.8',
    asked: 'a dependency on a plan in completedDir is fulfilled',
    command: 'harness run',
    seen: 'the plan lands',
    async show(stage) {
      const done = {
        [`${COMPLETED}/0001-first.md`]: getPlan('0001', { status: 'completed' }),
        'src/0001.txt': 'x',
      };
      const project = makePlansProject(stage, { [SECOND]: getPlan('0002', { depends_on: ['0001'] }) }, done);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match((await project.harness('status')).text, /2\/2 landed/);
    },
  },
  {
    id: 'E4.9',
    asked: 'a dependency on a plan that is nowhere is refused',
    command: 'harness run',
    seen: 'exit 2',
    async show(stage) {
      const project = makePlansProject(stage, { [SECOND]: getPlan('0002', { depends_on: ['0001'] }) });
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /names 0001, but no plan has that id/);
    },
  },
  {
    id: 'E4.10',
    asked: 'the last plan lands as well, and leaves the folder empty',
    command: 'harness run --all; harness status',
    seen: 'everything is landed, no plan is left in planDir, and audit finds the proofs',
    async show(stage) {
      const project = makePlansProject(stage, TWO);
      assert.equal((await project.harness('run', '--all')).code, 0);
      assert.equal(project.git('ls-files', ACTIVE), '');
      assert.match((await project.harness('status')).text, /2\/2 landed \(100%\)/);
      const { code, text } = await project.harness('audit');
      assert.equal(code, 0, text);
    },
  },
  {
    id: 'E4.11',
    asked: 'a plan that is not proven stays where it is',
    command: 'harness run with an agent that lies',
    seen: 'planDir as it was, nothing in completedDir',
    async show(stage) {
      const lies = { 'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n' };
      const project = makePlansProject(stage, { [FIRST]: getPlan('0001') }, lies);
      await project.harness('run', '--all');
      assert.equal(project.read(FIRST), getPlan('0001'));
      assert.ok(!project.has(COMPLETED));
    },
  },
  {
    id: 'E4.12',
    asked: 'an agent that moves its plan itself only claims it',
    command: 'harness run with an agent that moves its plan',
    seen: 'with the work it lands; without it, it does not',
    async show(stage) {
      const move = `{ run: "mkdir -p ${COMPLETED} && git mv ${FIRST} ${COMPLETED}/0001-first.md" }`;
      const agent = (work: string) => ({
        'agent.yaml': `tasks: { "0001": [${work}${move}, { claim: done }] }\n`,
      });
      const honest = makePlansProject(
        ...([
          stage,
          { [FIRST]: getPlan('0001') },
          agent('{ edit: { file: src/0001.txt, content: x } }, '),
        ] as const),
      );
      const { code, text } = await honest.harness('run');
      assert.equal(code, 0, text);
      const liar = makePlansProject(stage, { [FIRST]: getPlan('0001') }, agent(''));
      assert.notEqual((await liar.harness('run')).code, 0);
      assert.ok(liar.has(FIRST));
    },
  },
  {
    id: 'E4.13',
    asked: 'without completedDir a plan stays, and is marked',
    command: 'harness run',
    seen: 'status: completed in planDir',
    async show(stage) {
      const file = 'plans/0001-first.md';
      const project = makePlansProject(stage, { [file]: getPlan('0001') }, {}, { planDir: 'plans' });
      assert.equal((await project.harness('run')).code, 0);
      assert.equal(project.read(file), getPlan('0001').replace('status: "active"', 'status: "completed"'));
    },
  },
  {
    id: 'E4.17',
    asked: 'the folders need not be named where they have their usual names',
    command: 'harness run',
    seen: 'docs/exec-plans/completed has the plan',
    async show(stage) {
      const project = makePlansProject(stage, { [FIRST]: getPlan('0001') }, {}, { planDir: undefined });
      assert.equal((await project.harness('run')).code, 0);
      assert.ok(project.has(`${COMPLETED}/0001-first.md`));
    },
  },
  {
    id: 'E4.14',
    asked: 'a new plan has a number that no completed one has',
    command: 'harness add …',
    seen: '0002-….md beside a completed 0001',
    async show(stage) {
      const done = {
        [`${COMPLETED}/0001-first.md`]: getPlan('0001', { status: 'completed' }),
        'src/0001.txt': 'x',
      };
      const project = makePlansProject(stage, {}, done);
      const { code, text } = await project.harness('add', 'More', '--validation', 'true');
      assert.equal(code, 0, text);
      assert.ok(project.has(`${ACTIVE}/0002-more.md`), text);
    },
  },
  { id: 'E4.15', asked: 'a plan moves when its pull request is merged', later: 'GitHub' },
  { id: 'E4.16', asked: 'a blocked plan is left aside until it is unblocked', later: 'control room' },
];
