import { type Judgement, judge } from '../checks/run/judge.ts';
import { redactAll } from '../core/base/redact.ts';
import type { FlakyTest, ProofRef } from '../core/model/facts.ts';
import type { TaskDef } from '../core/model/task.ts';
import { getSafeName } from '../core/proof/commit-message.ts';
import { createProof, getProofRecord, getProofText } from '../core/proof/proof.ts';
import type { ProofRecord } from '../core/proof/proof-schema.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getRegressionSet } from '../core/state/regression.ts';
import { isFlaky, isQuarantined } from '../core/state/suite.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { getRunnerVersion } from '../core/testing/runners.ts';
import { getRef, type StepContext, type StepResult, type UnderWay } from './step.ts';

/** Judges the candidate in a pristine tree and leaves a proof of how. */
export async function verify(ctx: StepContext, { task, attempt }: UnderWay): Promise<StepResult> {
  const { ports, policy, signal, state, worktrees } = ctx;
  const { candidate } = attempt;
  if (!candidate) throw new Error(`task ${attempt.task} has no candidate to verify`);
  const startedMs = ports.clock.monotonicMs();
  const judgement = await judge({
    ports,
    policy,
    task: await readDefinition(ctx, task, attempt),
    attempt,
    candidate,
    base: { commit: attempt.base, tree: attempt.baseTree },
    signal,
    worktrees,
    quarantine: new Set(
      [...state.suite.quarantine.keys()].filter(id => isQuarantined(state.suite.quarantine, id)),
    ),
    landed: getRegressionSet(state, attempt.task),
    person: { answer: task.people.answer, shownTree: attempt.shownTree ?? candidate.tree },
  });
  const durationMs = Math.round(ports.clock.monotonicMs() - startedMs);
  const proof = await writeProof(ctx, { task, attempt }, judgement, durationMs);
  const { verdict, checks, flaky } = judgement;
  const on = { base: attempt.base, tree: candidate.tree };
  return {
    events: [
      ...flaky
        .filter(test => isFlakyOn(attempt.baseTree, test))
        .map(({ id, evidence }) => ({ type: 'test.quarantined', id, evidence }) as const),
      { type: 'verdict.given', ...getRef(attempt), verdict, checks, ...on, proof },
    ],
  };
}

/** Only what the base has said counts against a test: no work may put one out of the way by making it unsteady. */
function isFlakyOn(tree: string, { evidence }: FlakyTest): boolean {
  return isFlaky(evidence.filter(seen => seen.tree === tree));
}

/** The task as the backlog on its base has it: whoever proves the landed commit again finds nothing else. */
async function readDefinition(ctx: StepContext, { def }: TaskState, attempt: Attempt): Promise<TaskDef> {
  const { workspace, backlog } = ctx.ports;
  const { backlogPath } = ctx.policy;
  if ((await workspace.blobId(attempt.base, backlogPath)) === attempt.backlogBlob) return def;
  const { tasks } = backlog.parse((await workspace.readFile(attempt.base, backlogPath)) ?? '');
  return tasks.find(listed => listed.def.id === def.id)?.def ?? def;
}

async function writeProof(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  judgement: Judgement,
  durationMs: number,
): Promise<ProofRef> {
  const { artifacts, hasher, redact } = ctx.ports;
  const record = await makeRecord(ctx, { task, attempt }, judgement, durationMs);
  const proof = createProof(judgement.statement, redact ? redactAll(record, redact) : record, hasher.sha256);
  const path = `proofs/task-${getSafeName(attempt.task)}-attempt-${attempt.number}.json`;
  const ref = await artifacts.write(path, getProofText(proof));
  return { ...ref, hash: proof.hash, recordHash: proof.record_hash };
}

async function makeRecord(
  { ports, policy }: StepContext,
  { task, attempt }: UnderWay,
  { checks, runs }: Judgement,
  durationMs: number,
): Promise<ProofRecord> {
  const { store, workspace, hasher, containment } = ports;
  const { commit = '', tree = '' } = attempt.candidate ?? {};
  const { lockfiles } = policy.environment;
  const locks = await Promise.all(lockfiles.map(path => workspace.readFile(tree, path)));
  const runner = getRunnerVersion(
    policy.testing.runner,
    locks.flatMap(text => text ?? []),
  );
  return getProofRecord(
    {
      attempt: attempt.number,
      atMs: await store.nowMs(),
      durationMs,
      candidate: commit,
      tools: { ...hasher.tools, ...(runner === null ? {} : { runner }) },
      checks,
      runs,
      sandbox: containment ?? null,
      sessions: task.sessions,
      usage: task.usage,
    },
    hasher.sha256,
  );
}
