import assert from 'node:assert/strict';
import { getProgramProject, readTranscript } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';

const LIMIT = 'session: { timeout_minutes: 0.05, timeout_warning_minutes: 0.005 }\n';

/** The wall clock, and what becomes of a session that runs out of it. */
export const TIMEOUT: readonly Row[] = [
  {
    id: 'C15.1',
    asked: 'before its time is up the agent is told how much is left',
    command: 'harness run; a program waits for the word on its pipe',
    seen: 'the program has read "is left", and the transcript says told',
    async show(stage) {
      const script =
        'read -r line < "$HARNESS_MESSAGES_PIPE"; mkdir -p src; echo x > src/1.txt; echo "heard $line"';
      const project = getProgramProject(stage, script, {
        config: 'session: { timeout_minutes: 3, timeout_warning_minutes: 0.005 }\n',
      });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const [word] = await readTranscript(project, 'steer');
      assert.equal(word?.delivery, 'told');
      assert.match(word?.text ?? '', /nearly up: 3 minutes are left/);
      const [heard] = await readTranscript(project, 'text');
      assert.match(heard?.text ?? '', /^heard .*3 minutes are left/);
    },
  },
  {
    id: 'C15.2',
    asked: 'a session that runs out of time is stopped, and its work is gone on with',
    command: 'harness run twice; the first session never ends',
    seen: 'partial for want of time, then the continuation prompt, then landed',
    async show(stage) {
      const script = `[ "$HARNESS_SESSION" = 1 ] && { echo half > half.txt; sleep 60; }
mkdir -p src; echo x > src/1.txt; echo done`;
      const project = getProgramProject(stage, script, { config: LIMIT });
      const first = await project.harness('run');
      assert.equal(first.code, 5, first.text);
      assert.match(first.text, /ran out of time/);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const { out } = await project.sh('cat .harness/sessions/session-2-*.jsonl');
      assert.match(out, /You go on with a task/);
      assert.match(project.git('ls-tree', '-r', '--name-only', 'HEAD'), /half\.txt/);
    },
  },
];
