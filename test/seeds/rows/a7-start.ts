import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

/** The line of the log, by its number, where something is said for the first time. */
function getPlace(log: string, words: RegExp): number {
  const at = log.split('\n').findIndex(line => words.test(line));
  assert.ok(at >= 0, `${words} is not in the log`);
  return at;
}

/** What every run begins with, in this order. */
export const START: readonly Row[] = [
  {
    id: 'A7.1',
    asked: 'lock, state and git are read, the environment is asked, then a task is picked',
    command: 'harness run; grep the log',
    seen: 'LOCK, INIT of the backlog, Starting, health check: PASS, Completed, LOCK released, in this order',
    async show(stage) {
      const project = stage.project({ '.harness.yaml': `${CONFIG}environment: { health_check: 'true' }\n` });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const log = project.log();
      const places = [
        /LOCK acquired \(pid=\d+/,
        /INIT Backlog of .*3 tasks read/,
        /Starting \[1\]/,
        /INIT Environment health check: PASS/,
        /Completed \[1\]/,
        /LOCK released/,
      ].map(words => getPlace(log, words));
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      );
    },
  },
  {
    id: 'A7.2',
    asked: 'sessions are counted over the life of the project',
    command: 'harness run, twice',
    seen: 'SESSION-1, then SESSION-2',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      await project.harness('run');
      assert.match(project.log(), /\[SESSION-1\] Starting \[1\]/);
      assert.match(project.log(), /\[SESSION-2\] Starting \[2\]/);
    },
  },
  {
    id: 'A7.3',
    asked: 'at max_sessions: STATS and stop',
    command: 'harness run --all with session_config.max_sessions: 1',
    seen: 'one session, a STATS line, and why it stopped',
    async show(stage) {
      const project = stage.project({ '.harness.yaml': `${CONFIG}session_config: { max_sessions: 1 }\n` });
      const { text } = await project.harness('run', '--all');
      assert.match(text, /max_sessions is reached/);
      assert.match(project.log(), /STATS tasks_total=3 completed=1/);
      assert.doesNotMatch(project.log(), /SESSION-2/);
    },
  },
  {
    id: 'A7.4',
    asked: 'uncommitted work of the person is seen and left alone',
    command: 'harness run with a changed file in the checkout',
    seen: 'the file as it was, the work on harness/landed',
    async show(stage) {
      const project = stage.project({ 'src/1.txt': null, 'notes.txt': 'a\n' });
      project.write({ 'notes.txt': 'mine\n' });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.equal(project.read('notes.txt'), 'mine\n');
    },
  },
];
