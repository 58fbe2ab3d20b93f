import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readRef } from '../../adapters/git/landing/refs.ts';
import { readHeads } from '../../adapters/git/landing/tip.ts';
import { findDamage, readBlobs, readTouching } from '../../adapters/git/objects/history.ts';
import { readObjects } from '../../adapters/git/objects/objects.ts';
import { getObjectId } from '../../adapters/git/objects/write-objects.ts';
import type { GitContext } from '../../adapters/git/repo/context.ts';
import type { ObjectFormat } from '../../adapters/git/repo/repo.ts';
import { getSha256 } from '../../adapters/process/hasher.ts';
import { isStub } from '../../core/code/stub-mark.ts';
import {
  type Audited,
  auditLanding,
  isVouched,
  type ProofCopy,
  type RecordedLanding,
} from '../../core/proof/audit.ts';
import { type ChangedTest, findChangedTests, type ProvenTests } from '../../core/testing/changed-tests.ts';
import { getListedText, readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { findLandedProof, readProofFile } from '../project/landed/find-proof.ts';
import { type Landed, type LandedHistory, readLanded } from '../project/landed/landed.ts';
import type { Project } from '../project/open-project.ts';
import { readDoneByHand, readRecorded, readReopened } from '../project/open-record.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { type LookedAt, type Reopened, type Rerun, rerunAll } from './rerun-all.ts';

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
  /** Landed tasks whose own proof a later change broke: as recorded here, and as `--rerun` sees them at the tip. */
  readonly reopened: readonly Reopened[];
}

export interface AuditInput extends Watch {
  /** Only what landed from then on. */
  readonly sinceMs?: number;
  /** Every proof is made again as well. */
  readonly rerun?: boolean;
}

/** Every landed task against its proof, and whatever was edited since. */
export async function auditProject(project: Project, input: AuditInput = {}): Promise<AuditReport> {
  const { sinceMs = 0, rerun } = input;
  const history = await readLanded(project);
  const wanted = history.landed.filter(({ atMs }) => atMs >= sinceMs);
  const recorded = await readRecorded(project);
  const audited = wanted.map(landed => auditOne(project, landed, wanted, recorded));
  const again = rerun ? await rerunAll(project, audited, history, getWatch(input)) : null;
  const report = await makeReport(project, { history, audited, recorded, reruns: again?.reruns ?? null });
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
  const file = readProofFile(stateDir, landed.task, landed.attempt);
  const located = [
    landed.note === null ? null : findLandedProof(stateDir, landed),
    file && isOfOther(landed, file, recorded) ? null : file,
  ];
  const copies: ProofCopy[] = located
    .filter(copy => copy !== null)
    .map(copy => ({ ...copy, sha256: getSha256(copy.text) }));
  const isNewest = all.findLast(({ task }) => task === landed.task) === landed;
  const audited = auditLanding(landed, copies, isNewest ? (recorded.get(landed.task) ?? null) : null);
  return { landed, audited, proof: audited.status === 'sound' ? (copies[0]?.proof ?? null) : null };
}

/** Whole, and of an attempt of this clone that did not land: a host with other records landed the task. */
function isOfOther(
  { note, task, commit, record }: Landed,
  { problems, proof }: ProofFile,
  recorded: ReadonlyMap<string, RecordedLanding>,
): boolean {
  if (note === null || recorded.get(task)?.commit === commit) return false;
  return problems.length === 0 && proof !== null && proof.record_hash !== record;
}

type ProofFile = NonNullable<ReturnType<typeof readProofFile>>;

interface Found {
  readonly history: LandedHistory;
  readonly audited: readonly LookedAt[];
  readonly recorded: ReadonlyMap<string, RecordedLanding>;
  readonly reruns: ReadonlyMap<string, Rerun> | null;
}

async function makeReport(
  project: Project,
  { history, audited: looked, recorded, reruns }: Found,
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
    one =>
      (one.status === 'sound' || isVouched(one) || (one.status === 'absent' && one.rerun)) &&
      one.rerun?.ok !== false,
  );
  const isUntouched = changed.every(({ byTask }) => byTask !== null) && uncommitted.length === 0;
  const sound = isSound && damage.length === 0 && missing.length === 0;
  const ok = sound && isUntouched;
  const unproven = await readUnproven(project, new Set([...there, ...(await readDoneByHand(project))]));
  return { ok, sound, tip: history.heads[0], landings, changed, uncommitted, damage, missing, unproven };
}

/** What became of the tests since they proved something. */
async function findChanges(
  project: Project,
  { ctx, heads, tree }: LandedHistory,
  looked: readonly LookedAt[],
): Promise<{ changed: ChangedTest[]; uncommitted: string[] }> {
  const blobs = await readBlobs(ctx, tree);
  const all = looked.flatMap(({ landed, proof }) =>
    proof ? [{ task: landed.task, commit: landed.commit, tests: proof.statement.files.tests }] : [],
  );
  const proven = await leaveOutStubs(ctx, all, blobs);
  const [first] = proven;
  if (!first) return { changed: [], uncommitted: [] };
  const changed = findChangedTests(proven, await readTouching(ctx, first.commit, heads), blobs);
  if (project.repo.headBranch !== project.policy.baseBranch) return { changed, uncommitted: [] };
  // What has landed beside the checkout is not in it: only what is the same there can be held against it.
  const own = await readRef(ctx, `refs/heads/${project.policy.baseBranch}`);
  const there = await readBlobs(ctx, own ?? (await readHeads(ctx)).base);
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
  const { tasks } = project.backlog.parse(getListedText(project, await readBacklogAtTip(project)));
  return tasks.filter(({ def, passes }) => passes && !landed.has(def.id)).map(({ def }) => def.id);
}

/** Which of these files are not, in the checkout, what they are in the commit that it is on. */
export function findChangedInCheckout(
  root: string,
  format: ObjectFormat,
  files: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(files)
    .filter(([path, id]) => !isSame(join(root, path), format, id))
    .map(([path]) => path);
}

/** Line ends that git converts on the way out are no changes; anything but that file, or that link, is one. */
function isSame(path: string, format: ObjectFormat, id: string): boolean {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink())
      return getObjectId(format, { type: 'blob', body: readlinkSync(path, 'buffer') }) === id;
    if (!stat.isFile()) return false;
    const body = readFileSync(path);
    if (getObjectId(format, { type: 'blob', body }) === id) return true;
    const unix = Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    return getObjectId(format, { type: 'blob', body: unix }) === id;
  } catch {
    return false;
  }
}
