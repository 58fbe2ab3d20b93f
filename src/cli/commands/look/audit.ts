import { readHeads } from '../../../adapters/git/landing/tip.ts';
import { readObjects } from '../../../adapters/git/objects/objects.ts';
import { createBlobLister } from '../../../adapters/git/objects/tree-blobs.ts';
import { findDamage, readTouching } from '../../../adapters/git/repo/audit-history.ts';
import type { GitContext } from '../../../adapters/git/repo/context.ts';
import { getSha256 } from '../../../adapters/process/notary.ts';
import { readBacklogAtTip } from '../../../app/project/backlog-at-tip.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { openProject, type Project } from '../../../app/project/open-project.ts';
import { readRecorded, readReopened } from '../../../app/project/read-recorded.ts';
import { findChangedInCheckout } from '../../../app/prove/changed-in-checkout.ts';
import { findLandedProof, readProofFile } from '../../../app/prove/find-proof.ts';
import { type Landed, type LandedHistory, readLanded } from '../../../app/prove/landed.ts';
import { type LookedAt, type Rerun, rerunAll } from '../../../app/prove/rerun-all.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { isStub } from '../../../core/code/stub-mark.ts';
import { auditLanding, type ProofCopy, type RecordedLanding } from '../../../core/proof/audit.ts';
import { type ChangedTest, findChangedTests, type ProvenTests } from '../../../core/testing/changed-tests.ts';
import { type AuditedLanding, type AuditReport, tellAudit } from '../../render/audit-view.ts';
import { withReporter } from '../../render/watch.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { getTimeMs } from '../../terminal/parse-time.ts';

export interface AuditOptions extends CommonOptions {
  readonly rerun?: boolean;
  readonly since?: string;
}

/** `harness audit`: every landed task against its proof; with `--rerun`, every proof again. */
export async function audit(io: Io, options: AuditOptions): Promise<void> {
  const project = await openProject(getWhere(io, options.repo));
  const sinceMs = options.since === undefined ? 0 : getTimeMs(options.since, Date.now(), '--since');
  const rerun = options.rerun
    ? (audited: readonly LookedAt[], history: LandedHistory) =>
        withReporter(io, options.json ?? false, watched =>
          rerunAll(project, audited, history, { ...watched, env: io.env }),
        )
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
    readonly rerun?:
      | ((audited: readonly LookedAt[], history: LandedHistory) => ReturnType<typeof rerunAll>)
      | undefined;
  } = {},
): Promise<AuditReport> {
  const { sinceMs = 0, rerun } = options;
  const history = await readLanded(project);
  const wanted = history.landed.filter(({ atMs }) => atMs >= sinceMs);
  const recorded = await readRecorded(project);
  const audited = wanted.map(landed => auditOne(project, landed, wanted, recorded));
  const again = rerun ? await rerun(audited, history) : null;
  const report = await makeReport(project, history, audited, recorded, again?.reruns ?? null);
  const reopened = new Map(
    [...(again?.reopened ?? []), ...(await readReopened(project))].map(one => [one.task, one]),
  );
  return { ...report, ok: report.ok && reopened.size === 0, reopened: [...reopened.values()] };
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
): Promise<Omit<AuditReport, 'reopened'>> {
  const landings = looked.map(({ landed, audited }): AuditedLanding => {
    const { task, attempt, commit, proof = null } = landed;
    const rerun = reruns?.get(commit);
    return { task, attempt, commit, proof, ...audited, ...(rerun ? { rerun } : {}) };
  });
  const { changed, uncommitted } = await findChanges(project, history, looked);
  const damage = await findDamage(history.ctx, [
    ...looked.map(({ landed }) => landed.commit),
    ...history.heads,
  ]);
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
  return { ok, sound, tip: history.heads[0], landings, changed, uncommitted, damage, missing, unproven };
}

/** What became of the tests since they proved something. */
async function findChanges(
  project: Project,
  { ctx, heads, tree }: LandedHistory,
  looked: readonly LookedAt[],
): Promise<{ changed: ChangedTest[]; uncommitted: string[] }> {
  const listBlobs = createBlobLister(ctx);
  const blobs = await listBlobs(tree);
  const all = looked.flatMap(({ landed, proof }) =>
    proof ? [{ task: landed.task, commit: landed.commit, tests: proof.statement.files.tests }] : [],
  );
  const proven = await leaveOutStubs(ctx, all, blobs);
  const [first] = proven;
  if (!first) return { changed: [], uncommitted: [] };
  const changed = findChangedTests(proven, await readTouching(ctx, first.commit, heads), blobs);
  if (project.repo.headBranch !== project.policy.baseBranch) return { changed, uncommitted: [] };
  // What has landed beside the checkout is not in it: only what is the same there can be held against it.
  const there = await listBlobs((await readHeads(ctx)).base);
  const paths = new Set(proven.flatMap(({ tests }) => Object.keys(tests)));
  const files = Object.entries(blobs).filter(([path, id]) => paths.has(path) && there[path] === id);
  const { root, objectFormat } = project.repo;
  return { changed, uncommitted: findChangedInCheckout(root, objectFormat, Object.fromEntries(files)) };
}

/** A place for a test proves nothing: whoever puts one there changes nothing that was proven. */
async function leaveOutStubs(
  ctx: GitContext,
  proven: readonly ProvenTests[],
  blobs: Readonly<Record<string, string>>,
): Promise<ProvenTests[]> {
  const entries = proven.flatMap(({ tests }) => Object.entries(tests));
  const ids = [...new Set(entries.flatMap(([path, id]) => (blobs[path] === id ? [] : [id])))];
  const objects = await readObjects(ctx, ids);
  const stubs = new Set(ids.filter((_, at) => isStub(objects[at]?.body.toString('utf8') ?? null)));
  return proven.map(one => ({
    ...one,
    tests: Object.fromEntries(Object.entries(one.tests).filter(([, id]) => !stubs.has(id))),
  }));
}

async function readUnproven(project: Project, landed: ReadonlySet<string>): Promise<string[]> {
  const { text, baseText } = await readBacklogAtTip(project);
  const { tasks } = project.backlog.parse(text ?? baseText ?? '');
  return tasks.filter(({ def, passes }) => passes && !landed.has(def.id)).map(({ def }) => def.id);
}
