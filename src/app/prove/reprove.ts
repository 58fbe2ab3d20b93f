import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import { type Judgement, judge } from '../../checks/run/judge.ts';
import { CHECK_NAMES, type CheckResult } from '../../core/model/check.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { type Comparison, compareStatements } from '../../core/proof/compare-statements.ts';
import { getStatementHash, NOT_REPEATABLE } from '../../core/proof/proof.ts';
import type { Proof, Statement } from '../../core/proof/proof-schema.ts';
import type { Reporter, Store } from '../../ports/index.ts';
import { readLandedDefinition } from '../project/landed/landed.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { openProjectAt } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';

/** A landed change, and what its commit and its proof say. */
export interface Landing {
  readonly task: string;
  readonly commit: string;
  readonly tree: string;
  readonly base: { readonly commit: string; readonly tree: string };
  /** The hash in its trailer. */
  readonly named: string | null;
  /** Null when the proof itself is not here: then only the hash can be compared. */
  readonly proof: Proof | null;
}

export interface ReproveOptions {
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Keeps what was run for the next one; the tree before one landing is often the tree after another. */
  readonly store?: Store;
}

export interface Reproof {
  readonly judgement: Judgement;
  readonly hash: string;
  readonly comparison: Comparison | null;
  /** What could not be asked again: it counts as it was recorded. */
  readonly asRecorded: readonly CheckResult[];
}

/** Proves a landing again from its two commits alone: their settings, their backlog, their files. */
export async function reprove(project: Project, landing: Landing, options: ReproveOptions): Promise<Reproof> {
  const { base, commit, tree, proof } = landing;
  const first = await openProofPorts(project, options);
  const verifySlot = takeVerifySlot((first.workspace as GitWorkspace).home);
  try {
    const { dir } = await first.workspace.pristine(verifySlot.slot * 2 + 1, base.tree);
    const then = await openProjectAt(project, dir);
    const ports = await openProofPorts(then, options);
    const { policy } = then;
    const [before, after] = await Promise.all(
      [base.commit, commit].map(id => ports.workspace.readFile(id, policy.backlogPath)),
    );
    const compared = before && after ? then.backlog.compare(before, after) : { claims: [], problems: [] };
    const task =
      getListed(then, landing.task, before ?? after ?? '') ?? (await readLandedDefinition(project, commit));
    if (!task) throw new Error(`task ${landing.task} is not in the backlog that it landed with`);
    const asRecorded = getRecorded(landing, task);
    const judgement = await judge({
      ports,
      policy,
      task,
      recorded: asRecorded,
      attempt: { slot: verifySlot.slot },
      candidate: { commit, tree, backlogProblems: compared.problems, claims: compared.claims },
      base,
      signal: options.signal,
      without: new Set(CHECK_NAMES.filter(name => !isWanted(proof, name))),
    });
    const hash = getStatementHash(judgement.statement, ports.hasher.sha256);
    return { judgement, hash, comparison: compare(landing, hash, judgement.statement), asRecorded };
  } finally {
    verifySlot.release();
  }
}

function getListed(project: Project, id: string, backlog: string): TaskDef | null {
  return project.backlog.parse(backlog).tasks.find(({ def }) => def.id === id)?.def ?? null;
}

/** Without the proof, the commit that names one vouches for a person's yes where the task asks for it. */
function getRecorded({ proof, named }: Landing, task: TaskDef): CheckResult[] {
  const isAsked = task.verificationType !== 'automated' && named !== null;
  const yes = {
    check: 'human',
    status: 'passed',
    summary: 'as its landing says',
    findings: [],
    commands: [],
  } as const;
  if (proof === null) return isAsked ? [{ ...yes, durationMs: 0 }] : [];
  return getRecordedChecks(proof);
}

/** What was answered then by those who cannot be asked again. */
export function getRecordedChecks(proof: Proof): CheckResult[] {
  return proof.record.checks
    .filter(({ check }) => NOT_REPEATABLE.includes(check))
    .map(({ duration_ms, found: _, ...result }) => ({ ...result, durationMs: duration_ms }));
}

/** The checks of that time: those that came later have nothing to be compared with. */
function isWanted(proof: Proof | null, name: (typeof CHECK_NAMES)[number]): boolean {
  if (NOT_REPEATABLE.includes(name)) return false;
  return proof === null || proof.statement.checks.some(({ check }) => check === name);
}

function compare({ named, proof }: Landing, hash: string, remade: Statement): Comparison | null {
  if (named === null) return null;
  if (hash === named) return { result: 'same', differences: [] };
  if (proof?.hash === named) return compareStatements(proof.statement, remade);
  const why =
    proof === null ? 'the proof is not here to say in what' : 'the proof that is here is not the one';
  return { result: 'different', differences: [`the hash is ${hash}, the commit names ${named}; ${why}`] };
}
