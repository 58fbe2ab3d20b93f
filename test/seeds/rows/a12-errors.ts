import assert from 'node:assert/strict';
import { CONFIG, type Feature, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

/** One task, and what its agent does. */
function open(stage: Stage, moves: string, task: Partial<Feature> = {}, config = ''): SeedProject {
  return stage.project({
    '.harness.yaml': `${CONFIG}${config}`,
    'features.json': getBacklog([
      {
        ...{
          id: 1,
          description: 'Thing 1 exists',
          test_file: 'test/thing-1.sh',
          max_attempts: 1,
          passes: false,
        },
        ...task,
      },
    ]),
    'agent.yaml': `tasks: { "*": [${moves}] }\n`,
  });
}

/** Each kind of error, by its own word in the log. */
export const ERRORS: readonly Row[] = [
  {
    id: 'A12.1',
    asked: 'ENV_SETUP: init again, then stop',
    command: 'harness run --all with environment.init that fails',
    seen: 'ERROR [1] [ENV_SETUP], exit 1',
    async show(stage) {
      const project = open(stage, '{ claim: done }', {}, "environment: { init: 'exit 1', reset: 'true' }\n");
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 1, text);
      assert.match(project.log(), /ERROR \[1\] \[ENV_SETUP\] init: .*after 2 resets/);
    },
  },
  {
    id: 'A12.2',
    asked: 'CONFIG: file and field are named, nothing is guessed',
    command: 'harness run with a setting that is wrong',
    seen: 'exit 2 with file, line and field',
    async show(stage) {
      const project = open(stage, '{ claim: done }', {}, 'attempts: { max_attempts: none }\n');
      const { code, text } = await project.harness('run');
      assert.equal(code, 2, text);
      assert.match(text, /\.harness\.yaml: line \d+.*attempts\.max_attempts/);
    },
  },
  {
    id: 'A12.3',
    asked: 'TASK_EXEC: rollback, again',
    command: 'harness run --all with an agent that gives up',
    seen: 'ERROR [1] [TASK_EXEC] and ROLLBACK [1]',
    async show(stage) {
      const project = open(stage, '{ give_up: no }');
      await project.harness('run', '--all');
      assert.match(project.log(), /ERROR \[1\] \[TASK_EXEC\]/);
      assert.match(project.log(), /ROLLBACK \[1\] to [0-9a-f]{7}/);
    },
  },
  {
    id: 'A12.4',
    asked: 'TEST_FAIL: rollback, again',
    command: 'harness run --all with work that fails its test',
    seen: 'ERROR [1] [TEST_FAIL] and ROLLBACK [1]',
    async show(stage) {
      const project = open(stage, '{ edit: { file: src/2.txt, content: x } }, { claim: done }');
      await project.harness('run', '--all');
      assert.match(project.log(), /ERROR \[1\] \[TEST_FAIL\]/);
      assert.match(project.log(), /ROLLBACK \[1\]/);
    },
  },
  {
    id: 'A12.5',
    asked: 'TIMEOUT: killed, cleaned up after, and said how long it was given',
    command: 'harness run --all with a validation that sleeps beyond its time',
    seen: 'ERROR [1] [TIMEOUT], the clean-up ran, and a finding in words',
    async show(stage) {
      const place = stage.folder();
      const project = open(
        stage,
        '{ edit: { file: src/1.txt, content: x } }, { claim: done }',
        {
          validation: { command: 'test ! -f src/1.txt || sleep 20', timeout_seconds: 1 },
          on_failure: { cleanup: `echo cleaned >> ${place.dir}/ran` },
        },
        `sandbox: { writable: ["${place.dir}"] }\n`,
      );
      await project.harness('run', '--all');
      assert.match(project.log(), /ERROR \[1\] \[TIMEOUT\]/);
      assert.equal(place.read('ran'), 'cleaned\n');
      const { out } = await project.harness('log', '--type', 'attempt.ended', '--json');
      const { findings } = JSON.parse(out.trim().split('\n').at(-1) ?? '{}') as { findings: string[] };
      assert.ok(findings.length > 0 && findings.every(text => text.trim() !== ''), JSON.stringify(findings));
    },
  },
  {
    id: 'A12.6',
    asked: 'DEPENDENCY: skipped, and which one failed',
    command: 'harness run --all where 2 needs 1, which fails',
    seen: 'ERROR [2] [DEPENDENCY] Blocked by failed 1',
    async show(stage) {
      const project = stage.project({
        'agent.yaml': 'tasks: { "*": [{ give_up: no }] }\n',
        '.harness.yaml': `${CONFIG}attempts: { max_attempts: 1 }\n`,
      });
      await project.harness('run', '--all');
      assert.match(project.log(), /ERROR \[2\] \[DEPENDENCY\] Blocked by failed 1/);
    },
  },
  {
    id: 'A12.7',
    asked: 'SESSION_TIMEOUT: the next session goes on with what was left',
    command: 'harness run with an agent that hangs',
    seen: 'WARN [1] [SESSION_TIMEOUT], the work kept',
    async show(stage) {
      const project = open(
        stage,
        '{ edit: { file: src/2.txt, content: x } }, { hang: true }',
        {},
        'session: { timeout_minutes: 0.02, timeout_warning_minutes: 0.01 }\n',
      );
      await project.harness('run');
      assert.match(project.log(), /WARN \[1\] \[SESSION_TIMEOUT\] .*work kept as/);
    },
  },
];
