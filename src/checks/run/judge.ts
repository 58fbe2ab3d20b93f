import { redactAll } from '../../core/base/redact.ts';
import type { CheckResult, Verdict } from '../../core/model/check.ts';
import type { FlakyTest } from '../../core/model/facts.ts';
import type { TaskDef } from '../../core/model/task.ts';
import type { RunRecord } from '../../core/model/testing.ts';
import { getVerdict } from '../../core/model/verdict.ts';
import { getStatement } from '../../core/proof/proof.ts';
import type { Statement } from '../../core/proof/proof-schema.ts';
import { TestRuns, type TestRunsOptions } from '../../testruns/test-runs.ts';
import type { CheckContext } from '../shared/context.ts';
import { runChecks } from './run-checks.ts';

export interface JudgeRequest
  extends Omit<CheckContext, 'changes' | 'baseline' | 'baseTree' | 'tests'>,
    Pick<TestRunsOptions, 'places'> {
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
  const { base, recorded = [], places, ...given } = request;
  const { ports, policy, candidate, signal, task } = given;
  const { notary } = ports;
  const listed = ports.workspace.readBlobs(candidate.tree);
  listed.catch(() => undefined);
  const tests = new TestRuns({
    ...{ ports, policy, signal, places, slot: given.attempt.slot, ownTest: task.testFile },
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
  const verdict = getVerdict([...checks, ...recorded]);
  const blobs = await listed;
  const { tree } = candidate;
  const { records: runs, flaky } = tests;
  const unreliable = new Set([...(given.quarantine ?? []), ...flaky.map(({ id }) => id)]);
  const facts = { task, base, tree, policy, runs, unreliable, blobs, checks, verdict };
  const plain = getStatement({ ...facts, config: notary.config }, notary.sha256);
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
    return backlog.parse(text, { cycles: 'allow' }).tasks.flatMap(({ def, passes }) => (passes ? [] : [def]));
  } catch {
    return [];
  }
}
