import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import { getLoopTask, LOOP_FILE, makeLoopProject } from '../loop-project.ts';
import { ACTIVE, COMPLETED, getPlan, makePlansProject } from '../plans-project.ts';

const LIES = { 'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n' };

/** Commands that name the step that helps. */
export const NEXT_STEPS: readonly Row[] = [
  {
    id: 'D6.31',
    asked: 'reset without a task says what --all would reset',
    command: 'harness reset after a task failed',
    seen: 'exit 2, harness reset --all with the task; the same word where none failed',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1')], LIES);
      assert.match((await project.harness('reset')).text, /no task failed or waits/);
      await project.harness('run', '--all');
      const { code, text } = await project.harness('reset');
      assert.equal(code, 2, text);
      assert.match(text, /harness reset --all resets eng-1/);
    },
  },
  {
    id: 'D6.32',
    asked: 'a task that nothing can prove is called so before a run',
    command: 'harness next; harness status',
    seen: 'give it a test_file or a validation, instead of a coding prompt',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1', { validation: undefined })]);
      assert.match((await project.harness('next')).text, /Proof: +nothing can prove it yet/);
      const { text } = await project.harness('status');
      assert.match(text, /Next: +task eng-1: .*nothing can prove it yet/);
      assert.doesNotMatch(text, /coding prompt/);
    },
  },
  {
    id: 'D6.34',
    asked: 'every task that nothing can prove is called so in the list, not the next one alone',
    command: 'harness status',
    seen: 'nothing can prove it yet, behind what it waits for',
    async show(stage) {
      const second = getLoopTask('eng-2', { validation: undefined, dependencies: ['eng-1'] });
      const project = makeLoopProject(stage, [getLoopTask('eng-1'), second]);
      const { out } = await project.harness('status');
      assert.match(out, /eng-2: .* — after eng-1 — nothing can prove it yet$/m);
      assert.doesNotMatch(out, /eng-1: .*nothing can prove it/);
    },
  },
  {
    id: 'D6.35',
    asked: 'the signal files can be touched as soon as there is a project',
    command: 'harness status, touch .harness/signals/pause, harness run',
    seen: 'the folder is there; the run is held',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1')]);
      await project.harness('status');
      const touched = await project.sh('touch .harness/signals/pause');
      assert.equal(touched.code, 0, touched.text);
      assert.equal((await project.harness('run')).code, 7);
    },
  },
  {
    id: 'D6.33',
    asked: 'import beside tasks that run where they are says how the new file gets to be used',
    command: 'harness import .harness/tasks.json',
    seen: 'take paths.features out of .harness.yaml',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1')]);
      const { text } = await project.harness('import', LOOP_FILE);
      assert.match(text, /next: take paths\.features out of \.harness\.yaml, .*git add .*features\.json/);
    },
  },
  {
    id: 'A1.31',
    asked: 'a task that was added and not committed is named by a run',
    command: 'harness add, then harness run --all',
    seen: 'the commit is the next step of add, and a note of a run that found nothing to do',
    async show(stage) {
      const project = makeLoopProject(stage, [getLoopTask('eng-1')]);
      const { out } = await project.harness('add', 'More', '--validation', 'true');
      assert.match(out, /next: git add -f \.harness\/tasks\.json && git commit/);
      const { text } = await project.harness('run', '--all');
      assert.match(text, /note: \.harness\/tasks\.json here differs .*git add -f/);
    },
  },
  {
    id: 'E4.21',
    asked: 'a plan that is not committed is named by a run and by status',
    command: 'a new file in planDir, then harness run --all',
    seen: 'a note with the commit',
    async show(stage) {
      const project = makePlansProject(stage, { [`${ACTIVE}/0001-first.md`]: getPlan('0001') });
      project.write({ [`${ACTIVE}/0002-second.md`]: getPlan('0002') });
      const note = /note: docs\/exec-plans\/active here differs/;
      assert.match((await project.harness('status')).text, note);
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 0, text);
      assert.match(text, note);
      project.git('add', '-A');
      project.git('commit', '-q', '-m', 'Add a plan');
      assert.doesNotMatch((await project.harness('status')).text, note);
      assert.ok(project.has(`${COMPLETED}/0001-first.md`));
    },
  },
  {
    id: 'E10.6',
    asked: 'FROZEN is shown by status and next',
    command: 'harness status, harness next beside .harness/FROZEN',
    seen: 'the reason, and rm as the next step; gone with the file',
    async show(stage) {
      const project = stage.project({ '.harness/FROZEN': 'prices are looked into\n' });
      for (const command of ['status', 'next']) {
        const { text } = await project.harness(command);
        assert.match(text, /FROZEN active: prices are looked into/);
        assert.match(text, /next: rm .*FROZEN/);
      }
      await project.sh('rm .harness/FROZEN');
      assert.doesNotMatch((await project.harness('status')).text, /FROZEN/);
    },
  },
];
