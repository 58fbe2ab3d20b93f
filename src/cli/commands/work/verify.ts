import type { GitWorkspace } from '../../../adapters/git/workspace.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProofPorts } from '../../../app/project/open-ports.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { findLandedProof, readProofFile } from '../../../app/prove/find-proof.ts';
import { readLanded } from '../../../app/prove/landed.ts';
import { type Line, readTreeId, runOwnAtTip, runOwnOn } from '../../../app/prove/own-at-tip.ts';
import { getRecordedChecks, reprove } from '../../../app/prove/reprove.ts';
import { takeVerifySlot } from '../../../app/prove/verify-slot.ts';
import { type ChangeTarget, findTarget, type Target } from '../../../app/prove/verify-target.ts';
import { judge } from '../../../checks/run/judge.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import type { Comparison } from '../../../core/proof/compare-statements.ts';
import { NOT_REPEATABLE } from '../../../core/proof/proof.ts';
import type { Ports } from '../../../ports/index.ts';
import { type CliReporter, createReporter } from '../../render/reporter.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { listenForSignals } from '../../terminal/signals.ts';
import { createStyle, type Style } from '../../terminal/style.ts';

export interface VerifyOptions extends CommonOptions {
  readonly feature?: string;
  readonly base?: string;
  readonly head?: string;
  readonly html?: string;
  readonly mayChange?: readonly string[];
}

interface Outcome {
  readonly lines: readonly Line[];
  readonly passed: boolean;
  readonly verdict: string;
  readonly proof?: ProofAnswer;
}

/** How what came out now compares with what the landed commit says. */
interface ProofAnswer {
  readonly named: string | null;
  readonly remade: string;
  readonly result: Comparison['result'] | 'not-recorded';
  readonly differences: readonly string[];
  readonly as_recorded: readonly { readonly check: string; readonly status: string }[];
}

/** `harness verify`: the same checks again, in a pristine tree, with nothing remembered and nothing recorded. */
export async function verify(io: Io, task: string | undefined, options: VerifyOptions): Promise<void> {
  const id = task ?? options.feature;
  if (options.base !== undefined) {
    if (id !== undefined) throw new HarnessError('usage', 'a task has a base of its own', BASE_FIX);
    return (await import('./verify-change.ts')).verifyChange(io, { ...options, base: options.base });
  }
  if (options.head !== undefined || options.html !== undefined)
    throw new HarnessError('usage', '--head and --html go with --base', BASE_FIX);
  if (id === undefined || (task !== undefined && options.feature !== undefined && task !== options.feature)) {
    const message = id === undefined ? 'which task?' : 'the argument and --feature name different tasks';
    const fix =
      'harness verify 12   (or, for what is on a branch or in your checkout: harness verify --base main)';
    throw new HarnessError('usage', message, { field: '<task>', fix });
  }
  const project = await openProject(getWhere(io, options.repo));
  const target = await findTarget(project, id);
  const reporter = createReporter(io, options.json ?? false);
  const stop = listenForSignals(() => reporter.running(), 'nothing is recorded: verify again');
  try {
    if (!options.json) io.out(getHeadline(target));
    const outcome = await runTarget(io, project, target, reporter, stop.signal);
    reporter.close();
    tell(io, target, outcome, options.json ?? false);
  } finally {
    reporter.close();
    stop.dispose();
  }
}

const BASE_FIX = {
  field: '--base',
  fix: 'harness verify --base main --head my-branch, or harness verify 12',
};

async function runTarget(
  io: Io,
  project: Project,
  target: Target,
  reporter: CliReporter,
  signal: AbortSignal,
): Promise<Outcome> {
  if (target.kind === 'landed') return runLanded(io, project, target, reporter, signal);
  const ports = await openProofPorts(project, { reporter });
  const place = takeVerifySlot((ports.workspace as GitWorkspace).home);
  try {
    const ctx = { ports, policy: project.policy, slot: place.slot, signal };
    return target.kind === 'tip' ? await runAtTip(ctx, target) : await runChange(ctx, project, target);
  } finally {
    place.release();
  }
}

/** What landed: everything once more, and then the question whether it says what the commit says. */
async function runLanded(
  io: Io,
  project: Project,
  target: ChangeTarget,
  reporter: CliReporter,
  signal: AbortSignal,
): Promise<Outcome> {
  const { landed, ctx, tree } = await readLanded(project);
  const found = landed.find(({ commit }) => commit === target.commit);
  const located = found ? findLandedProof(project.stateDir, found) : null;
  const landing = {
    ...{ task: target.task.id, commit: target.commit, tree: target.tree },
    base: { commit: target.base, tree: target.baseTree },
    named: found?.proof ?? null,
    proof: located?.proof ?? null,
  };
  const { judgement, hash, comparison, asRecorded } = await reprove(project, landing, {
    ...{ reporter, signal, env: io.env },
  });
  const { word } = judgement.verdict;
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
  const now = isOld ? await runOwnAtTip(project, target.task, tip, { reporter, signal }) : [];
  const lines = [...judgement.checks, ...now.map(line => ({ ...line, check: `${line.check}, at the tip` }))];
  if (word === 'proven' && now.some(({ status }) => status !== 'passed'))
    return { lines, passed: false, verdict: OPEN_AGAIN, proof };
  return { lines, passed: word === 'proven' && isSame, verdict: word, proof };
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

function getHeadline(target: Target): string {
  const { task, commit } = target;
  const what = {
    landed: `landed as ${commit.slice(0, 10)}; checking it against its parent`,
    attempt: `has not landed; checking the work of its last attempt, ${commit.slice(0, 10)}`,
    tip: `has not been worked on; running its tests on ${commit.slice(0, 10)}`,
  }[target.kind];
  return `Task ${task.id}: ${task.title}\nIt ${what}.${task.testFile ? `\nTest file: ${task.testFile}` : ''}\n`;
}

function tell(io: Io, target: Target, outcome: Outcome, json: boolean): void {
  const { lines, passed, verdict, proof } = outcome;
  io.exit(passed ? 0 : EXIT_CODES.unproven);
  const { task, kind, commit } = target;
  if (json) {
    io.out(JSON.stringify({ task: task.id, kind, commit, passed, verdict, proof, checks: lines }));
    return;
  }
  const style = createStyle(io.colourOut);
  for (const line of lines) {
    for (const command of line.commands) io.out(style.dim(`$ ${command}`));
    const paint = line.status === 'passed' ? style.good : line.status === 'failed' ? style.bad : style.warn;
    io.out(
      `${paint(line.status.padEnd(12))} ${line.check}: ${line.summary} ${style.dim(`(${line.durationMs} ms)`)}`,
    );
    for (const finding of line.findings.slice(0, 10))
      io.out(`             ${finding.replaceAll('\n', '\n             ')}`);
  }
  if (proof) tellProof(io, proof, style);
  io.out(`\nTask ${task.id}: ${(passed ? style.good : style.bad)(verdict)}`);
  io.out(style.dim(`next: ${passed ? 'harness status' : `harness log --task ${task.id}`}`));
}

const ANSWERS: Readonly<Record<ProofAnswer['result'], string>> = {
  same: 'the same as when it landed',
  'same-but-flaky': 'the same as when it landed, but for flaky tests',
  different: 'NOT the same as when it landed',
  'not-recorded': 'nothing to compare with: its commit names no proof',
};

function tellProof(io: Io, proof: ProofAnswer, style: Style): void {
  const paint = proof.result === 'different' ? style.bad : style.good;
  io.out(`\n${paint(`proof ${proof.remade.slice(0, 12)}: ${ANSWERS[proof.result]}`)}`);
  for (const difference of proof.differences.slice(0, 10)) io.out(`  ${difference}`);
  const more = proof.differences.length - 10;
  if (more > 0) io.out(style.dim(`  and ${more} more`));
  for (const { check, status } of proof.as_recorded)
    io.out(style.dim(`  ${check} (${status}) cannot be asked again: taken as recorded`));
}
