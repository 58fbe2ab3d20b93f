import assert from 'node:assert/strict';
import { getProgramProject, readTranscript } from '../agent-rows.ts';
import type { Row } from '../behaviour.ts';
import type { Stage } from '../stage.ts';

const WINDOW = 'context: { window_tokens: 100000 }\n';

/** A program that reports what it used, part by part, and does its task. */
const use = (...tokens: readonly number[]): string =>
  `mkdir -p src; echo x > src/1.txt; echo "[FILE:WRITE] src/1.txt"\n${tokens
    .map(amount => `echo '[USAGE] {"input_tokens":${amount}}'; sleep 0.1`)
    .join('\n')}`;

/** Runs until the program is told something that fits, and shows it. */
const awaitWord = (word: string): string =>
  `until grep -q '${word}' "$HARNESS_MESSAGES"; do sleep 0.05; done; grep -o '${word}' "$HARNESS_MESSAGES" | head -n 1`;

const said = async (stage: Stage, script: string): Promise<readonly string[]> => {
  const project = getProgramProject(stage, script, { config: WINDOW });
  const { code, text } = await project.harness('run');
  assert.equal(code, 0, text);
  return (await readTranscript(project, 'steer')).map(line => `${line.delivery}: ${line.text}`);
};

/** How full the context is, and what an agent is told of it. */
export const CONTEXT: readonly Row[] = [
  {
    id: 'C11.1',
    asked: 'at 75 % of the context the agent is warned, once',
    command: 'harness run; a program reports 51, 25 and 5 thousand of 100 thousand tokens',
    seen: 'one word at 76 %, left for the program',
    async show(stage) {
      const words = await said(stage, use(51_000, 25_000, 5_000));
      assert.equal(words.length, 1, words.join('\n'));
      assert.match(words[0] ?? '', /^(told|left): 76 % of your context is used/);
    },
  },
  {
    id: 'C11.2',
    asked: 'at 90 % it is told to wrap up, in five steps',
    command: 'harness run; a program waits for the word and prints it',
    seen: 'stop, write down where, say what is left, leave the files, end; the program has read it',
    async show(stage) {
      const words = await said(
        stage,
        `${use(51_000, 25_000, 16_000)}\n${awaitWord('1. Stop implementing')}\necho ok`,
      );
      assert.equal(words.length, 2, words.join('\n'));
      assert.match(words[1] ?? '', /1\. Stop .*2\. Write down .*3\. .*left.*4\. .*5\. End your turn/s);
    },
  },
  {
    id: 'C11.3',
    asked: 'at 100 % the session is stopped, and the next one goes on',
    command: 'harness run twice; increments of 102 thousand of 100 thousand tokens',
    seen: 'context_limit, then the continuation prompt with the unfinished file',
    async show(stage) {
      const script = `[ "$HARNESS_SESSION" = 1 ] || { mkdir -p src; echo x > src/1.txt; echo done; exit 0; }
echo half > half.txt; ${use(51_000, 25_000, 16_000, 10_000).slice(use().length)}; sleep 60`;
      const project = getProgramProject(stage, script, { config: WINDOW });
      await project.harness('run');
      const state = project.readJson('.harness/session_state.json');
      assert.equal(state.termination_reason, 'context_limit');
      assert.equal(state.next_prompt, 'continuation');
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const { out } = await project.sh('cat .harness/sessions/session-2-*.jsonl');
      assert.match(out, /You go on with a task/);
      assert.match(out, /half\.txt \(added/);
    },
  },
  {
    id: 'C11.4',
    asked: 'at 50 % of the context the progress made is looked at',
    command: 'harness run; a program that has done nothing reports 30 and 25 thousand of 100 thousand',
    seen: 'a word that it seems stuck, between two regular looks',
    async show(stage) {
      const config = `${WINDOW}progress: { check_interval_tokens: 90000 }\n`;
      const script = `echo '[USAGE] {"input_tokens":30000}'; echo '[USAGE] {"input_tokens":25000}'
${awaitWord('appear stuck')}; mkdir -p src; echo x > src/1.txt`;
      const project = getProgramProject(stage, script, { config });
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      const words = await readTranscript(project, 'steer');
      assert.deepEqual(
        words.map(one => one.text),
        ['You appear stuck. Consider a different approach.'],
      );
    },
  },
  {
    id: 'C11.5',
    asked: 'the thresholds are settings',
    command: 'harness run with context.warn_threshold 0.3; 35 of 100 thousand tokens',
    seen: 'the warning at 35 %',
    async show(stage) {
      const config = 'context: { window_tokens: 100000, warn_threshold: 0.3, force_threshold: 0.5 }\n';
      const project = getProgramProject(stage, use(35_000), { config });
      await project.harness('run');
      const [word] = await readTranscript(project, 'steer');
      assert.match(word?.text ?? '', /^35 % of your context/);
    },
  },
  {
    id: 'C11.6',
    asked: 'nothing is told as said that nobody heard',
    command: 'harness run; a scripted agent burns 80 % of its context',
    seen: 'the transcript has the warning as unheard',
    async show(stage) {
      const project = stage.project({
        'agent.yaml':
          'tasks: { "1": [{ burn: { input: 160000 } }, { edit: { file: src/1.txt, content: x } }, { claim: done }] }\n',
      });
      await project.harness('run');
      const words = await readTranscript(project, 'steer');
      assert.deepEqual(
        words.map(one => one.delivery),
        ['unheard', 'unheard'],
      );
    },
  },
];
