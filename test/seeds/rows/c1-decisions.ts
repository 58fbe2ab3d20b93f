import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
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

const LOOK = { id: 1, verification_type: 'manual', manual_checks: ['the button is blue'] };
const LIES = { 3: '[{ lie: done }]' };

/** What a person decides about a task, and what they are asked. */
export const DECISIONS: readonly Row[] = [
  {
    id: 'C1.1',
    asked: 'skip --feature N --reason leaves a problematic feature out, and the next one is taken',
    command: 'harness skip --feature 1 --reason "…", harness run',
    seen: 'task 1 is blocked with the reason; task 2 lands',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      const { out } = await project.harness('skip', '--feature', '1', '--reason', 'an outside API');
      assert.match(out, /task 1 is skipped; the other tasks continue/);
      expectCode(await project.harness('run'), 0);
      assert.match((await project.harness('status')).out, /\[blocked\] +1: .*an outside API/);
      assert.equal((await getTask(project, 2)).status, 'landed');
    },
  },
  {
    id: 'C1.2',
    asked: 'skip says why what builds on it waits, and names the way on',
    command: 'harness skip 1 where 2 depends on it',
    seen: 'task 2 and harness override',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2, depends_on: [1] }] });
      const { out } = await project.harness('skip', '1', '--reason', 'later');
      assert.match(out, /waiting for it: 2 \(they would build on what is not there\)/);
      assert.match(out, /harness override 1 --reason/);
    },
  },
  {
    id: 'C1.3',
    asked: 'what was skipped can be brought back',
    command: 'harness skip 1, harness reset --feature 1, harness run',
    seen: 'task 1 lands',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }] });
      await project.harness('skip', '1', '--reason', 'later');
      expectCode(await project.harness('reset', '--feature', '1'), 0);
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C1.4',
    asked:
      'override --feature N --passes true marks a feature as done, with a warning that nothing verifies it',
    command: 'harness override --feature 3 --passes true --reason "…", harness run --task 3',
    seen: 'the warning; passes: true in the commit, which says UNPROVEN for good',
    async show(stage) {
      const project = stage.project();
      const warned = await project.harness(
        'override',
        '--feature',
        '3',
        '--passes',
        'true',
        '--reason',
        'seen by eye',
        '--by',
        'Ada',
      );
      assert.match(warned.err, /WARNING: nothing proves task 3/);
      await project.harness('skip', '2', '--reason', 'later');
      await project.harness('run', '--task', '3');
      assert.match(project.git('log', '-1', '--format=%B'), /Harness-Unproven: Ada: seen by eye/);
      assert.match(project.git('show', 'HEAD:features.json'), /"id": 3[\s\S]*"passes": true/);
      assert.match((await project.harness('status')).out, /3: .*UNPROVEN by the word of Ada: seen by eye/);
    },
  },
  {
    id: 'C1.5',
    asked: 'override asks "Are you sure? [y/N]" at a terminal',
    command: 'harness override --feature 3 --passes true at a terminal, answered n, then y',
    seen: 'n: exit 3 and nothing recorded; y: recorded',
    async show(stage) {
      const project = stage.project();
      const no = await project.terminal('override --feature 3 --passes true', ['Are you sure? [y/N]', 'n']);
      assert.equal(no.code, 3, no.text);
      assert.doesNotMatch((await project.harness('status')).out, /UNPROVEN/);
      const yes = await project.terminal(
        'override --feature 3 --passes true',
        ['[y/N]', 'y'],
        ['Reason', 'seen'],
      );
      assert.equal(yes.code, 0, yes.text);
      assert.match((await project.harness('status')).out, /3: .*UNPROVEN/);
    },
  },
  {
    id: 'C1.6',
    asked: 'override --passes false takes a done feature back',
    command: 'harness run, harness override --feature 1 --passes false --reason "…", harness next',
    seen: 'task 1 is OPEN AGAIN and comes first, although its own test is green',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      await project.harness('run');
      await project.harness('override', '--feature', '1', '--passes', 'false', '--reason', 'too slow');
      assert.match((await project.harness('status')).out, /1: .*OPEN AGAIN/);
      assert.match((await project.harness('next')).out, /^Task 1:/);
      await project.harness('run');
      assert.notEqual((await getTask(project, 1)).status, 'landed');
    },
  },
  {
    id: 'C1.19',
    asked: 'a feature that was taken back and given again is not offered to an agent',
    command: 'override --passes false, then true; harness next, status, run --dry-run, run, next',
    seen: 'what a person said, and no agent; after the run the next feature',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      await project.harness('run');
      for (const passes of ['false', 'true'])
        await project.harness(
          'override',
          '--feature',
          '1',
          '--passes',
          passes,
          '--reason',
          'seen',
          '--by',
          'Ada',
        );
      const { out } = await project.harness('next');
      assert.match(
        out,
        /^Why next: .*it counts as done, unproven, by the word of Ada; no agent works on it$/m,
      );
      assert.doesNotMatch(out, /^Attempt:/m);
      assert.match(
        (await project.harness('status')).out,
        /^Next: .*task 1: .*\(no agent: it counts as done/m,
      );
      assert.match((await project.harness('run', '--dry-run')).out, /^Would start no agent on task 1/m);
      expectCode(await project.harness('run'), 0);
      assert.equal(await countSessions(project), 1);
      assert.match((await project.harness('next')).out, /^Task 2:[\s\S]*^Attempt:/m);
      assert.match((await project.harness('run', '--dry-run')).out, /^Would run session \d on task 2/m);
    },
  },
  {
    id: 'C1.7',
    asked: 'manual-verify --feature N shows what to verify',
    command: 'harness run, harness manual-verify --feature 1',
    seen: 'the checks and both ways on; exit 7',
    async show(stage) {
      const project = small(stage, { tasks: [LOOK] });
      await project.harness('run');
      const shown = await project.harness('manual-verify', '--feature', '1');
      expectCode(shown, 7);
      assert.match(
        shown.out,
        /look at: the button is blue[\s\S]*harness approve 1 {3}or {3}harness approve 1 --send-back/,
      );
    },
  },
  {
    id: 'C1.8',
    asked: 'manual-verify asks [y/n] at a terminal; y is recorded and it lands',
    command: 'harness manual-verify --feature 1 at a terminal, answered y, harness run',
    seen: 'task 1 lands without another session',
    async show(stage) {
      const project = small(stage, { tasks: [LOOK] });
      await project.harness('run');
      const { code, text } = await project.terminal('manual-verify --feature 1', ['[y/n]', 'y']);
      assert.equal(code, 0, text);
      expectCode(await project.harness('run'), 0);
      assert.equal((await getTask(project, 1)).status, 'landed');
      assert.equal(await countSessions(project), 1);
    },
  },
  {
    id: 'C1.9',
    asked: 'n sends it back to an agent, which reads what is wrong',
    command: 'harness manual-verify 1 at a terminal, answered n and why, harness run --dry-run',
    seen: 'the words in the next prompt',
    async show(stage) {
      const project = small(stage, { tasks: [LOOK] });
      await project.harness('run');
      await project.terminal('manual-verify 1', ['[y/n]', 'n'], ['What is wrong?', 'the button is green']);
      assert.match((await project.harness('run', '--dry-run')).out, /the button is green/);
    },
  },
  {
    id: 'C1.10',
    asked: 'what waits for a person is listed with what is needed, why, steps, the check and the options',
    command: 'harness inbox after a task failed for good',
    seen: 'a line for each',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, max_attempts: 1 }], agent: { 1: '[{ lie: done }]' } });
      await project.harness('run');
      const { out } = await project.harness('inbox');
      for (const line of [
        /I need: +Task 1 has failed 1 time\./,
        /Because: /,
        /Steps: /,
        /Checked by: /,
        /Answers: +retry/,
      ])
        assert.match(out, line);
      assert.match(out, /next: harness answer attempts-1-1 retry/);
    },
  },
  {
    id: 'C1.11',
    asked: 'an option is typed by its letter: [R]etry, [S]plit, s[K]ip',
    command: 'harness answer 1 r; harness answer 2 k',
    seen: 'retry, and skip',
    async show(stage) {
      const tasks = [1, 2].map(id => ({ id, max_attempts: 1 }));
      const project = small(stage, { tasks, agent: { 1: '[{ lie: done }]', 2: '[{ lie: done }]' } });
      await project.harness('run', '--all');
      expectCode(await answer(project, '1', 'r'), 0);
      expectCode(await answer(project, '2', 'k'), 0);
      assert.equal((await getTask(project, 1)).status, 'pending');
      assert.match((await project.harness('status')).out, /\[blocked\] +2: .*skipped by Ada/);
    },
  },
  {
    id: 'C1.12',
    asked: 'an agent that needs something is answered in words, and goes on with them',
    command: 'harness answer 1 --text "blue", harness run --dry-run',
    seen: 'the words in the next prompt',
    async show(stage) {
      const ask = '[{ ask: { question: "Which colour?", why: "It is not said." } }]';
      const project = small(stage, { tasks: [{ id: 1 }], agent: { 1: ask } });
      expectCode(await project.harness('run'), 7);
      expectCode(await answer(project, '1', '--text', 'make it blue'), 0);
      assert.match((await project.harness('run', '--dry-run')).out, /Ada answered: make it blue/);
    },
  },
  {
    id: 'C1.13',
    asked: 'a run that somebody watches asks in place, and goes on with the answer',
    command: 'harness run --all at a terminal, answered y',
    seen: 'everything is landed, exit 0',
    async show(stage) {
      const project = small(stage, { tasks: [LOOK] });
      const { code, text } = await project.terminal('run --all', ['Your answer', 'y']);
      assert.equal(code, 0, text);
      assert.match(text, /everything is landed/);
    },
  },
  {
    id: 'C1.14',
    asked: 'an open question is seen by the exit code alone, also after work landed',
    command: 'harness run, run --all, loop, next beside an open question',
    seen: '7 each time',
    async show(stage) {
      const tasks = [{ id: 1, verification_steps: [...'12345678'] }, { id: 2 }, { id: 3 }];
      const project = small(stage, {
        tasks,
        agent: { 'loop-1': `[{ edit: { file: src/l.txt, content: x } }, { claim: TASK_COMPLETE }]` },
      });
      expectCode(await project.harness('run'), 7);
      assert.equal((await getTask(project, 2)).status, 'landed');
      const loop = await project.harness('loop', 'l exists', '--check', 'test -f src/l.txt');
      assert.match(loop.out, /reached in one iteration/);
      expectCode(loop, 7);
      expectCode(await project.harness('run', '--all'), 7);
      expectCode(await project.harness('next'), 7);
      await answer(project, '1', 'proceed');
      expectCode(await project.harness('run', '--all'), 0);
      expectCode(await project.harness('next'), 0);
    },
  },
  {
    id: 'C1.15',
    asked: '--feature N names the task wherever a command takes one',
    command: 'harness run, verify, proof, log, handoff --feature',
    seen: 'the same as with the id alone',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      expectCode(await project.harness('run', '--feature', '1'), 0);
      expectCode(await project.harness('verify', '--feature', '1'), 0);
      assert.equal(
        (await project.harness('proof', '--feature', '1')).out,
        (await project.harness('proof', '1')).out,
      );
      assert.equal(
        (await project.harness('log', '--feature', '1')).out,
        (await project.harness('log', '--task', '1')).out,
      );
      assert.match((await project.harness('handoff', '--feature', '2')).out, /task 2 is yours/);
      expectCode(await project.harness('skip', '1', '--feature', '2', '--reason', 'x'), 2);
    },
  },
  {
    id: 'C1.16',
    asked: 'nobody decides over the head of what has landed, and every refusal names the fix',
    command: 'harness skip 1 and manual-verify 1 after it landed',
    seen: 'exit 2 with what to do instead',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }] });
      await project.harness('run');
      for (const args of [
        ['skip', '1', '--reason', 'x'],
        ['manual-verify', '1', '--pass'],
      ]) {
        const refused = await project.harness(...args);
        expectCode(refused, 2);
        assert.match(refused.err, /landed[\s\S]*fix: harness/);
      }
    },
  },
  {
    id: 'C1.17',
    asked: 'what a person is told to type can be typed, whatever a task is called',
    command: 'harness inbox with a task "Weird Name"',
    seen: "harness answer 'attempts-Weird Name-1' retry, which works",
    async show(stage) {
      const weird = { id: 'Weird Name', description: 'x', test_file: 'test/thing-1.sh', max_attempts: 1 };
      const project = stage.project({
        'features.json': `${JSON.stringify({ project: 'sample', features: [weird] })}\n`,
        'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n',
      });
      await project.harness('run');
      const { out } = await project.harness('inbox');
      assert.match(out, /next: harness answer 'attempts-Weird Name-1' retry/);
      expectCode(await answer(project, 'attempts-Weird Name-1', 'retry'), 0);
    },
  },
  {
    id: 'C1.18',
    asked: 'a question is answered late: after a stop, in another process, and the work goes on there',
    command: 'harness run --all, harness answer, harness run --all',
    seen: 'the others landed meanwhile, and then the one that waited',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1, max_attempts: 1 }, { id: 2 }],
        agent: { ...LIES, 1: `{ attempts: [[{ give_up: no idea }], ${done(1)}] }` },
      });
      expectCode(await project.harness('run', '--all'), 7);
      assert.equal((await getTask(project, 2)).status, 'landed');
      const { id } = await getAsked(project, 'attempts', 'retry skip manual abort');
      await answer(project, id, 'retry', '--text', 'try the other door');
      expectCode(await project.harness('run', '--all'), 0);
      assert.deepEqual(await getInbox(project), []);
    },
  },
];
