import { rmSync } from 'node:fs';
import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import { type JudgedChange, judgeChange } from '../../checks/run/judge-change.ts';
import { detectAround } from '../../config/detect/folder.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { TEST_GLOBS } from '../../config/protected-globs.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { UNLISTED_TASK } from '../../core/model/task.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { createProof, getProofRecord, NOT_REPEATABLE } from '../../core/proof/proof.ts';
import type { Proof } from '../../core/proof/proof-schema.ts';
import type { Ports } from '../../ports/index.ts';
import { tryProject } from '../doctor/try-project.ts';
import { createProject } from '../project/create-project.ts';
import { createRepoReader, type Where } from '../project/open-checkout.ts';
import { openProofPorts } from '../project/open-ports.ts';
import { openProject, type Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import { createSilentTrial, getWatch, type Watch, type WatchTrial } from '../project/watch.ts';
import { type ChangeAnswer, getChangeAnswer } from './change-answer.ts';
import { type ChangeRange, makeScratch, type Scratch } from './scratch-repo.ts';

export interface VerifyChangeInput extends ChangeRange, Watch {
  /** Protected files that may change. */
  readonly mayChange?: readonly string[];
  /** Watches the trial of the commands that were found out, where the base has no settings. */
  readonly watchTrial?: WatchTrial;
}

export interface VerifiedChange extends ChangeAnswer {
  readonly proof: Proof;
}

/** Judges whatever was changed, by whomever, in any repository, and leaves nothing there. */
export async function verifyChange(where: Where, input: VerifyChangeInput): Promise<VerifiedChange> {
  const scratch = await makeScratch(where.cwd, input);
  try {
    const { watchTrial = createSilentTrial(getWatch(input).signal) } = input;
    const { project, source } = await openScratch(scratch, where.env, watchTrial);
    const { judged, proof } = await judgeScratch(project, scratch, input);
    const answer = getChangeAnswer(judged, { source, what: scratch.what, base: scratch.base, project });
    return { ...answer, proof };
  } finally {
    scratch.dispose();
  }
}

/** The settings of the base where it has some; else what `init` would write, tried there first. */
async function openScratch(
  { dir }: Scratch,
  env: Where['env'],
  watchTrial: WatchTrial,
): Promise<{ readonly project: Project; readonly source: string }> {
  const where = { cwd: dir, env };
  const file = findConfigFile(dir);
  if (file !== null) return { project: await openProject(where), source: file };
  const found = await detectAround(dir, '', createRepoReader(dir));
  const open = (one: typeof found) => createProject(where, one, {});
  const { detected } = await watchTrial(watched => tryProject(found, open, watched));
  if (detected.full === null)
    throw new HarnessError('environment', 'no command was found that runs the tests of this project', {
      field: 'testing.full',
      fix: 'harness init, set testing.full in .harness.yaml, commit it on the base, then verify again',
    });
  return { project: await createProject(where, detected, {}), source: 'found out' };
}

async function judgeScratch(
  project: Project,
  { base, tree, subject }: Scratch,
  input: VerifyChangeInput,
): Promise<{ readonly judged: JudgedChange; readonly proof: Proof }> {
  const { reporter, signal } = getWatch(input);
  const ports = await openProofPorts(project, { reporter });
  const { home } = ports.workspace as GitWorkspace;
  const verifySlot = takeVerifySlot(home);
  const startedMs = ports.clock.monotonicMs();
  try {
    const { tree: baseTree } = await ports.workspace.tip();
    if (tree === baseTree)
      throw new HarnessError('usage', 'nothing has changed since the base', {
        field: '--base',
        fix: 'name what the work began from: harness verify --base main',
      });
    const atMs = ports.clock.nowMs();
    const judged = await judgeChange({
      ...{ ports, policy: project.policy, signal, slot: verifySlot.slot, tree, atMs },
      base: { commit: base, tree: baseTree },
      task: { ...UNLISTED_TASK, id: 'change', title: subject, mayChange: input.mayChange ?? [] },
      testGlobs: TEST_GLOBS,
      without: new Set(NOT_REPEATABLE),
    });
    const durationMs = Math.round(ports.clock.monotonicMs() - startedMs);
    return { judged, proof: makeProof(ports, judged, { atMs, durationMs }) };
  } finally {
    verifySlot.release();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeProof(
  { hasher, containment }: Ports,
  { checks, runs, statement, candidate }: JudgedChange,
  when: { readonly atMs: number; readonly durationMs: number },
): Proof {
  const facts = { checks, runs, candidate, tools: hasher.tools, sandbox: containment ?? null };
  const record = getProofRecord(
    { ...facts, ...when, attempt: 1, sessions: 0, usage: NO_USAGE },
    hasher.sha256,
  );
  return createProof(statement, record, hasher.sha256);
}
