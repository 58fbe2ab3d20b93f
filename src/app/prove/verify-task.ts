import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import { judge } from '../../checks/run/judge.ts';
import type { Comparison } from '../../core/proof/compare-statements.ts';
import { NOT_REPEATABLE } from '../../core/proof/proof.ts';
import type { Ports } from '../../ports/index.ts';
import { findLandedProof, readProofFile } from '../project/landed/find-proof.ts';
import { readLanded } from '../project/landed/landed.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { type Line, readTreeId, runOwnAtTip, runOwnOn } from './own-at-tip.ts';
import { getRecordedChecks, reprove } from './reprove.ts';
import { type ChangeTarget, findTarget, type Target } from './verify-target.ts';

export interface VerifyInput extends Watch {
  readonly task: string;
  /** Told what is going to be judged, before it is. */
  readonly onTarget?: (target: Target) => void;
}

export interface VerifyResult {
  readonly task: string;
  readonly kind: Target['kind'];
  readonly commit: string;
  readonly passed: boolean;
  readonly verdict: string;
  readonly proof?: ProofAnswer;
  readonly checks: readonly Line[];
}

interface Outcome {
  readonly lines: readonly Line[];
  readonly passed: boolean;
  readonly verdict: string;
  readonly proof?: ProofAnswer;
}

/** How what came out now compares with what the landed commit says. */
export interface ProofAnswer {
  readonly named: string | null;
  readonly remade: string;
  readonly result: Comparison['result'] | 'not-recorded';
  readonly differences: readonly string[];
  readonly as_recorded: readonly { readonly check: string; readonly status: string }[];
}

/** The same checks again, in a pristine tree, with nothing remembered and nothing recorded. */
export async function verifyTask(project: Project, input: VerifyInput): Promise<VerifyResult> {
  const target = await findTarget(project, input.task);
  input.onTarget?.(target);
  const { lines, ...outcome } = await runTarget(project, target, getWatch(input));
  return { task: target.task.id, kind: target.kind, commit: target.commit, ...outcome, checks: lines };
}

async function runTarget(project: Project, target: Target, watch: Required<Watch>): Promise<Outcome> {
  if (target.kind === 'landed') return runLanded(project, target, watch);
  const { reporter, signal } = watch;
  const ports = await openProofPorts(project, { reporter });
  const verifySlot = takeVerifySlot((ports.workspace as GitWorkspace).home);
  try {
    const ctx = { ports, policy: project.policy, slot: verifySlot.slot, signal };
    return target.kind === 'tip' ? await runAtTip(ctx, target) : await runChange(ctx, project, target);
  } finally {
    verifySlot.release();
  }
}

/** What landed: everything once more, and then the question whether it says what the commit says. */
async function runLanded(project: Project, target: ChangeTarget, watch: Required<Watch>): Promise<Outcome> {
  const { landed, ctx, tree } = await readLanded(project);
  const found = landed.find(({ commit }) => commit === target.commit);
  if (found?.accepted !== undefined && found.proof === undefined)
    return runAccepted(project, target, await readTreeId(ctx, tree), { ...watch, by: found.accepted });
  const located = found ? findLandedProof(project.stateDir, found) : null;
  const landing = {
    ...{ task: target.task.id, commit: target.commit, tree: target.tree },
    base: { commit: target.base, tree: target.baseTree },
    named: found?.proof ?? null,
    proof: located?.proof ?? null,
  };
  const { judgement, hash, comparison, asRecorded } = await reprove(project, landing, watch);
  const { word: outcome } = judgement.verdict;
  const isSame = comparison === null || comparison.result !== 'different';
  const proof: ProofAnswer = {
    named: landing.named,
    remade: hash,
    result: comparison?.result ?? 'not-recorded',
    differences: comparison?.differences ?? [],
    as_recorded: asRecorded.map(({ check, status }) => ({ check, status })),
  };
  const tip = await readTreeId(ctx, tree);
  const isOld = tip !== target.tree && found?.unproven === undefined;
  const now = isOld ? await runOwnAtTip(project, target.task, tip, watch) : [];
  const lines = [...judgement.checks, ...now.map(line => ({ ...line, check: `${line.check}, at the tip` }))];
  if (outcome === 'proven' && now.some(({ status }) => status !== 'passed'))
    return { lines, passed: false, verdict: OPEN_AGAIN, proof };
  return { lines, passed: outcome === 'proven' && isSame, verdict: outcome, proof };
}

/** What landed because the base did it already: its own tests, as it landed and as things are now. */
async function runAccepted(
  project: Project,
  { task, tree }: ChangeTarget,
  tip: string,
  { by, ...watch }: Required<Watch> & { readonly by: string },
): Promise<Outcome> {
  const then = await runOwnAtTip(project, task, tree, watch);
  const now = tip === tree ? [] : await runOwnAtTip(project, task, tip, watch);
  const lines = [...then, ...now.map(line => ({ ...line, check: `${line.check}, at the tip` }))];
  const passed = then.length > 0 && lines.every(({ status }) => status === 'passed');
  const verdict = passed ? 'passes its own tests, which stand for it' : 'does not pass its own tests';
  return { lines, passed, verdict: `${verdict} as accepted by ${by}` };
}

/** What a task is whose proof held when it landed and does not any more. */
const OPEN_AGAIN = 'open again: proven when it landed, and its proof fails at the tip';

interface Context {
  readonly ports: Ports;
  readonly policy: Project['policy'];
  readonly slot: number;
  readonly signal: AbortSignal;
}

/** The change against its base: everything a verdict needs. */
async function runChange(ctx: Context, project: Project, target: ChangeTarget): Promise<Outcome> {
  const { ports, policy, slot, signal } = ctx;
  const { base, baseTree, commit, tree, task } = target;
  const [before, after] = await Promise.all(
    [base, commit].map(id => ports.workspace.readFile(id, policy.backlogPath)),
  );
  const compared = before && after ? project.backlog.compare(before, after) : { claims: [], problems: [] };
  const found = readProofFile(project.stateDir, task.id, target.attempt)?.proof ?? null;
  const recorded = found?.statement.candidate.tree === tree ? getRecordedChecks(found) : [];
  const { checks, verdict } = await judge({
    ports,
    policy,
    task,
    attempt: { slot },
    candidate: { commit, tree, backlogProblems: compared.problems, claims: compared.claims },
    base: { commit: base, tree: baseTree },
    signal,
    without: new Set(NOT_REPEATABLE),
    recorded,
  });
  const unasked = NOT_REPEATABLE.filter(name => !recorded.some(({ check }) => check === name));
  const lines = [...checks, ...recorded.map(one => ({ ...one, summary: `as recorded: ${one.summary}` }))];
  if (verdict.word !== 'proven' || unasked.length === 0)
    return { lines, passed: verdict.word === 'proven', verdict: verdict.word };
  const left = `what can be asked again holds, and nobody has answered: ${unasked.join(', ')}`;
  return { lines, passed: false, verdict: `not proven: ${left}` };
}

/** No change to compare: what the task's own tests say where the next task would start. */
async function runAtTip(ctx: Context, { task, tree }: Extract<Target, { kind: 'tip' }>): Promise<Outcome> {
  const lines = await runOwnOn(ctx, task, tree);
  const passed = lines.length > 0 && lines.every(line => line.status === 'passed');
  const verdict = passed ? 'passes' : lines.length === 0 ? 'has nothing to run' : 'does not pass';
  return { lines, passed, verdict };
}
