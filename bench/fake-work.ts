import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getBacklogCodec } from '../src/backlog/codec.ts';
import type { TestResult, TestRun } from '../src/core/model/testing.ts';
import type { TestRequest } from '../src/ports/index.ts';
import { getSourcePath, getTestPath } from './sample-repo.ts';

/** What an agent would leave: a changed file, a new test, a claim, and, if its work is good, new source. */
export function writeWork(dir: string, task: string, work: 'good' | 'bad'): void {
  appendFileSync(join(dir, 'lib', 'part-0', 'module-0.js'), `// feature ${task}\n`);
  write(join(dir, getTestPath(task)), `import '../${getSourcePath(task)}';\n`);
  if (work === 'good') write(join(dir, getSourcePath(task)), getGoodSource(task));
  const backlog = join(dir, 'features.json');
  writeFileSync(backlog, getBacklogCodec(backlog).setPasses(readFileSync(backlog, 'utf8'), task, true));
}

function getGoodSource(task: string): string {
  return `export const feature = ${task};\n`;
}

/** The tests' answer at no cost: a task's own test passes where its source is what it should be. The suite runs all. */
export async function runFakeTests({ dir, command }: TestRequest): Promise<TestRun> {
  const [file] = /test\/feature-\d+\.test\.js/.exec(command) ?? [];
  const results = (file ? [file] : listTests(dir)).flatMap(path => runFakeTest(dir, path));
  const exitCode = results.every(({ outcome }) => outcome === 'passed') ? 0 : 1;
  return { command, exitCode, timedOut: false, results, outputTail: '', durationMs: 0 };
}

function listTests(dir: string): readonly string[] {
  const folder = join(dir, 'test');
  return existsSync(folder) ? readdirSync(folder).map(name => `test/${name}`) : [];
}

/** Opens what a real test would. One that is empty holds no test; one that is gone is an error. */
function runFakeTest(dir: string, path: string): readonly TestResult[] {
  const id = `${path} > works`;
  const text = readIfThere(join(dir, path));
  if (text === '') return [];
  const task = /feature-(\d+)/.exec(path)?.[1] ?? '';
  const isGood = text !== null && readIfThere(join(dir, getSourcePath(task))) === getGoodSource(task);
  return [{ id, outcome: isGood ? 'passed' : 'failed' }];
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
