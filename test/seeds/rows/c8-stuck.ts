import assert from 'node:assert/strict';
import { getProgramProject, readActions, readTranscript } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';

const USE = `echo '[USAGE] {"input_tokens":60000}'`;
const WORK = 'mkdir -p src; echo x > src/1.txt';
const awaitWord = (word: string): string =>
  `until grep -q '${word}' "$HARNESS_MESSAGES"; do sleep 0.05; done`;

/** Agents that burn tokens and come no further, and those that only seem to. */
export const STUCK: readonly Row[] = [
  {
    id: 'C8.1',
    asked: 'an agent without progress is warned, then asked to document the blocker, then stopped',
    command: 'harness run; a program uses 60 thousand tokens twice and does nothing',
    seen: 'both words reach it; what it leaves is in the next prompt; termination_reason stuck',
    async show(stage) {
      const note =
        '{"phase":"p","completed":[],"next_step":"n","critical_files":[],"memory_notes":"no database here"}';
      const script = `${USE}; ${awaitWord('appear stuck')}; ${USE}; ${awaitWord('Document the blocker')}
mkdir -p state; echo '${note}' > state/handoff.json`;
      const project = getProgramProject(stage, script);
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      const words = (await readTranscript(project, 'steer')).map(line => `${line.delivery}: ${line.text}`);
      assert.match(words.join('\n'), /^left: You appear stuck.*\nleft: Still stuck: .*Document the blocker/);
      assert.equal(project.readJson('.harness/session_state.json').termination_reason, 'stuck');
      assert.match((await project.harness('run', '--dry-run')).text, /no database here/);
    },
  },
  {
    id: 'C8.2',
    asked: 'the words, the interval and the number of looks are settings',
    command: 'harness run with progress.stuck_warning, check_interval_tokens 20000 and 3 looks',
    seen: 'two warnings in those words at 20 thousand tokens each, then the end',
    async show(stage) {
      const config =
        'progress: { stuck_warning: Try pairing., check_interval_tokens: 20000, force_stop_after_stuck_checks: 3 }\n';
      const script = `for i in 1 2 3; do echo '[USAGE] {"input_tokens":20000}'; sleep 0.1; done; ${awaitWord('Still stuck')}; exit 1`;
      const project = getProgramProject(stage, script, { config });
      await project.harness('run');
      const words = (await readTranscript(project, 'steer')).map(({ text = '' }) => text.slice(0, 11));
      assert.deepEqual(words, ['Try pairing', 'Try pairing', 'Still stuck']);
    },
  },
  {
    id: 'C8.3',
    asked: 'the same error five times is named',
    command: 'harness run; a program fails five times with the same message',
    seen: 'one word: this way does not lead anywhere',
    async show(stage) {
      const fail = `echo '[CMD:RUN] npm test'; echo '[CMD:OUTPUT]'; echo "Error: no such table $i"; echo '[CMD:EXIT] 1'`;
      const script = `for i in 1 2 3 4 5; do ${fail}; done; ${WORK}; ${awaitWord('come back 5 times')}`;
      const project = getProgramProject(stage, script);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const words = await readTranscript(project, 'steer');
      assert.equal(words.length, 1);
      assert.match(words[0]?.text ?? '', /come back 5 times: .*no such table/);
    },
  },
  {
    id: 'C8.4',
    asked: 'a program that writes files in silence is not taken for stuck',
    command: 'harness run; three files, and 60 thousand tokens after each, without another word',
    seen: 'landed, no word said, the files in the log of actions as inferred',
    async show(stage) {
      const script = `mkdir -p src; for i in 3 2 1; do echo x > src/$i.txt; sleep 0.1; ${USE}; sleep 0.3; done`;
      const project = getProgramProject(stage, script);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const words = await readTranscript(project, 'steer');
      assert.deepEqual(
        words.filter(({ text }) => /stuck/.test(text ?? '')),
        [],
      );
      const files = readActions(project).filter(
        ({ type, inferred }) => type === 'file_write' && inferred === true,
      );
      assert.ok(['src/1.txt', 'src/2.txt', 'src/3.txt'].every(path => files.some(one => one.path === path)));
    },
  },
  {
    id: 'C8.5',
    asked: 'a program that runs tests in silence is not taken for stuck',
    command: 'harness run; a test run before each 60 thousand tokens, without another word',
    seen: 'landed, no word said, the test runs in the log of actions as inferred',
    async show(stage) {
      const script = `for i in 1 2; do sh test/slow.sh; ${USE}; done; ${WORK}`;
      const project = getProgramProject(stage, script, { 'test/slow.sh': 'sleep 1\n' });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const words = await readTranscript(project, 'steer');
      assert.deepEqual(
        words.filter(({ text }) => /stuck/.test(text ?? '')),
        [],
      );
      const runs = readActions(project).filter(({ cmd }) => cmd === 'sh test/slow.sh');
      assert.equal(runs.length, 2);
    },
  },
  {
    id: 'C8.6',
    asked: 'logging.fallback_tracking switches that off',
    command: 'harness run with fallback_tracking: false; the same silent program',
    seen: 'stopped as stuck, exit 5',
    async show(stage) {
      const script = `mkdir -p src; for i in 3 2 1; do echo x > src/$i.txt; ${USE}; sleep 0.1; done; ${awaitWord('Still stuck')}`;
      const project = getProgramProject(stage, script, { config: 'logging: { fallback_tracking: false }\n' });
      const { code, text } = await project.harness('run');
      assert.equal(code, 5, text);
      assert.equal(project.readJson('.harness/session_state.json').termination_reason, 'stuck');
    },
  },
];
