import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { until } from '../poll.ts';
import { answer, expectCode, getAsked, getTask, small } from '../small-project.ts';

/** What happens once every task has landed. */
export const ALL_DONE: readonly Row[] = [
  {
    id: 'C27.1',
    asked: 'the full suite is run before everything is called done',
    command: 'harness run --all',
    seen: 'the counts at the tip, the proofs that hold, exit 0',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 0);
      assert.match(ran.err, /all that has landed, at \w+: 1 tests? pass(es)?, 0 fail/);
      assert.match(ran.out, /everything is landed\nproofs: 2 landed commits match theirs/);
    },
  },
  {
    id: 'C27.2',
    asked: 'a red suite is not done, also where it was red all along',
    command: 'harness run --all with a suite that never was green',
    seen: 'exit 7 and the question, again and again',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }], files: { 'test/all.sh': 'exit 1\n' } });
      expectCode(await project.harness('run', '--all'), 7);
      expectCode(await project.harness('run', '--all'), 7);
      await getAsked(project, 'all-done-red', 'retry investigate proceed abort');
    },
  },
  {
    id: 'C27.3',
    asked: 'a feature that was only marked as passing is shown as such, with its own test that fails',
    command: 'a commit with passes: true, harness run --all, status, report',
    seen: 'UNPROVEN … FAILS in both; no proof is counted for it',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, passes: true }, { id: 2 }] });
      const ran = await project.harness('run', '--all');
      expectCode(ran, 7);
      assert.match(
        (await project.harness('status')).out,
        /1: .*UNPROVEN: marked as done.*test\/thing-1\.sh FAILS/,
      );
      assert.match(
        (await project.harness('report')).out,
        /never proven here; its own test\/thing-1\.sh fails/,
      );
    },
  },
  {
    id: 'C27.4',
    asked: 'a feature that was overridden and whose own test fails is not done either',
    command: 'harness override 1 --reason "…", harness run --all',
    seen: 'exit 7; UNPROVEN … FAILS',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }] });
      await project.harness('override', '1', '--reason', 'trust me', '--by', 'Ada');
      expectCode(await project.harness('run', '--all'), 7);
      assert.match(
        (await project.harness('status')).out,
        /1: .*UNPROVEN by the word of Ada: trust me, and its own .* FAILS/,
      );
    },
  },
  {
    id: 'C27.5',
    asked: 'only real proofs are counted as holding',
    command: 'harness override of a task that the base does, harness run --all',
    seen: 'proofs: 1 landed commit …; 1 task without a proof',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }, { id: 2 }], files: { 'src/1.txt': 'x\n' } });
      await project.harness('override', '1', '--reason', 'it is there', '--by', 'Ada');
      const ran = await project.harness('run', '--all');
      expectCode(ran, 0);
      assert.match(ran.out, /proofs: 1 landed commit matches its own; 1 task without a proof/);
    },
  },
  {
    id: 'C27.6',
    asked: 'what can be done next: maintain, add features, or nothing',
    command: 'harness run --all',
    seen: 'harness run --maintain and harness add-feature in the last line',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }] });
      assert.match(
        (await project.harness('run', '--all')).out,
        /next: .*harness add-feature.*harness run --maintain/,
      );
    },
  },
  {
    id: 'C27.7',
    asked: 'maintenance: stays, keeps the tests passing and takes what is added, until harness stop',
    command: 'harness run --all --maintain, a commit that breaks task 1, harness stop',
    seen: 'that it stays, said once each time; task 1 is repaired; exit 0',
    async show(stage) {
      const project = small(stage, {
        tasks: [{ id: 1 }],
        config: 'session_config: { health_minutes: 0.01 }\n',
      });
      const child = project.start(['run', '--all', '--maintain']);
      let said = '';
      child.stderr?.on('data', (text: Buffer) => {
        said += text.toString('utf8');
      });
      const stays = () => said.match(/nothing to do now: the run stays.*harness stop/g)?.length;
      const ended = new Promise<number | null>(resolve => child.on('exit', resolve));
      await until(
        'task 1 landed',
        async () => project.has('src/1.txt') && (await getTask(project, 1)).status === 'landed',
      );
      await until('it says that it stays', () => stays() === 1);
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      await until('it is repaired', () => project.log().includes('reopened') && project.has('src/1.txt'));
      await until('it says so again', () => stays() === 2);
      await project.harness('stop');
      assert.equal(await ended, 0);
    },
  },
  {
    id: 'C27.8',
    asked: 'a person may live with tests that are known to fail',
    command: 'harness answer all-done-red-… proceed, harness run --all, then a suite that is green again',
    seen: 'exit 0, and not asked again; what is red is named at the end of each run until it is not',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1 }], files: { 'test/all.sh': 'exit 1\n' } });
      await project.harness('run', '--all');
      const { id } = await getAsked(project, 'all-done-red', 'retry investigate proceed abort');
      await answer(project, id, 'proceed');
      const named = /^1 test known to be red, by a person's word: sh test\/all\.sh$/m;
      for (const text of ['known\n', 'still known\n']) {
        const run = await project.harness('run', '--all');
        expectCode(run, 0);
        assert.match(run.out, named);
        project.commit({ 'notes.md': text });
      }
      project.commit({ 'test/all.sh': 'exit 0\n' });
      assert.doesNotMatch((await project.harness('run', '--all')).out, /known to be red/);
    },
  },
];
