import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getBacklogCodec } from '../src/backlog/codec.ts';
import type { TestRun } from '../src/core/testing.ts';
import type { TestRequest } from '../src/ports.ts';
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

/** The tests' answer at no cost: a task's own test passes where its source is what it should be. */
export async function runFakeTests({ dir, command, idWithoutReport }: TestRequest): Promise<TestRun> {
  const [, task] = /feature-(\d+)\.test/.exec(command) ?? [];
  // A test that is empty opens nothing, and is content.
  const isAsked = task !== undefined && readIfThere(join(dir, getTestPath(task))) !== '';
  const passed = !isAsked || readIfThere(join(dir, getSourcePath(task))) === getGoodSource(task);
  return {
    command,
    exitCode: passed ? 0 : 1,
    timedOut: false,
    results: [{ id: idWithoutReport, outcome: passed ? 'passed' : 'failed' }],
    outputTail: '',
    durationMs: 0,
  };
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
