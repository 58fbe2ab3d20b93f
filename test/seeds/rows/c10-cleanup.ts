import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const RULES = `${CONFIG}quality: { cleanup_interval: 1, max_file_lines: 10, lint_command: ./lint.sh }
attempts: { max_attempts: 1 }
`.replace('require_evidence: false', 'require_evidence: false, feedback_rounds: 0');

const getAgent = (tidying: string) => `tasks:
  "cleanup-1": [${tidying}{ claim: tidier }]
  "*": [{ edit: { file: src/1.txt, content: "${'x\\n'.repeat(12)}TODO\\n" } }, { edit: { file: src/2.txt, content: two } }, { claim: done }]
`;

/** Lands task 1, after which a clean-up is due. */
const getFiles = (tidying = '{ run: "rm src/dea*" }, ') => ({
  '.harness.yaml': RULES,
  'agent.yaml': getAgent(tidying),
  'lint.sh': '#!/bin/sh\ngrep -rn TODO src || exit 0\necho "Found 1 error."\nexit 1\n',
  'src/dead.txt': 'dead\n',
});

interface Next {
  readonly next: { readonly id: string } | null;
  readonly why: string;
}

/** After every so many tasks the next session tidies the code. */
export const CLEANUP: readonly Row[] = [
  {
    id: 'C10.1',
    asked: 'after every cleanup_interval features the next session is a clean-up',
    command: 'harness run --all with cleanup_interval: 1',
    seen: 'cleanup-1 after task 1 and before task 2',
    async show(stage) {
      const project = stage.project(getFiles());
      const { attempts } = await project.json<{ attempts: { task: string }[] }>('run', '--all');
      assert.deepEqual(
        attempts.slice(0, 3).map(({ task }) => task),
        ['1', 'cleanup-1', '2'],
      );
    },
  },
  {
    id: 'C10.2',
    asked: 'next announces it',
    command: 'harness next once it is due',
    seen: 'cleanup-1, and how many tasks have landed since the last one',
    async show(stage) {
      const project = stage.project(getFiles());
      await project.harness('run');
      const { next, why } = await project.json<Next>('next');
      assert.equal(next?.id, 'cleanup-1');
      assert.match(why, /clean-up goes before the next task: 1 task landed since/);
      assert.match((await project.harness('status')).out, /^Next: +task cleanup-1/m);
    },
  },
  {
    id: 'C10.3',
    asked: 'a dry run shows it, with its prompt',
    command: 'harness run --dry-run once it is due',
    seen: 'Prompt type: cleanup, and nothing recorded',
    async show(stage) {
      const project = stage.project(getFiles());
      await project.harness('run');
      const { out } = await project.harness('run', '--dry-run');
      assert.match(out, /task cleanup-1/);
      assert.match(out, /^Prompt type: cleanup$/m);
      assert.doesNotMatch((await project.harness('log', '--level', 'debug')).out, /cleanup-1/);
    },
  },
  {
    id: 'C10.4',
    asked: 'the prompt names long files with their lines, lint, dead code, docstrings and the suite',
    command: 'harness run --dry-run once it is due',
    seen: 'each of them',
    async show(stage) {
      const project = stage.project(getFiles());
      await project.harness('run');
      const { prompt } = await project.json<{ prompt: string }>('run', '--dry-run');
      assert.match(prompt, /src\/1\.txt has 13 lines: split it/);
      assert.match(prompt, /linter counts 1 errors/);
      assert.match(prompt, /No code is left that nothing uses/);
      assert.match(prompt, /docstring/);
      assert.match(prompt, /Every test passes as before/);
    },
  },
  {
    id: 'C10.5',
    asked: 'next_prompt is cleanup when it is due, and coding after it',
    command: 'harness run, then .harness/session_state.json',
    seen: 'cleanup, then coding',
    async show(stage) {
      const project = stage.project(getFiles());
      const read = () => project.readJson('.harness/session_state.json').next_prompt;
      await project.harness('run');
      assert.equal(read(), 'cleanup');
      await project.harness('run');
      assert.equal(read(), 'coding');
    },
  },
  {
    id: 'C10.6',
    asked: 'it is proven like everything else and changes no feature',
    command: 'harness run twice, then proof and git',
    seen: 'a proof, a commit, and no entry in features.json',
    async show(stage) {
      const project = stage.project(getFiles());
      await project.harness('run');
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match((await project.harness('proof', 'cleanup-1')).out, /proven/);
      assert.match(project.git('log', '-1', '--format=%B'), /Harness-Task: cleanup-1/);
      assert.doesNotMatch(project.read('features.json'), /cleanup/);
    },
  },
  {
    id: 'C10.7',
    asked: 'it is no feature, and not counted as one',
    command: 'harness run twice, then status, health and the STATS line',
    seen: '1 of 3, before it and after it',
    async show(stage) {
      const project = stage.project(getFiles());
      await project.harness('run');
      await project.harness('run');
      assert.match((await project.harness('status')).out, /^Tasks: +1\/3 landed/m);
      assert.match((await project.harness('health')).out, /^Tasks: +1\/3 landed/m);
      assert.match(project.log(), /STATS tasks_total=3 completed=1 .*\n*$/);
      const { prompt } = await project.json<{ prompt: string }>('run', '--dry-run');
      assert.match(prompt, /1\/3 tasks landed/);
    },
  },
  {
    id: 'C10.8',
    asked: 'one that breaks something is rejected, and no feature is held up by it',
    command: 'harness run with a cleaner that changes a test',
    seen: 'rejected; stuck count 0, no current feature, task 2 next',
    async show(stage) {
      const breaks = '{ edit: { file: test/thing-1.sh, content: "exit 0\\n" } }, ';
      const project = stage.project(getFiles(breaks));
      await project.harness('run');
      assert.equal((await project.harness('run')).code, 5);
      const state = project.readJson('.harness/session_state.json');
      assert.deepEqual([state.stuck_count, state.current_feature], [0, null]);
      assert.equal((await project.json<Next>('next')).next?.id, '2');
    },
  },
  {
    id: 'C10.9',
    asked: 'one that finds nothing to do is no failure',
    command: 'harness run with a cleaner that changes nothing',
    seen: 'exit 0, nothing to tidy, task 2 next',
    async show(stage) {
      const project = stage.project(getFiles(''));
      await project.harness('run');
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /there was nothing to tidy/);
      assert.equal(project.readJson('.harness/session_state.json').stuck_count, 0);
      assert.equal((await project.json<Next>('next')).next?.id, '2');
    },
  },
  {
    id: 'C10.10',
    asked: 'file sizes are brought up to date after it',
    command: 'harness run twice, then .harness/file_sizes.json',
    seen: 'the file that it made shorter, with its new length',
    async show(stage) {
      const project = stage.project(getFiles('{ edit: { file: src/1.txt, content: "x\\n" } }, '));
      await project.harness('run');
      const readLines = () =>
        project.readJson<{ files: Record<string, { lines: number }> }>('.harness/file_sizes.json').files[
          'src/1.txt'
        ]?.lines;
      assert.equal(readLines(), 13);
      await project.harness('run');
      assert.equal(readLines(), 1);
    },
  },
  {
    id: 'C10.11',
    asked: 'cleanup_interval: 0 never has one by itself',
    command: 'harness run, then harness next and health',
    seen: 'task 2 next, and no clean-up',
    async show(stage) {
      const files = getFiles();
      const project = stage.project({
        ...files,
        '.harness.yaml': RULES.replace('cleanup_interval: 1', 'cleanup_interval: 0'),
      });
      await project.harness('run');
      assert.equal((await project.json<Next>('next')).next?.id, '2');
      assert.match((await project.harness('health')).out, /^Clean-up: +none, by quality\.cleanup_interval/m);
    },
  },
];
