import assert from 'node:assert/strict';
import { getNodeFiles } from '../../support/node-project.ts';
import type { Row } from '../behaviour.ts';

interface Baseline {
  readonly session: number;
  readonly timestamp: string;
  readonly passing_tests: readonly string[];
  readonly total_passing: number;
  readonly total_tests: number;
}

const BREAKS_OLD = getNodeFiles({
  agent: `tasks: { "*": [{ edit: { file: src/1.mjs, content: "export const n = 1;\\n" } }, { edit: { file: src/old.mjs, content: "export const n = 9;\\n" } }, { claim: done }] }\n`,
});

/** Which tests pass, by name, before and after a session. */
export const BASELINE: readonly Row[] = [
  {
    id: 'C7.1',
    asked: 'the passing tests are kept one by one, with session, time and totals',
    command: 'harness run, then .harness/test_baseline.json',
    seen: 'session, timestamp, passing_tests, total_passing, total_tests',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      await project.harness('run');
      const baseline = project.readJson<Baseline>('.harness/test_baseline.json');
      assert.equal(baseline.session, 1);
      assert.match(baseline.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.ok(baseline.passing_tests.includes('test/old.test.mjs > number old'));
      assert.equal(baseline.total_passing, baseline.passing_tests.length);
      assert.equal(baseline.total_tests, 4);
    },
  },
  {
    id: 'C7.2',
    asked: 'an accepted session updates the baseline',
    command: 'harness run, then .harness/test_baseline.json',
    seen: 'the test of the task that has just landed among the passing ones',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      await project.harness('run');
      const { passing_tests } = project.readJson<Baseline>('.harness/test_baseline.json');
      assert.deepEqual(passing_tests.toSorted(), [
        'test/1.test.mjs > number 1',
        'test/old.test.mjs > number old',
      ]);
    },
  },
  {
    id: 'C7.3',
    asked: 'status, health and report show the suite after the last landing, and when that was',
    command: 'harness run, then status, health and report',
    seen: '2 pass, 2 fail, of session 1',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      await project.harness('run');
      const when = String.raw`\(session 1, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)`;
      assert.match((await project.harness('status')).out, new RegExp(`Baseline: +2 pass, 2 fail ${when}`));
      assert.match((await project.harness('health')).out, new RegExp(`Tests: +2/4 pass \\(50%\\) ${when}`));
      assert.match((await project.harness('report')).out, new RegExp(`Tests: 2 pass, 2 fail ${when}`));
    },
  },
  {
    id: 'C7.4',
    asked: 'a test that passed before the session and fails after it is a regression',
    command: 'harness run with an agent that breaks an older test',
    seen: 'exit 5, and the test named',
    async show(stage) {
      const project = stage.project(BREAKS_OLD);
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.match(text, /test\/old\.test\.mjs > number old passed before/);
    },
  },
  {
    id: 'C7.5',
    asked: 'what was rejected leaves the baseline as it was',
    command: 'harness run with an agent that breaks an older test',
    seen: 'the older test among the passing ones still',
    async show(stage) {
      const project = stage.project(BREAKS_OLD);
      await project.harness('run');
      const { passing_tests } = project.readJson<Baseline>('.harness/test_baseline.json');
      assert.deepEqual(passing_tests, ['test/old.test.mjs > number old']);
    },
  },
  {
    id: 'C7.6',
    asked: 'a test that failed before is no regression',
    command: 'harness run while the tests of two other tasks are red',
    seen: 'the task lands',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /landed/);
    },
  },
];
