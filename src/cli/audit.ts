import { findDamage, readTouching } from '../adapters/git/audit-history.ts';
import { createBlobLister } from '../adapters/git/tree-blobs.ts';
import { getSha256 } from '../adapters/process/notary.ts';
import { type Audited, auditLanding, type ProofCopy, type RecordedLanding } from '../core/audit.ts';
import { type ChangedTest, findChangedTests } from '../core/changed-tests.ts';
import { EXIT_CODES } from '../core/failure.ts';
import type { Proof } from '../core/proof-schema.ts';
import { tellAudit } from './audit-view.ts';
import { readBacklogAtTip } from './backlog-at-tip.ts';
import { findChangedInCheckout } from './changed-in-checkout.ts';
import { findLandedProof, readProofFile } from './find-proof.ts';
import type { Io } from './io.ts';
import { type Landed, type LandedHistory, readLanded } from './landed.ts';
import { getWhere } from './open-checkout.ts';
import { openProject, type Project } from './open-project.ts';
import { getTimeMs } from './parse-time.ts';
import type { CommonOptions } from './program.ts';
import { readRecorded } from './read-recorded.ts';
import { type Rerun, rerunAll } from './rerun-all.ts';

export interface AuditOptions extends CommonOptions {
  readonly rerun?: boolean;
  readonly since?: string;
}

/** One landing with all that was found about it. */
export interface AuditedLanding extends Audited {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
  readonly proof: string | null;
  readonly rerun?: Rerun;
}

export interface AuditReport {
  readonly ok: boolean;
  /** Proofs, landings and records hold together, whatever people did to the tests since. */
  readonly sound: boolean;
  readonly tip: string;
  readonly landings: readonly AuditedLanding[];
  /** Tests that are not what tasks were proven with; by a proven landing that is in order. */
  readonly changed: readonly ChangedTest[];
  /** Tests that differ in the checkout from the commit that it is on. */
  readonly uncommitted: readonly string[];
  /** Objects of landed trees that are not what their names say. */
  readonly damage: readonly string[];
  /** Recorded here as landed, and not in the history. */
  readonly missing: readonly string[];
  /** Tasks that the backlog says pass, and that nobody has landed. */
  readonly unproven: readonly string[];
}

/** `harness audit`: every landed task against its proof; with `--rerun`, every proof again. */
export async function audit(io: Io, options: AuditOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const sinceMs = options.since === undefined ? 0 : getTimeMs(options.since, Date.now(), '--since');
  const rerun = options.rerun
    ? (audited: readonly LookedAt[]) => rerunAll(io, project, audited, options.json ?? false)
    : undefined;
  const report = await readAudit(project, { sinceMs, rerun });
  io.exit(report.ok ? 0 : EXIT_CODES.unproven);
  if (options.json) io.out(JSON.stringify(report));
  else tellAudit(io, report);
}

/** The same without telling anybody. */
export async function readAudit(
  project: Project,
  options: {
    readonly sinceMs?: number;
    readonly rerun?: ((audited: readonly LookedAt[]) => Promise<ReadonlyMap<string, Rerun>>) | undefined;
  } = {},
): Promise<AuditReport> {
  const { sinceMs = 0, rerun } = options;
  const history = await readLanded(project);
  const wanted = history.landed.filter(({ atMs }) => atMs >= sinceMs);
  const recorded = await readRecorded(project);
  const audited = wanted.map(landed => auditOne(project, landed, wanted, recorded));
  const reruns = rerun ? await rerun(audited) : null;
  return makeReport(project, history, audited, recorded, reruns);
}

/** A landing that was looked at, with its proof where that can be believed. */
export interface LookedAt {
  readonly landed: Landed;
  readonly audited: Audited;
  readonly proof: Proof | null;
}

function auditOne(
  project: Project,
  landed: Landed,
  all: readonly Landed[],
  recorded: ReadonlyMap<string, RecordedLanding>,
): LookedAt {
  const { stateDir } = project;
  const located = [
    landed.note === null ? null : findLandedProof(stateDir, landed),
    readProofFile(stateDir, landed.task, landed.attempt),
  ];
  const copies: ProofCopy[] = located
    .filter(copy => copy !== null)
    .map(copy => ({ ...copy, sha256: getSha256(copy.text) }));
  const isNewest = all.findLast(({ task }) => task === landed.task) === landed;
  const audited = auditLanding(landed, copies, isNewest ? (recorded.get(landed.task) ?? null) : null);
  return { landed, audited, proof: audited.status === 'sound' ? (copies[0]?.proof ?? null) : null };
}

async function makeReport(
  project: Project,
  history: LandedHistory,
  looked: readonly LookedAt[],
  recorded: ReadonlyMap<string, RecordedLanding>,
  reruns: ReadonlyMap<string, Rerun> | null,
): Promise<AuditReport> {
  const landings = looked.map(({ landed, audited }): AuditedLanding => {
    const { task, attempt, commit, proof = null } = landed;
    const rerun = reruns?.get(commit);
    return { task, attempt, commit, proof, ...audited, ...(rerun ? { rerun } : {}) };
  });
  const { changed, uncommitted } = await findChanges(project, history, looked);
  const damage = await findDamage(history.ctx, [...looked.map(({ landed }) => landed.commit), history.tip]);
  const there = new Set(history.landed.map(({ task }) => task));
  const missing = [...recorded].filter(([task]) => !there.has(task)).map(([task]) => task);
  const isSound = landings.every(
    ({ status, rerun }) =>
      (status === 'sound' || status === 'unproven' || (status === 'absent' && rerun)) && rerun?.ok !== false,
  );
  const isUntouched = changed.every(({ byTask }) => byTask !== null) && uncommitted.length === 0;
  const sound = isSound && damage.length === 0 && missing.length === 0;
  const ok = sound && isUntouched;
  const unproven = await readUnproven(project, there);
  return { ok, sound, tip: history.tip, landings, changed, uncommitted, damage, missing, unproven };
}

/** What became of the tests since they proved something. */
async function findChanges(
  project: Project,
  { ctx, tip }: LandedHistory,
  looked: readonly LookedAt[],
): Promise<{ changed: ChangedTest[]; uncommitted: string[] }> {
  const proven = looked.flatMap(({ landed, proof }) =>
    proof ? [{ task: landed.task, commit: landed.commit, tests: proof.statement.files.tests }] : [],
  );
  const [first] = proven;
  if (!first) return { changed: [], uncommitted: [] };
  const blobs = await createBlobLister(ctx)(tip);
  const changed = findChangedTests(proven, await readTouching(ctx, first.commit, tip), blobs);
  const paths = new Set(proven.flatMap(({ tests }) => Object.keys(tests)));
  const files = Object.fromEntries(Object.entries(blobs).filter(([path]) => paths.has(path)));
  const { root, objectFormat, headBranch } = project.repo;
  const isOnTip =
    headBranch === project.policy.baseBranch && (await readBacklogAtTip(project)).heads.base === tip;
  return { changed, uncommitted: isOnTip ? findChangedInCheckout(root, objectFormat, files) : [] };
}

async function readUnproven(project: Project, landed: ReadonlySet<string>): Promise<string[]> {
  const { text, baseText } = await readBacklogAtTip(project);
  const { tasks } = project.backlog.parse(text ?? baseText ?? '');
  return tasks.filter(({ def, passes }) => passes && !landed.has(def.id)).map(({ def }) => def.id);
}
