import { runAuthorChecks } from '../checks/run/author-checks.ts';
import type { CheckResult, Verdict } from '../core/model/check.ts';
import type { Candidate } from '../core/model/facts.ts';
import { getVerdict, isDecisive } from '../core/model/verdict.ts';
import { getTestRef } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { endAttempt, getRef, openTests, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** Judges a test that an author wrote. A good one ends the attempt and waits for a coder; nothing lands. */
export async function acceptTest(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const { ports, policy, signal } = ctx;
  const { candidate } = attempt;
  if (!candidate) throw new Error(`task ${attempt.task} has no test to judge`);
  const changes = await ports.workspace.changes(attempt.base, candidate.commit);
  const { baseTree } = attempt;
  const baseline = { tree: baseTree, passing: [], failing: [] };
  const checks = await runAuthorChecks({
    ...{ ports, policy, task: task.def, attempt, candidate, changes, baseline, baseTree, signal },
    tests: openTests(ctx, attempt.slot),
  });
  const verdict = getAuthorVerdict(checks);
  const ref = getRef(attempt);
  const on = { base: attempt.base, tree: candidate.tree };
  const judged = { type: 'test.judged', ...ref, verdict, checks, ...on } as const;
  if (verdict.word !== 'proven') return { events: [judged] };
  const paths = changes.map(({ path }) => path);
  const files = await keepFiles(ctx, attempt, candidate, paths);
  const reason = `the test is written: ${verdict.reason}`;
  const { events } = endAttempt(attempt, {
    outcome: 'partial',
    reason,
    category: null,
    wip: null,
    findings: [],
  });
  const authored = { type: 'test.authored', ...ref, commit: candidate.commit, files } as const;
  return { events: [judged, authored, ...events], release: true };
}

/** Nothing said otherwise: that is all a test needs, for it lands with what it proves or not at all. */
function getAuthorVerdict(checks: readonly CheckResult[]): Verdict {
  if (checks.some(isDecisive)) return getVerdict(checks);
  return { word: 'proven', decidedBy: null, reason: checks.at(-1)?.summary ?? '', findings: [] };
}

async function keepFiles(
  ctx: StepContext,
  attempt: Attempt,
  candidate: Candidate,
  paths: readonly string[],
): Promise<Record<string, string>> {
  const { workspace } = ctx.ports;
  const { backlogPath, notesPath } = ctx.policy;
  await workspace.keep(getTestRef(attempt.task), candidate.commit);
  const files: Record<string, string> = {};
  for (const path of paths) {
    const blob =
      path === backlogPath || path === notesPath ? null : await workspace.blobId(candidate.commit, path);
    if (blob !== null) files[path] = blob;
  }
  return files;
}
