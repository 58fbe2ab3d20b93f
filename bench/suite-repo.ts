import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runSetup } from './sample-repo.ts';

const TESTS_PER_FILE = 10;

export interface SuiteRepo {
  /** Test files with ten tests each, every one about a source file of its own. */
  readonly files: number;
  /** Tasks that each ask for a change of one source file. */
  readonly tasks: number;
}

/** A project whose suite is real and runs with Node alone. */
export function writeSuiteRepo(dir: string, { files, tasks }: SuiteRepo): void {
  mkdirSync(join(dir, 'lib'), { recursive: true });
  mkdirSync(join(dir, 'test'));
  for (let at = 0; at < files; at++) {
    writeFileSync(join(dir, 'lib', `part-${at}.mjs`), `export const add = (a, b) => a + b + ${at};\n`);
    writeFileSync(join(dir, 'test', `part-${at}.test.mjs`), getTests(at));
  }
  for (let task = 1; task <= tasks; task++) {
    writeFileSync(join(dir, getChangedPath(task)), getSource(task, '0'));
    writeFileSync(join(dir, 'test', `task-${task}.test.mjs`), getTaskTest(task));
  }
  writeFileSync(join(dir, '.gitignore'), '.harness/\n');
  writeFileSync(join(dir, '.harness.yaml'), CONFIG);
  writeFileSync(join(dir, 'features.json'), getBacklog(tasks));
  runSetup(dir, 'init', '-q', '-b', 'main');
  runSetup(dir, 'add', '-A');
  runSetup(dir, 'commit', '-q', '-m', 'Start');
  runSetup(dir, 'repack', '-adq');
}

/** The one file that a task changes. */
export function getChangedPath(task: number): string {
  return `lib/task-${task}.mjs`;
}

/** That file, before the task (`0`) or as the task wants it. */
export function getSource(task: number, value: '0' | 'done'): string {
  const sum = value === '0' ? '0' : `a * ${task} + 1`;
  return `import { add } from './part-0.mjs';\n\nexport function count(a) {\n  return add(0, ${sum});\n}\n`;
}

function getTests(at: number): string {
  const tests = Array.from(
    { length: TESTS_PER_FILE },
    (_, i) => `test('adds ${i}', () => assert.equal(add(${i}, 1), ${i + 1 + at}));\n`,
  );
  return `${getHead(`part-${at}`, 'add')}${tests.join('')}`;
}

function getTaskTest(task: number): string {
  return `${getHead(`task-${task}`, 'count')}test('counts', () => assert.equal(count(3), ${3 * task + 1}));\n`;
}

function getHead(module: string, name: string): string {
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${name} } from '../lib/${module}.mjs';\n\n`;
}

const CONFIG = `project: { name: suite }
agent: { provider: scripted }
testing:
  runner: node
  full: node --test
  feature: node --test {file}
`;

function getBacklog(tasks: number): string {
  const features = Array.from({ length: tasks }, (_, at) => ({
    id: at + 1,
    category: 'functional',
    description: `Count for task ${at + 1}`,
    test_file: `test/task-${at + 1}.test.mjs`,
    verification_steps: ['run its test'],
    passes: false,
  }));
  return `${JSON.stringify({ project: 'suite', features }, null, 2)}\n`;
}
