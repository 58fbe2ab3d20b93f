import { measureBaseline } from '../checks/baseline.ts';
import { runChecks } from '../checks/run-checks.ts';
import type { CheckResult, Verdict } from '../core/check.ts';
import { getSafeName } from '../core/commit-message.ts';
import { getVerdict } from '../core/verdict.ts';
import type { Containment } from '../ports.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Judges the candidate in a pristine tree and leaves a proof of how. */
export async function verify(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { ports, policy, signal } = ctx;
  const { task, attempt } = getUnderWay(ctx, taskId);
  const { candidate } = attempt;
  if (!candidate) throw new Error(`task ${taskId} has no candidate to verify`);
  const { baseTree } = attempt;
  const { baseline } = await measureBaseline(ctx, { slot: attempt.slot, tree: baseTree, signal });
  const changes = await ports.workspace.changes(attempt.base, candidate.commit);
  const checks = await runChecks({
    ports,
    policy,
    task: task.def,
    attempt,
    candidate,
    changes,
    baseline,
    baseTree,
    signal,
    ahead: ctx.ahead,
  });
  const verdict = getVerdict(checks);
  const proof = await ports.artifacts.write(
    `proofs/task-${getSafeName(taskId)}-attempt-${attempt.number}.json`,
    getProof(
      taskId,
      attempt.number,
      { base: attempt.base, commit: candidate.commit, tree: candidate.tree },
      verdict,
      checks,
      ports.containment ?? null,
    ),
  );
  return {
    events: [
      {
        type: 'verdict.given',
        task: taskId,
        attempt: attempt.number,
        verdict,
        checks,
        base: attempt.base,
        tree: candidate.tree,
        proof,
      },
    ],
  };
}

function getProof(
  task: string,
  attempt: number,
  hashes: { readonly base: string; readonly commit: string; readonly tree: string },
  verdict: Verdict,
  checks: readonly CheckResult[],
  sandbox: Containment | null,
): string {
  const proof = { schema_version: 1, task, attempt, ...hashes, verdict, checks, sandbox };
  return `${JSON.stringify(proof, null, 2)}\n`;
}
