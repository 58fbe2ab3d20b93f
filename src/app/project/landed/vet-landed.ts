import { PLAN_TRAILER } from '../../../adapters/git/landing/first-commit.ts';
import type { Heads, Vet } from '../../../adapters/git/landing/tip.ts';
import { runMergeTree } from '../../../adapters/git/objects/commit.ts';
import { findLandings, isAncestor, readChanges } from '../../../adapters/git/objects/history.ts';
import { getCommitFacts, readObjects } from '../../../adapters/git/objects/objects.ts';
import { expectOk, type GitContext, openContext, runScratch } from '../../../adapters/git/repo/context.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { getSha256 } from '../../../adapters/process/hasher.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { auditLanding, isVouched } from '../../../core/proof/audit.ts';
import { openReader } from '../backlog-at-tip.ts';
import type { Project } from '../open-project.ts';
import { isRecorded } from '../store/open-project-store.ts';
import { isBatchMerge } from './batch-merge.ts';
import { findLandedProof } from './find-proof.ts';
import { type Landed, readFacts } from './landed.ts';

/**
 * What lies on harness/landed reaches the base branch with the next landing. So whatever the base lacks has to be a
 * landing with its proof or a person's word, a batch of such, a plan, a change of the backlog alone, or a merge of these.
 */
export function createVet(project: Project): Vet {
  let good: string | null = null;
  return async heads => {
    const { base, landed } = heads;
    if (landed === null || landed === good) return;
    const ctx = openContext(project.repo, runGit);
    if (!(await isAncestor(ctx, landed, base))) await refuseStrangers(project, ctx, { base, landed }, good);
    good = landed;
  };
}

async function refuseStrangers(
  project: Project,
  ctx: GitContext,
  { base, landed }: Heads & { readonly landed: string },
  good: string | null,
): Promise<void> {
  const { vouched, sound } = await findVouched(project, ctx, base, landed);
  // Whatever a vouched commit was put on was there, and looked at, when that was done.
  const not = [base, ...vouched, ...(good === null ? [] : [good])].map(commit => `^${commit}`);
  const listed = await runScratch(ctx, ['rev-list', '--reverse', landed, ...not]);
  const commits = expectOk(ctx, 'reading harness/landed', listed)
    .toString('utf8')
    .split('\n')
    .filter(Boolean);
  if (commits.length === 0) return;
  const isHarmlessPath = await findHarmlessPaths(project, ctx, landed);
  const strangers: string[] = [];
  for (const commit of commits)
    if (!(await isHarmless(ctx, commit, { sound, isHarmlessPath })))
      strangers.push(await describe(ctx, commit));
  if (strangers.length > 0) throw getStrangersError(project.policy.baseBranch, strangers);
}

/** Landings that hold and their batches, plans, and what a person gave back and was judged. */
async function findVouched(
  project: Project,
  ctx: GitContext,
  base: string,
  landed: string,
): Promise<{ readonly vouched: readonly string[]; readonly sound: ReadonlySet<string> }> {
  const landings = await readFacts(ctx, await findLandings(ctx, base, landed));
  const recorded = await readAccepted(project);
  const args = ['log', '--format=%H', `--grep=^${PLAN_TRAILER}`, `${base}..${landed}`];
  const plans = expectOk(ctx, 'reading harness/landed', await runScratch(ctx, args)).toString('utf8');
  const accepted: string[] = [];
  for (const commit of recorded.accepted)
    if (await isAncestor(ctx, commit, landed).catch(() => false)) accepted.push(commit);
  const holding = landings.filter(one => isHolding(project.stateDir, one) || recorded.landed.has(one.commit));
  const sound = new Set(holding.map(({ commit }) => commit));
  return { vouched: [...sound, ...plans.split('\n').filter(Boolean), ...accepted], sound };
}

function isHolding(stateDir: string, landed: Landed): boolean {
  const copy = findLandedProof(stateDir, landed);
  const copies = copy === null ? [] : [{ ...copy, sha256: getSha256(copy.text) }];
  const audited = auditLanding(landed, copies, null);
  return audited.status === 'sound' || isVouched(audited);
}

/** Commits that this machine's journal says were landed, or judged and taken, a batch as a whole. */
async function readAccepted(
  project: Project,
): Promise<{ readonly landed: ReadonlySet<string>; readonly accepted: readonly string[] }> {
  const [landed, accepted] = [new Set<string>(), [] as string[]];
  if (!isRecorded(project)) return { landed, accepted };
  const store = await project.store();
  for (const { event } of await store.read({ types: ['task.landed', 'work.accepted', 'batch.proven'] })) {
    if (event.type === 'task.landed') landed.add(event.commit);
    if (event.type === 'work.accepted' || event.type === 'batch.proven') accepted.push(event.commit);
  }
  return { landed, accepted };
}

/** What may be changed there by hand: the list of tasks, their tests, the settings and the notes. */
async function findHarmlessPaths(
  project: Project,
  ctx: GitContext,
  landed: string,
): Promise<(path: string) => boolean> {
  const { backlogPath, completedDir, notesPath, configPath } = project.policy;
  const text = await openReader(ctx, project.policy).readFile(landed, backlogPath);
  const tests = text === null ? [] : getTestFiles(project, text);
  const files = new Set([backlogPath, notesPath, configPath, ...tests]);
  const folders = [backlogPath, completedDir ?? backlogPath].map(folder => `${folder}/`);
  return path => files.has(path) || folders.some(folder => path.startsWith(folder));
}

function getTestFiles({ backlog }: Project, text: string): readonly string[] {
  try {
    return backlog.parse(text).tasks.flatMap(({ def }) => def.testFile ?? []);
  } catch {
    return [];
  }
}

async function isHarmless(
  ctx: GitContext,
  commit: string,
  allowed: Parameters<typeof isBatchMerge>[2],
): Promise<boolean> {
  const [object] = await readObjects(ctx, [commit]);
  if (object?.type !== 'commit') return false;
  const { parents, tree } = getCommitFacts(object);
  const [first, second, ...others] = parents;
  if (first === undefined) return false;
  if (second === undefined)
    return (await readChanges(ctx, first, commit)).every(({ path }) => allowed.isHarmlessPath(path));
  if (await isBatchMerge(ctx, { commit, parents }, allowed)) return true;
  if (others.length > 0) return false;
  // Where git alone could not merge, a person had to.
  const merged = await runMergeTree(ctx, first, second);
  return !merged.ok || merged.tree === tree;
}

async function describe(ctx: GitContext, commit: string): Promise<string> {
  const shown = await runScratch(ctx, ['log', '-1', '--format=%h %s', commit]);
  return expectOk(ctx, 'reading a commit', shown).toString('utf8').trim();
}

const MAX_NAMED = 5;

function getStrangersError(baseBranch: string, strangers: readonly string[]): HarnessError {
  const more = strangers.length > MAX_NAMED ? `, and ${strangers.length - MAX_NAMED} more` : '';
  const named = `${strangers.slice(0, MAX_NAMED).join(', ')}${more}`;
  return new HarnessError(
    'repo',
    `harness/landed holds commits that no proof and no person has vouched for, and the next landing would take them to ${baseBranch}: ${named}`,
    {
      field: 'harness/landed',
      fix:
        `look at them (git log ${baseBranch}..harness/landed); take them yourself: git switch ${baseBranch} && git merge harness/landed; ` +
        'or keep them elsewhere: git branch -m harness/landed <another name>',
    },
  );
}
