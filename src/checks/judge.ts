import type { CheckResult, Verdict } from '../core/check.ts';
import { getStatement } from '../core/proof.ts';
import type { Statement } from '../core/proof-schema.ts';
import { redactAll } from '../core/redact.ts';
import type { RunRecord } from '../core/testing.ts';
import { getVerdict } from '../core/verdict.ts';
import { measureBaseline } from './baseline.ts';
import type { CheckContext } from './context.ts';
import { runChecks } from './run-checks.ts';

export interface JudgeRequest extends Omit<CheckContext, 'changes' | 'baseline' | 'baseTree' | 'runs'> {
  /** The commit that the candidate stands on. */
  readonly base: { readonly commit: string; readonly tree: string };
  /** What was answered then by checks that cannot be asked again; part of the verdict, not of the statement. */
  readonly recorded?: readonly CheckResult[];
}

export interface Judgement {
  readonly checks: readonly CheckResult[];
  readonly verdict: Verdict;
  readonly runs: readonly RunRecord[];
  readonly statement: Statement;
}

/** Everything between a candidate and its verdict; the same at landing and whenever it is proven again. */
export async function judge(request: JudgeRequest): Promise<Judgement> {
  const { base, recorded = [], ...given } = request;
  const { ports, policy, candidate, signal, task } = given;
  const { notary } = ports;
  const runs: RunRecord[] = [];
  const listed = ports.workspace.readBlobs(candidate.tree);
  listed.catch(() => undefined);
  const { baseline } = await measureBaseline(
    { ports, policy, runs },
    { slot: given.attempt.slot, tree: base.tree, signal },
  );
  const changes = await ports.workspace.changes(base.commit, candidate.commit);
  const checks = await runChecks({
    ...given,
    changes,
    baseline,
    baseTree: base.tree,
    runs,
    answers: new Map(),
    approvedBy: recorded.some(({ check, status }) => check === 'human' && status === 'passed')
      ? 'a person'
      : null,
  });
  const verdict = getVerdict([...checks, ...recorded]);
  const blobs = await listed;
  const { tree } = candidate;
  const unreliable = new Set([...(given.quarantine ?? []), ...(given.flaky ?? []).map(({ id }) => id)]);
  const facts = { task, base, tree, policy, runs, unreliable, blobs, checks, verdict };
  const statement = getStatement({ ...facts, config: notary.config }, notary.sha256);
  return { checks, verdict, runs, statement: ports.redact ? redactAll(statement, ports.redact) : statement };
}
