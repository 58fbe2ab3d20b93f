import { HarnessError } from '../../src/core/base/failure.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import type { TestResult } from '../../src/core/model/testing.ts';
import type { Backlog, Tests } from '../../src/ports/index.ts';
import type { Chance } from './random.ts';
import type { SimGit } from './sim-git.ts';

type Listed = Record<
  string,
  {
    passes: boolean;
    dependsOn: string[];
    priority: number;
    verificationType?: TaskDef['verificationType'];
  }
>;

/**
 * The first commit of a made-up project: a backlog, a failing test for most tasks, one old test that passes; and now and
 * then a test that two tasks break together, each of which is fine without the other.
 */
export function createProjectFiles(chance: Chance, pairs: Chance, workers: number): Record<string, string> {
  const backlog: Listed = {};
  const files: Record<string, string> = { 'test/old': 'assert old', 'src/old': 'good' };
  const count = 1 + chance.below(Math.max(4, workers));
  for (let i = 1; i <= count; i++) {
    const dependsOn = Array.from({ length: i - 1 }, (_, k) => String(k + 1)).filter(() =>
      chance.happens(0.3),
    );
    backlog[i] = { passes: false, dependsOn, priority: chance.below(3) };
    if (!chance.happens(0.2)) files[`test/${i}`] = `assert ${i}`;
  }
  for (let i = 2; i <= count; i++)
    if (pairs.happens(0.5)) files[`test/pair-${i - 1}-${i}`] = `pair ${i - 1} ${i}`;
  const notes = '====\nCLAUDE PROGRESS LOG - sim\n====\n';
  return { ...files, 'claude-progress.txt': notes, 'features.json': JSON.stringify(backlog) };
}

/** A task that somebody adds by hand while the night is under way. */
export function addTask(files: Record<string, string>): void {
  const backlog = JSON.parse(files['features.json'] ?? '{}') as Listed;
  const known = [...Object.keys(backlog), ...Object.keys(files).map(path => /^test\/(\d+)$/.exec(path)?.[1])];
  const id = String(1 + Math.max(0, ...known.map(name => Number(name ?? 0))));
  backlog[id] = { passes: false, dependsOn: [], priority: 0 };
  files['features.json'] = JSON.stringify(backlog);
  files[`test/${id}`] = `assert ${id}`;
}

/** A task that somebody takes out by hand, whatever is being done about it. */
export function removeTask(files: Record<string, string>): void {
  const backlog = JSON.parse(files['features.json'] ?? '{}') as Listed;
  const ids = Object.keys(backlog);
  const needed = new Set(ids.flatMap(id => backlog[id]?.dependsOn ?? []));
  const free = ids.find(id => !needed.has(id) && !backlog[id]?.passes);
  if (free === undefined || ids.length === 1) return;
  delete backlog[free];
  files['features.json'] = JSON.stringify(backlog);
}

/** The codec of this made-up format. */
export const simBacklog: Backlog = {
  parse(text) {
    const listed = JSON.parse(text) as Listed;
    const tasks = Object.entries(listed).map(([id, task]) => ({ def: toDef(id, task), passes: task.passes }));
    return { project: 'sim', tasks, warnings: [] };
  },
  setPasses(text, id, passes) {
    const listed = JSON.parse(text) as Listed;
    if (!listed[id]) throw new HarnessError('backlog', `task ${id} is not in the backlog`);
    listed[id].passes = passes;
    return JSON.stringify(listed);
  },
  keepRecord: text => text,
  compare(before, after) {
    const was = JSON.parse(before) as Listed;
    const is = JSON.parse(after) as Listed;
    const claims = Object.keys(is).filter(id => is[id]?.passes && !was[id]?.passes);
    const problems = Object.keys(was)
      .filter(id => !is[id])
      .map(id => `task ${id} was removed`);
    return { claims, problems };
  },
};

function toDef(id: string, task: Listed[string]): TaskDef {
  return {
    id,
    title: `task ${id}`,
    category: null,
    priority: task.priority,
    dependsOn: task.dependsOn,
    testFile: `test/${id}`,
    validation: null,
    verificationSteps: [],
    verificationType: task.verificationType ?? 'automated',
    manualChecks: [],
    visual: null,
    mayChange: [],
    size: null,
    maxAttempts: 3,
  };
}

/** Runs the tests of a made-up tree: `test/x` passes when it still asserts and `src/x` is good. */
export function createSimTests(git: SimGit): Tests {
  return {
    async run({ dir, command }) {
      const files = git.filesIn(dir);
      const only = /^test (\S+)$/.exec(command)?.[1];
      const names = Object.keys(files).filter(
        path => path.startsWith('test/') && (only === undefined || path === only),
      );
      const results: TestResult[] = names.map(path => ({
        id: path,
        outcome: isGreen(files, path.slice(5)) ? 'passed' : 'failed',
      }));
      const exitCode = results.every(result => result.outcome === 'passed') ? 0 : 1;
      return { command, exitCode, timedOut: false, results, outputTail: '', durationMs: 1 };
    },
  };
}

/** Whether a test passes in a made-up tree. */
export function isGreen(files: Readonly<Record<string, string>>, name: string): boolean {
  const pair = getPair(files[`test/${name}`]);
  if (pair) return isAgreed(files, pair);
  return files[`test/${name}`] === 'weakened' || files[`src/${name}`] === 'good';
}

type Pair = readonly [string, string];

function getPair(test = ''): Pair | null {
  const [, a, b] = /^pair (\d+) (\d+)$/.exec(test) ?? [];
  return a && b ? [a, b] : null;
}

function isAgreed(files: Readonly<Record<string, string>>, [a, b]: Pair): boolean {
  const areBoth = files[`src/${a}`] === 'good' && files[`src/${b}`] === 'good';
  return !areBoth || files[`src/agreed-${a}-${b}`] === 'good';
}

/** What an agent does who finds the work of another one there that its own does not go together with. */
export function agree(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    const pair = path.startsWith('test/') ? getPair(text) : null;
    if (pair && !isAgreed(files, pair)) files[`src/agreed-${pair.join('-')}`] = 'good';
  }
}
