import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { answer, countSessions, done, expectCode, getAsked, getTask, small } from '../small-project.ts';

const HYBRID = {
  id: 1,
  verification_type: 'hybrid',
  automated_checks: ['it is there'],
  manual_checks: ['it feels smooth'],
};
const MANUAL = { id: 1, test_file: undefined, verification_type: 'manual', manual_checks: ['it is blue'] };

/** Work that only a person can judge. */
export const BY_A_PERSON: readonly Row[] = [
  {
    id: 'C24.1',
    asked: 'hybrid: proven by the machine, then a person is asked about the manual checks',
    command: 'harness run',
    seen: 'exit 7; the question has the checks; passes stays false',
    async show(stage) {
      const project = small(stage, { tasks: [HYBRID] });
      expectCode(await project.harness('run'), 7);
      await getAsked(project, 'look', 'pass fail skip');
      assert.match((await project.harness('inbox')).out, /look at: it feels smooth/);
      assert.doesNotMatch(project.git('show', 'HEAD:features.json'), /"passes": true/);
    },
  },
  {
    id: 'C24.2',
    asked: 'hybrid: what the machine refuses, nobody is asked about',
    command: 'harness run with an agent that lies',
    seen: 'rejected, no question',
    async show(stage) {
      const project = small(stage, { tasks: [HYBRID], agent: { 1: '[{ lie: done }]' } });
      expectCode(await project.harness('run'), 5);
    },
  },
  {
    id: 'C24.3',
    asked: 'a yes lets exactly that work land, without another session',
    command: 'harness answer 1 y, harness run',
    seen: 'landed; the proof names who said yes',
    async show(stage) {
      const project = small(stage, { tasks: [HYBRID] });
      await project.harness('run');
      await answer(project, '1', 'y');
      expectCode(await project.harness('run'), 0);
      assert.equal(await countSessions(project), 1);
      assert.match((await project.harness('proof', '1')).out, /Ada looked at it and said yes/);
    },
  },
  {
    id: 'C24.4',
    asked: 'a no goes back with what is wrong; the same bytes are not asked about twice',
    command: 'harness answer 1 fail --text "it stutters", harness run',
    seen: 'the words are in the prompt; the same work is rejected',
    async show(stage) {
      const project = small(stage, { tasks: [HYBRID] });
      await project.harness('run');
      await answer(project, '1', 'fail', '--text', 'it stutters');
      assert.match((await project.harness('run', '--dry-run')).out, /it stutters/);
      assert.match((await project.harness('run')).text, /said no: it stutters/);
    },
  },
  {
    id: 'C24.5',
    asked: 'manual: a person decides instead of a test, as soon as the agent is done',
    command: 'harness run, harness manual-verify --feature 1 --pass, harness run',
    seen: 'exit 7, then landed',
    async show(stage) {
      const project = small(stage, { tasks: [MANUAL] });
      expectCode(await project.harness('run'), 7);
      expectCode(await project.harness('manual-verify', '--feature', '1', '--pass', '--by', 'Ada'), 0);
      expectCode(await project.harness('run'), 0);
      assert.equal((await getTask(project, 1)).status, 'landed');
    },
  },
  {
    id: 'C24.6',
    asked: 'manual work still may break nothing',
    command: 'harness run with an agent that breaks the suite',
    seen: 'rejected by pass-to-pass',
    async show(stage) {
      const files = { 'src/old.txt': 'x\n', 'test/all.sh': 'test -f src/old.txt\n' };
      const project = small(stage, {
        tasks: [MANUAL],
        agent: { 1: done(1, '{ delete: src/old.txt }, ') },
        files,
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.match(text, /pass-to-pass/);
    },
  },
  {
    id: 'C23.1',
    asked: 'visual_verification that cannot be made is asked about with its steps',
    command: 'harness run without dev_server',
    seen: 'exit 7; the steps are in the question; a yes lands, and the proof says who looked',
    async show(stage) {
      const visual = {
        id: 1,
        visual_verification: { enabled: true, steps: ['Navigate to /profile', 'Verify avatar visible'] },
      };
      const project = small(stage, { tasks: [visual] });
      expectCode(await project.harness('run'), 7);
      assert.match((await project.harness('inbox')).out, /look: Verify avatar visible/);
      expectCode(await project.harness('approve', '1', '--by', 'Ada'), 0);
      expectCode(await project.harness('run'), 0);
      assert.match((await project.harness('proof', '1')).out, /Ada looked at it instead of a browser/);
    },
  },
  {
    id: 'C23.2',
    asked: 'a task that asks for no look lands without one',
    command: 'harness run, harness proof 1',
    seen: 'visual was not needed',
    async show(stage) {
      const project = small(stage, { tasks: [{ id: 1, visual_verification: { enabled: false } }] });
      expectCode(await project.harness('run'), 0);
      assert.doesNotMatch((await project.harness('proof', '1')).out, /instead of a browser/);
    },
  },
  {
    id: 'C23.3',
    asked: 'browser, shell and files as tools of the agent are looked at by a reviewer of pages',
    later: 'phases',
  },
];
