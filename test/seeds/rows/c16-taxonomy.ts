import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { countSessions, done, expectCode, getAsked, getTask, small } from '../small-project.ts';

const STARTS = { id: 1 };

/** What can go wrong in a night, and what is done about each. */
export const TAXONOMY: readonly Row[] = [
  {
    id: 'C16.1',
    asked: 'a claim that verification refuses is tried again with the findings',
    command: 'harness run --all with an agent that lies once',
    seen: 'sent back, then landed',
    async show(stage) {
      const agent = { 1: `{ attempts: [[{ lie: done }], ${done(1)}] }` };
      const project = small(stage, { tasks: [STARTS], agent });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 0);
      assert.match(ran.err, /sent back to the agent/);
    },
  },
  {
    id: 'C16.2',
    asked: 'what was broken is not on the base: there is nothing to roll back',
    command: 'harness run with an agent that breaks the suite',
    seen: 'the base stays; the work is kept under refs/harness, the log says ROLLBACK',
    async show(stage) {
      const files = { 'src/old.txt': 'x\n', 'test/all.sh': 'test -f src/old.txt\n' };
      const project = small(stage, {
        tasks: [STARTS],
        agent: { 1: done(1, '{ delete: src/old.txt }, ') },
        files,
      });
      expectCode(await project.harness('run'), 5);
      assert.ok(project.git('ls-tree', '--name-only', 'HEAD', 'src/').includes('src/old.txt'));
      assert.match(project.git('for-each-ref', 'refs/harness/'), /attempts\/1\/1/);
      assert.match(project.log(), /ROLLBACK \[1\] to /);
    },
  },
  {
    id: 'C16.3',
    asked: 'the same error five times: a different approach is suggested',
    command: 'harness run with an agent whose command fails six times',
    seen: 'the suggestion in the transcript',
    async show(stage) {
      const failing = Array(6).fill('{ run: "echo Error: the door is shut >&2; exit 1" }, ').join('');
      const project = small(stage, { tasks: [STARTS], agent: { 1: done(1, failing) } });
      expectCode(await project.harness('run'), 0);
      const { out } = await project.sh('cat .harness/sessions/*.jsonl');
      assert.match(out, /another (way|approach)|different/i);
    },
  },
  {
    id: 'C16.4',
    asked: 'a feature that is stuck for three sessions escalates to a person',
    command: 'harness run --all with an agent that crashes three times',
    seen: 'the question, and the others go on',
    async show(stage) {
      const crash = '[{ edit: { file: src/half.txt, content: x } }, { crash: oops }]';
      const agent = { 1: `{ attempts: [${crash}, ${crash}, ${crash}] }` };
      const project = small(stage, { tasks: [{ id: 1, max_attempts: 9 }, { id: 2 }], agent });
      expectCode(await project.harness('run', '--all'), 7);
      await getAsked(project, 'stuck', 'retry split manual skip abort');
      assert.equal((await getTask(project, 2)).status, 'landed');
    },
  },
  {
    id: 'C16.5',
    asked: 'init fails: reset, and init again',
    command: 'harness run with an init that works once reset has run',
    seen: 'the session is paid, and it lands',
    async show(stage) {
      const project = small(stage, { tasks: [STARTS] });
      project.commit({
        '.harness.yaml': `${CONFIG}environment: { init: "test -f started", reset: "touch started" }\n`,
      });
      expectCode(await project.harness('run'), 0);
    },
  },
  {
    id: 'C16.6',
    asked: 'reset fails: a person is asked, and no agent is paid',
    command: 'harness run with an init and a reset that fail',
    seen: 'exit 1, the question, no session',
    async show(stage) {
      const project = small(stage, { tasks: [STARTS] });
      project.commit({ '.harness.yaml': `${CONFIG}environment: { init: exit 1, reset: exit 3 }\n` });
      expectCode(await project.harness('run'), 1);
      await getAsked(project, 'reset', 'manual abort');
      assert.equal(await countSessions(project), 0);
    },
  },
  {
    id: 'C16.7',
    asked: 'a rate limit is waited for, and costs no attempt',
    command: 'harness run --all with a provider that refuses for a second',
    seen: 'landed with attempt 1 of 3',
    async show(stage) {
      const agent = { 1: `{ attempts: [[{ refuse: { kind: rate_limit, retry_seconds: 1 } }], ${done(1)}] }` };
      const project = small(stage, { tasks: [STARTS], agent });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 0);
      assert.match(ran.text, /rate_limit/);
    },
  },
  {
    id: 'C16.8',
    asked: 'a provider that does not answer, or answers nonsense, is asked once more',
    command: 'harness run --all with a time-out and a malformed answer',
    seen: 'both tasks land',
    async show(stage) {
      const once = (kind: string, id: number) =>
        `{ attempts: [[{ refuse: { kind: ${kind} } }], ${done(id)}] }`;
      const agent = { 1: once('timeout', 1), 2: once('malformed', 2) };
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], agent });
      expectCode(await project.harness('run', '--all'), 0);
    },
  },
  {
    id: 'C16.9',
    asked: 'an invalid API key aborts and tells the user',
    command: 'harness run --all with a provider that refuses the key',
    seen: 'exit 4, one session, no attempt is charged',
    async show(stage) {
      const project = small(stage, {
        tasks: [STARTS, { id: 2 }],
        agent: { 1: '[{ refuse: { kind: auth } }]' },
      });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 4);
      assert.match(ran.text, /could not log in/);
      assert.match((await project.harness('status')).out, /1: .*\(0\/3\)/);
    },
  },
  {
    id: 'C16.10',
    asked: 'a dirty working tree is never touched: the work waits beside it',
    command: 'harness run with an uncommitted change in the file that lands',
    seen: 'the change is still there; the work is on harness/landed, and the command to take it',
    async show(stage) {
      const project = small(stage, { tasks: [STARTS], files: { 'src/1.txt.keep': 'x\n' } });
      project.write({ 'src/1.txt': 'mine\n' });
      const ran = await project.harness('run');
      assert.equal(project.read('src/1.txt'), 'mine\n');
      assert.match(
        (await project.harness('status')).out,
        /harness\/landed: take it with git merge/,
        ran.text,
      );
    },
  },
  {
    id: 'C16.11',
    asked: 'work that conflicts with what came onto the base meanwhile starts again from there',
    command: 'harness run with a commit of somebody else to the same file in the middle of it',
    seen: 'rejected with the file; nothing of either is lost',
    async show(stage) {
      const other = `git -c user.name=Bob -c user.email=b@x -C "$PROJECT" commit -q -m other -- src/a.txt`;
      const project = small(stage, {
        tasks: [STARTS],
        files: { 'src/a.txt': 'a\n' },
        config: 'sandbox: { mode: "off" }\n',
      });
      const moves = `{ edit: { file: src/a.txt, content: "mine" } }, { run: "echo theirs > '${project.dir}/src/a.txt'; ${other.replace('$PROJECT', project.dir).replaceAll('"', "'")}" }, `;
      project.commit({ 'agent.yaml': `tasks: { "1": ${done(1, moves)} }\n` });
      const ran = await project.harness('run');
      assert.match(ran.text, /conflicts with what landed meanwhile/);
      assert.equal(project.git('show', 'HEAD:src/a.txt'), 'theirs');
    },
  },
  {
    id: 'C16.12',
    asked: 'a detached HEAD is refused with the way out',
    command: 'git checkout --detach, harness run',
    seen: 'exit 2 with git switch',
    async show(stage) {
      const project = small(stage, { tasks: [STARTS] });
      project.git('checkout', '-q', '--detach');
      const refused = await project.harness('run');
      expectCode(refused, 2);
      assert.match(refused.err, /git switch|git checkout/);
    },
  },
  { id: 'C16.13', asked: 'the rate limit of GitHub is waited for', later: 'GitHub' },
  { id: 'C16.14', asked: 'an issue that is not there is created or left out', later: 'GitHub' },
  { id: 'C16.15', asked: 'without network or login to GitHub the work goes on unmirrored', later: 'GitHub' },
];
