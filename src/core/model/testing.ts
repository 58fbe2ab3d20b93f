/** What one test did, in the words every runner's report is translated into. */
export type TestOutcome = 'passed' | 'failed' | 'skipped' | 'todo' | 'error';

/** One test of one run. `id` is stable from run to run: file, then the path of names. */
export interface TestResult {
  readonly id: string;
  readonly outcome: TestOutcome;
  readonly message?: string;
  readonly durationMs?: number;
}

/** Whether a test was left out of its run. */
export function isLeftOut({ outcome }: Pick<TestResult, 'outcome'>): boolean {
  return outcome === 'skipped' || outcome === 'todo';
}

/** How a command reports; `command` means one id judged by the exit code. Each is a file of `core/runners`. */
export const RUNNER_KINDS = [
  'vitest',
  'jest',
  'node',
  'mocha',
  'pytest',
  'go',
  'cargo',
  'tap',
  'junit',
  'command',
] as const;

export type RunnerKind = (typeof RUNNER_KINDS)[number];

/** Why an application that tests should meet cannot be used. Only `down` is its own doing. */
export interface Unserved {
  readonly fault: 'down' | 'foreign' | 'unseen';
  readonly why: string;
}

/** Files that a run left behind, as they were kept for people. */
export interface KeptFiles {
  readonly artifacts: readonly { readonly path: string; readonly sha256: string }[];
  /** What was not kept, and why, one line each. */
  readonly left: readonly string[];
}

/** One run of one test command, with everything a verdict may need to quote. */
export interface TestRun {
  readonly command: string;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly results: readonly TestResult[];
  /** Set when the report could not be had: the run then proves nothing. */
  readonly reportProblem?: string;
  readonly outputTail: string;
  /** Set when there was more output before the tail. */
  readonly isTailCut?: boolean;
  readonly durationMs: number;
  /** Files of the tree that were written over while it ran, where that was looked at and there were any. */
  readonly wrote?: readonly string[];
  /** What was missing of the tree, by a person's leave. */
  readonly gaps?: readonly string[];
  /** Files of the tree that were opened while it ran, where that was watched and could be seen. */
  readonly opened?: readonly string[];
  /** Set when nothing had been run in its place since that was made: code can tell a fresh folder by its dates. */
  readonly isFresh?: boolean;
  /** Who read the files that were asked about, as far as the programs could be made to note it. */
  readonly readings?: readonly Reading[];
  /** Set when the application that the tests need was not there: none of them was run. */
  readonly unserved?: Unserved;
  readonly kept?: KeptFiles;
}

/** What the names of remembered runs begin with; the number goes up when what is remembered changes. */
export const RUN_KEY = 'test:2:';

/** One look into a file, and the project's files on the stack of whoever looked, innermost first. */
export interface Reading {
  readonly path: string;
  readonly by: readonly string[];
}

/** One run that a verdict stands on: what was run on which bytes, and what came out. */
export interface RunRecord {
  /** Why it was run, in the words of the check that asked. */
  readonly purpose: string;
  readonly tree: string;
  readonly run: TestRun;
  /** Where the run was made, if on a tree that differs from this one in nothing tests look at. */
  readonly ranOn?: string;
}

/** The file a test is in: its id begins with it. */
export function getTestFile(id: string): string {
  return id.split(' > ', 1)[0] ?? id;
}

/** Whether a test is an example in the comments of a Python module: the runner names it by what the module is called. */
export function isExample(id: string): boolean {
  const [file = '', name = ''] = id.split(' > ', 2);
  if (!file.endsWith('.py')) return false;
  const parts = file.slice(0, -'.py'.length).split('/');
  if (parts.at(-1) === '__init__') parts.pop();
  // A test function may bear the name of its file, and nothing else has a dot in its name.
  return name.includes('.') && parts.some((_, at) => `${name}.`.startsWith(`${parts.slice(at).join('.')}.`));
}

/** The per-test memory a regression is measured against. */
export interface Baseline {
  readonly tree: string;
  readonly passing: readonly string[];
  readonly failing: readonly string[];
}

/** Turns a run into the memory kept for the next one. */
export function getBaseline(tree: string, run: TestRun): Baseline {
  const passing = run.results.filter(r => r.outcome === 'passed').map(r => r.id);
  const failing = run.results.filter(r => r.outcome === 'failed' || r.outcome === 'error').map(r => r.id);
  return { tree, passing, failing };
}
