import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { answer, expectCode, small } from '../small-project.ts';
import type { SeedProject, Stage } from '../stage.ts';

/** A task that the base does already, accepted as such. */
async function accept(stage: Stage): Promise<SeedProject> {
  const project = small(stage, { tasks: [{ id: 1, category: 'auth' }], files: { 'src/1.txt': 'x\n' } });
  expectCode(await project.harness('run', '--all'), 7);
  await answer(project, '1', 'accept');
  const { code, out } = await project.harness('run', '--all');
  assert.equal(code, 0, out);
  assert.match(out, /1 task rests on its own tests alone/);
  return project;
}

/** What is said later of a task that a person accepted because the base does it already. */
export const ACCEPTED: readonly Row[] = [
  {
    id: 'C6.16',
    asked: 'audit says of what was accepted what it rests on: its own tests',
    command:
      'harness answer 1 accept, harness run --all, harness audit, harness audit --rerun, harness proof 1',
    seen: 'accepted, as Ada said; its tests are run again by --rerun, and a later break is named',
    async show(stage) {
      const project = await accept(stage);
      assert.match(project.git('log', '-1', '--format=%B'), /^Harness-Accepted: Ada: the base satisfies it/m);
      const { code, out } = await project.harness('audit');
      assert.equal(code, 0, out);
      assert.match(out, /^accepted +task 1 .*\n +its own tests stand for it, as accepted by Ada: the base/m);
      assert.doesNotMatch(out, /unproven/);
      expectCode(await project.harness('audit', '--rerun'), 0);
      assert.match((await project.harness('proof', '1')).text, /rests on its own tests/);
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      const again = await project.harness('audit', '--rerun');
      assert.equal(again.code, 5, again.out);
      assert.match(again.out, /task 1 is open again/);
    },
  },
  {
    id: 'C6.17',
    asked: 'verify of what was accepted runs what it rests on',
    command:
      'harness answer 1 accept, harness run --all, harness verify 1, git rm of what it was, harness verify 1',
    seen: '0 and its own tests with their command; 5 once they fail at the tip',
    async show(stage) {
      const project = await accept(stage);
      const { code, out } = await project.harness('verify', '1');
      assert.equal(code, 0, out);
      assert.match(out, /^passed +tests: 1 of 1 pass/m);
      assert.match(out, /^Task 1: passes its own tests, which stand for it as accepted by Ada/m);
      project.git('rm', '-q', 'src/1.txt');
      project.git('commit', '-q', '-m', 'Take it away');
      const later = await project.harness('verify', '1');
      assert.equal(later.code, 5, later.out);
      assert.match(later.out, /tests, at the tip: /);
    },
  },
];
