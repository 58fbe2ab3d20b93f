import assert from 'node:assert/strict';
import { getNodeFiles } from '../../support/node-project.ts';
import { CONFIG, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import { expectCode, small } from '../small-project.ts';

interface Health {
  readonly project: string;
  readonly score: number | null;
  readonly status: string;
  readonly parts: Readonly<Record<'tasks' | 'tests' | 'lint' | 'files', number | null>>;
}

const WEIGHTS = { tasks: 0.4, tests: 0.3, lint: 0.2, files: 0.1 } as const;
/** Counts a word in the code as an error. */
const LINT = { 'lint.sh': '#!/bin/sh\ngrep -rn TODO src && exit 1\nexit 0\n' };

/** One figure for the whole project, and what it is made of. */
export const HEALTH: readonly Row[] = [
  {
    id: 'C21.1',
    asked: 'the score weighs tasks 0.4, tests 0.3, lint 0.2 and files 0.1',
    command: 'harness run --all with a linter, then harness health --json',
    seen: 'the weighed sum of four parts',
    async show(stage) {
      const config = 'quality: { lint_command: ./lint.sh }\n';
      const project = stage.project({ ...getNodeFiles({ config }), ...LINT });
      await project.harness('run');
      const { score, parts } = await project.json<Health>('health');
      const names = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[];
      for (const name of names) assert.notEqual(parts[name], null, `${name} was not measured`);
      const sum = names.reduce((total, name) => total + WEIGHTS[name] * (parts[name] ?? 0), 0);
      assert.equal(score, Math.round(100 * sum));
    },
  },
  {
    id: 'C21.2',
    asked: 'above 80 is GOOD',
    command: 'harness run --all, then harness health',
    seen: 'GOOD, 100 of 100',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      await project.harness('run', '--all');
      assert.match((await project.harness('health')).out, /^Health: +GOOD, 100 of 100$/m);
    },
  },
  {
    id: 'C21.3',
    asked: 'at 60 and below is POOR',
    command: 'harness run, then harness health',
    seen: 'POOR, with one of three tasks landed and half of the tests passing',
    async show(stage) {
      const project = stage.project(getNodeFiles());
      await project.harness('run');
      assert.match((await project.harness('health')).out, /^Health: +POOR, \d+ of 100$/m);
    },
  },
  {
    id: 'C21.4',
    asked: 'a new project has a name and its counts, and is not good by having nothing',
    command: 'harness health before anything has run',
    seen: 'the name, 0/3 landed and POOR, as harness status has it',
    async show(stage) {
      const project = stage.project();
      const { out } = await project.harness('health');
      assert.match(out, /^Project: +sample$/m);
      assert.match(out, /^Tasks: +0\/3 landed/m);
      assert.match(out, /^Health: +POOR, 0 of 100$/m);
      assert.match((await project.harness('status')).out, /^Health: +POOR, 0 of 100/m);
    },
  },
  {
    id: 'C21.5',
    asked: 'a project without tasks and figures has no score',
    command: 'harness health with an empty backlog',
    seen: 'unknown',
    async show(stage) {
      const project = stage.project({ 'features.json': getBacklog([]) });
      assert.match((await project.harness('health')).out, /^Health: +unknown/m);
      assert.equal((await project.json<Health>('health')).score, null);
    },
  },
  {
    id: 'C21.6',
    asked: 'lint errors and warnings are counted',
    command: 'harness run with quality.lint_command, then harness health',
    seen: 'Lint with a count of errors',
    async show(stage) {
      const project = stage.project({
        ...LINT,
        '.harness.yaml': `${CONFIG}quality: { lint_command: ./lint.sh }\n`,
      });
      await project.harness('run');
      assert.match((await project.harness('health')).out, /^Lint: +0 errors, 0 warnings/m);
    },
  },
  {
    id: 'C21.7',
    asked: 'files over the limit are named with the advice to split them',
    command: 'harness run with quality.max_file_lines: 10, then harness health',
    seen: 'the file, its length, split it',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': `${CONFIG}quality: { max_file_lines: 10 }\n`,
        'agent.yaml': `tasks: { "*": [{ edit: { file: src/1.txt, content: "${'x\\n'.repeat(12)}" } }, { claim: done }] }\n`,
      });
      await project.harness('run');
      assert.match((await project.harness('health')).out, /src\/1\.txt: 12 lines.*: split it/);
    },
  },
  {
    id: 'C21.8',
    asked: 'it says when the next clean-up is due',
    command: 'harness run with quality.cleanup_interval: 2, then harness health',
    seen: 'due after 1 more landed tasks',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': `${CONFIG}quality: { cleanup_interval: 2 }\n`,
      });
      await project.harness('run');
      assert.match((await project.harness('health')).out, /^Clean-up: +due after 1 more landed/m);
    },
  },
  {
    id: 'C21.9',
    asked: 'health is not good while something that counts as done fails its own test',
    command:
      'harness override 1, harness run --all, with a validation of task 1 that fails; harness health, status',
    seen: 'not GOOD, and the task with what fails',
    async show(stage) {
      const tasks = Array.from({ length: 9 }, (_, at) => ({ id: at + 2, passes: true }));
      const files = Object.fromEntries(tasks.map(({ id }) => [`src/${id}.txt`, 'x\n']));
      const failing = { id: 1, test_file: undefined, validation: { command: 'test -f src/1.txt' } };
      const project = small(stage, { tasks: [failing, ...tasks], files });
      await project.harness('override', '1', '--reason', 'seen', '--by', 'Ada');
      expectCode(await project.harness('run', '--all'), 7);
      const { out } = await project.harness('health');
      assert.match(
        out,
        /^Undone: +task 1 counts as done, and its own validation: test -f src\/1\.txt fails$/m,
      );
      assert.doesNotMatch(out, /GOOD/);
      assert.doesNotMatch((await project.harness('status')).out, /GOOD/);
    },
  },
];
