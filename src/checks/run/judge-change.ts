import { matchesAny } from '../../core/base/glob.ts';
import { getExtension } from '../../core/base/tree-path.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { type Baseline, getTestFile } from '../../core/model/testing.ts';
import { getFeatureCommand } from '../../core/testing/test-command.ts';
import { TestRuns } from '../../testruns/test-runs.ts';
import { Worktrees } from '../../testruns/worktrees.ts';
import { type Judgement, type JudgeRequest, judge } from './judge.ts';

export interface ChangeRequest extends Pick<JudgeRequest, 'ports' | 'policy' | 'signal' | 'without'> {
  readonly slot: number;
  readonly base: { readonly commit: string; readonly tree: string };
  /** With everything that was changed. */
  readonly tree: string;
  readonly task: TaskDef;
  readonly testGlobs: readonly string[];
  readonly atMs: number;
}

export interface JudgedChange extends Judgement {
  readonly candidate: string;
  readonly task: TaskDef;
  /** Test files that came with the change, and were taken for what it should do. */
  readonly tests: readonly string[];
  /** Tests that failed on the base as little as they should and are red with the change. */
  readonly red: readonly string[];
  /** Tests of the base that, as they stood there, no longer pass. */
  readonly changedTests: readonly string[];
}

/**
 * Judges a change that brings its own tests, as if they had been approved before it was made: they are put onto the
 * base, and the rest of the change has to turn them green. Who wrote them is said, not judged.
 */
export async function judgeChange(request: ChangeRequest): Promise<JudgedChange> {
  const { ports, policy, signal, base, tree, slot, task, atMs } = request;
  const { workspace } = ports;
  const changes = await workspace.changes(base.commit, tree);
  const paths = changes.filter(({ path }) => matchesAny(path, request.testGlobs)).map(({ path }) => path);
  // Tests alone are the work itself: what they notice is what they are worth.
  const isTestsOnly = paths.length === changes.length;
  const tests = isTestsOnly ? [] : paths;
  const approvedTree = await workspace.compose({ tree: base.tree, take: [{ from: tree, paths: tests }] });
  const make = (of: string, parent: string, message: string) =>
    workspace.commit({ tree: of, parent, message, atMs });
  const isNew = approvedTree !== base.tree;
  const approved = isNew ? await make(approvedTree, base.commit, 'The tests of the change') : base.commit;
  const candidate = await make(tree, approved, task.title);
  const worktrees = new Worktrees(request);
  const runs = new TestRuns({ ...request, worktrees });
  const before = await runs.baseline(base.tree);
  const kept = changes.flatMap(({ path, kind }) =>
    paths.includes(path) && kind !== 'deleted' ? [path] : [],
  );
  const testFile = await chooseTestFile(request, approvedTree, kept);
  const own = {
    ...{ ...task, testFile, ...(testFile === null ? LEFT_TO_PERSON : {}) },
    ...(isTestsOnly ? { mayChange: [...task.mayChange, ...paths] } : {}),
  };
  const judgement = await judge({
    ...{ ports, policy, signal, task: own, attempt: { slot } },
    ...(request.without ? { without: request.without } : {}),
    candidate: { commit: candidate, tree, backlogProblems: [], claims: [task.id] },
    base: { commit: approved, tree: approvedTree },
    worktrees,
  });
  const old = changes.flatMap(({ path, kind }) => (tests.includes(path) && kind !== 'added' ? [path] : []));
  return {
    ...{ ...judgement, candidate, task: own, tests },
    red: await findRed(runs, tree, before.baseline),
    changedTests: await findChanged(request, runs, before.baseline, old),
  };
}

/** Nothing in the change says what it should do: all else is asked, and no machine can call it proven. */
const LEFT_TO_PERSON = { verificationType: 'manual' } as const;

/** The file that is red before the change, else the first that can be run by itself. */
async function chooseTestFile(
  request: ChangeRequest,
  tree: string,
  tests: readonly string[],
): Promise<string | null> {
  const able = tests.filter(
    path => CODE.has(getExtension(path)) && getFeatureCommand(request.policy.testing, path) !== null,
  );
  if (able.length < 2) return able[0] ?? null;
  const { baseline } = await new TestRuns({ ...request, awaited: tests }).baseline(tree);
  const red = new Set(baseline.failing.map(getTestFile));
  return able.find(path => red.has(path)) ?? able.find(path => NAMED.test(path)) ?? able[0] ?? null;
}

const CODE: ReadonlySet<string> = new Set(
  'js mjs cjs jsx ts mts cts tsx py go rs java kt rb php ex exs cs c cc cpp swift scala sh'.split(' '),
);
const NAMED = /test|spec/i;

/** What is red with the change and was not so before, whichever file it is in. */
async function findRed(runs: TestRuns, tree: string, before: Baseline) {
  const run = await runs.suite({ side: 'candidate', tree });
  const known = new Set(before.failing);
  const red = run?.results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error') ?? [];
  return red.map(({ id }) => id).filter(id => !known.has(id));
}

/** Expectations that the change gave up: the base's own versions of its tests, against the change. */
async function findChanged(
  { ports, policy, tree, base }: ChangeRequest,
  runs: TestRuns,
  before: Baseline,
  old: readonly string[],
): Promise<readonly string[]> {
  if (old.length === 0 || policy.testing.runner === 'command') return [];
  const with_ = await ports.workspace.compose({ tree, take: [{ from: base.tree, paths: old }] });
  const purpose = "suite with the base's tests, candidate";
  const run = await runs.suite({ side: 'candidate', tree: with_, purpose });
  const passed = new Set(run?.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  return before.passing.filter(id => !passed.has(id));
}
