import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getBacklogCodec } from '../../src/backlog/codec.ts';
import type { TestResult, TestRun } from '../../src/core/model/testing.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import type { Agent, Clock, TestRequest, Tests } from '../../src/ports/index.ts';
import { getSourcePath, getTestPath } from '../sample-repo.ts';

/** How long everything takes; all of it is waiting, so that a machine with two cores can hold eight lanes of it. */
export interface Waits {
  readonly agentMs: number;
  readonly suiteMs: number;
  /** A run of one test file. */
  readonly fileMs: number;
}

/** One candidate in so many is right alone and breaks the stack; none where it is absent. */
export type BreaksOneIn = number | null;

/** An agent that waits as for its model, then leaves its work. */
export function createWaitingAgent(clock: Clock, { agentMs }: Waits, breaks: BreaksOneIn): Agent {
  return {
    provider: 'waiting',
    async run({ cwd, task, attempt, signal }) {
      await clock.sleep(agentMs * getShare(Number(task.id)), signal);
      writeWork(cwd, Number(task.id), attempt > 1 ? null : breaks);
      return { outcome: 'claimed', summary: 'done', usage: NO_USAGE };
    },
  };
}

/** No two tasks take the same time, or all lanes would do the same at the same moment; two that follow each other make up for it. */
function getShare(task: number): number {
  const part = ((Math.ceil(task / 2) * 0.618) % 1) * 0.3;
  return task % 2 === 0 ? 1 + part : 1 - part;
}

/** Tests that take their time and answer by what lies in the tree. */
export function createWaitingTests(clock: Clock, waits: Waits, before: Tests): Tests {
  return {
    ...before,
    async run(request) {
      const isSuite = getAskedFile(request) === undefined;
      await clock.sleep(isSuite ? waits.suiteMs : waits.fileMs, request.signal);
      return runWaitingTests(request);
    },
  };
}

function getAskedFile({ command }: TestRequest): string | undefined {
  return /test\/feature-\d+\.test\.js/.exec(command)?.[0];
}

function runWaitingTests(request: TestRequest): TestRun {
  const file = getAskedFile(request);
  const folder = join(request.dir, 'test');
  const all = existsSync(folder) ? readdirSync(folder).map(name => `test/${name}`) : [];
  const results = (file === undefined ? all : [file]).flatMap(path => runTest(request.dir, path));
  const exitCode = results.every(({ outcome }) => outcome === 'passed') ? 0 : 1;
  return { command: request.command, exitCode, timedOut: false, results, outputTail: '', durationMs: 0 };
}

/** Work that does not know its neighbour is right as long as the neighbour is not there. */
function runTest(dir: string, path: string): readonly TestResult[] {
  const text = readIfThere(join(dir, path));
  if (text === '') return [];
  const task = Number(/feature-(\d+)/.exec(path)?.[1]);
  const source = readIfThere(join(dir, getSourcePath(String(task))));
  const isAlone = readIfThere(join(dir, getSourcePath(String(task - 1)))) === null;
  const isGood = source === getGood(task) || (source === getNarrow(task) && isAlone);
  return [{ id: `${path} > works`, outcome: text !== null && isGood ? 'passed' : 'failed' }];
}

const getGood = (task: number): string => `export const feature = ${task};\n`;
const getNarrow = (task: number): string => `export const feature = ${task}; // alone\n`;

/** The neighbours are begun at about the same time. Whoever of them comes second makes both right. */
function writeWork(dir: string, task: number, breaks: BreaksOneIn): void {
  const isNarrow = breaks !== null && task % breaks === Math.floor(breaks / 2);
  write(join(dir, getTestPath(String(task))), `import '../${getSourcePath(String(task))}';\n`);
  write(join(dir, getSourcePath(String(task))), isNarrow ? getNarrow(task) : getGood(task));
  const next = join(dir, getSourcePath(String(task + 1)));
  if (readIfThere(next) === getNarrow(task + 1)) write(next, getGood(task + 1));
  const backlog = join(dir, 'features.json');
  writeFileSync(
    backlog,
    getBacklogCodec(backlog).setPasses(readFileSync(backlog, 'utf8'), String(task), true),
  );
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
