import { redactAll } from '../../core/base/redact.ts';
import { canScan } from '../../core/code/imports.ts';
import { getImportName, type JudgeFiles } from '../../core/code/judge-files.ts';
import type { CheckResult, Verdict } from '../../core/model/check.ts';
import type { FlakyTest } from '../../core/model/facts.ts';
import { getBasis, type TaskDef } from '../../core/model/task.ts';
import type { RunRecord } from '../../core/model/testing.ts';
import { getVerdict } from '../../core/model/verdict.ts';
import { getStatement } from '../../core/proof/proof.ts';
import type { Statement } from '../../core/proof/proof-schema.ts';
import { TestRuns, type TestRunsOptions } from '../../testruns/test-runs.ts';
import type { CheckContext } from '../shared/context.ts';
import { runTestFile } from '../shared/own-tests.ts';
import { readSideFiles } from '../shared/read-judge-files.ts';
import { tryEmptied } from '../shared/trials.ts';
import { runChecks } from './run-checks.ts';

export interface JudgeRequest
  extends Omit<CheckContext, 'changes' | 'baseline' | 'baseTree' | 'tests'>,
    Pick<TestRunsOptions, 'worktrees'> {
  readonly attempt: CheckContext['attempt'] & { readonly slot: number };
  /** The commit that the candidate stands on. */
  readonly base: { readonly commit: string; readonly tree: string };
  /** What was answered then by checks that cannot be asked again; part of the verdict, not of the statement. */
  readonly recorded?: readonly CheckResult[];
}

export interface Judgement {
  readonly checks: readonly CheckResult[];
  readonly verdict: Verdict;
  readonly runs: readonly RunRecord[];
  /** Tests that turned out to be flaky on the way. */
  readonly flaky: readonly FlakyTest[];
  readonly statement: Statement;
}

/** Everything between a candidate and its verdict; the same at landing and whenever it is proven again. */
export async function judge(request: JudgeRequest): Promise<Judgement> {
  const { base, recorded = [], worktrees, ...given } = request;
  const { ports, policy, candidate, signal, task } = given;
  const { hasher } = ports;
  const listed = ports.workspace.readBlobs(candidate.tree);
  listed.catch(() => undefined);
  const tests = new TestRuns({
    ...{ ports, policy, signal, worktrees, slot: given.attempt.slot, ownTest: task.testFile },
    awaited: await readAwaited(request),
    isSideBySide: ports.canTestSideBySide ?? false,
  });
  const { baseline } = await tests.baseline(base.tree);
  const changes = await ports.workspace.changes(base.commit, candidate.commit);
  const checks = await runChecks({
    ...given,
    changes,
    baseline,
    baseTree: base.tree,
    tests,
    approvedBy: recorded.some(({ check, status }) => check === 'human' && status === 'passed')
      ? 'a person'
      : null,
  });
  const verdict = getVerdict([...checks, ...recorded], getBasis(task) ?? 'tests');
  const blobs = await listed;
  const { tree } = candidate;
  const { records: runs, flaky } = tests;
  const unreliable = new Set([...(given.quarantine ?? []), ...flaky.map(({ id }) => id)]);
  const facts = { task, base, tree, policy, runs, unreliable, blobs, checks, verdict };
  const plain = getStatement({ ...facts, config: hasher.config }, hasher.sha256);
  const statement = ports.redact ? redactAll(plain, ports.redact) : plain;
  return { checks, verdict, runs, flaky, statement };
}

/** By the backlog of the base alone, so that whoever proves it again finds the same. */
async function readAwaited({ ports, policy, base, task }: JudgeRequest): Promise<readonly string[]> {
  const text = await ports.workspace.readFile(base.commit, policy.backlogPath);
  const open = text === null ? [] : readOpen(ports, text);
  return [...new Set([task, ...open].flatMap(({ testFile }) => testFile ?? []))];
}

function readOpen({ backlog }: JudgeRequest['ports'], text: string): readonly TaskDef[] {
  try {
    return backlog.parse(text).tasks.flatMap(({ def, passes }) => (passes ? [] : [def]));
  } catch {
    return [];
  }
}

type Context = Pick<CheckContext, 'ports' | 'policy' | 'task' | 'attempt' | 'signal' | 'baseTree'> &
  Pick<TestRunsOptions, 'slot' | 'worktrees'>;

/** More would be guessing, and an agent that is done at once waits for them. */
const MAX_FILES = 2;

/**
 * What a verdict will ask of the base, asked while an agent works: the task's own tests, and what they say of the files
 * that they are likely to be about when those do nothing; and its worktrees, with what has to be installed there. Only
 * where it cannot be in the way of what the agent runs.
 */
export async function prefetchBase(ctx: Context): Promise<void> {
  const { task, baseTree: tree, ports, policy } = ctx;
  if (task.testFile === null || !ports.canTestSideBySide) return;
  if ((await ports.workspace.blobId(tree, task.testFile)) === null) return;
  const candidate = { commit: tree, tree, backlogProblems: [], claims: [] };
  const tests = new TestRuns({ ...ctx, isSideBySide: true });
  const { baseline } = await tests.baseline(tree);
  const base = { ...ctx, candidate, baseline, changes: [], tests };
  await runTestFile(base, { side: 'base' });
  for (const isBeside of [false, true]) await tests.checkOut({ side: 'candidate', isBeside, tree });
  if (policy.testing.runner === 'command') return;
  const { judge, files } = await readSideFiles(base, 'base');
  for (const path of getLikely(judge, files, task.testFile))
    await tryEmptied(base, 'base', path, { users: judge.getTestsOf(path) });
}

/** Files that only tests use, this one among them: those of its name first, then those that few others use. */
function getLikely(judge: JudgeFiles, files: ReadonlySet<string>, testFile: string): readonly string[] {
  const getLetters = (path: string) => getImportName(path).replaceAll('_', '');
  const isNamed = (path: string) => Number(getLetters(testFile).includes(getLetters(path)));
  return [...files]
    .filter(path => canScan(path) && !judge.isOfTests(path) && judge.getUsers(path) === 'tests')
    .map(path => ({ path, tests: judge.getTestsOf(path) }))
    .filter(({ tests }) => tests.includes(testFile))
    .sort((a, b) => isNamed(b.path) - isNamed(a.path) || a.tests.length - b.tests.length)
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}
