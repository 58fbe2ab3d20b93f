import { getCommitFacts, readObjects } from '../../adapters/git/objects/objects.ts';
import { type GitContext, openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { KEPT_PREFIX } from '../../adapters/git/repo/locks.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { getAttemptRef } from '../../core/proof/commit-message.ts';
import type { BacklogTask } from '../../ports/index.ts';
import { getListedText, readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { getUnknownTaskError } from '../project/check-task.ts';
import { findAllLandings, readLandedDefinition } from '../project/landed/landed.ts';
import type { Project } from '../project/open-project.ts';
import { readRecorded } from '../project/open-record.ts';

/** What there is to verify of a task: a change against its base, or only how things stand. */
export type Target =
  | ChangeTarget
  | { readonly kind: 'tip'; readonly task: TaskDef; readonly commit: string; readonly tree: string };

export interface ChangeTarget {
  readonly kind: 'landed' | 'attempt';
  readonly task: TaskDef;
  readonly attempt: number;
  readonly commit: string;
  readonly tree: string;
  readonly base: string;
  readonly baseTree: string;
}

/** Finds it in the repository alone: trailers in the history, kept attempts under refs/harness. */
export async function findTarget(project: Project, taskId: string): Promise<Target> {
  const found = await readBacklogAtTip(project);
  const { heads, tip } = found;
  const commit = tip?.commit ?? heads.base;
  const tips = tip || heads.landed === null ? [commit] : [heads.landed, heads.base];
  const { tasks } = project.backlog.parse(getListedText(project, found));
  const ctx = openContext(project.repo, runGit);
  const task = tasks.find(({ def }) => def.id === taskId) ?? (await findUnlisted(ctx, project, taskId, tips));
  if (!task)
    throw getUnknownTaskError(
      tasks.map(({ def }) => def.id),
      taskId,
      '<task>',
    );
  const recorded = (await readRecorded(project)).get(taskId)?.commit;
  const change = await findChange(ctx, task, tips, recorded);
  if (change) return change;
  const facts = await readCommit(ctx, commit);
  return { kind: 'tip', task: task.def, commit, tree: facts?.tree ?? '' };
}

/** Work that no backlog lists and that has landed all the same: a clean-up, or an objective. */
async function findUnlisted(
  ctx: GitContext,
  project: Project,
  taskId: string,
  tips: readonly string[],
): Promise<BacklogTask | null> {
  const landings = await findAllLandings(ctx, tips);
  const landing = landings.findLast(found => found.task === taskId);
  const def = landing && (await readLandedDefinition(project, landing.commit, ctx));
  return def ? { def, passes: true } : null;
}

/** Of several commits that say they landed it, the recorded one did. What landed counts while the backlog says that it stands; otherwise the newest attempt, kept or landed. */
async function findChange(
  ctx: GitContext,
  { def, passes }: BacklogTask,
  tips: readonly string[],
  recorded: string | undefined,
): Promise<ChangeTarget | null> {
  const landings = (await findAllLandings(ctx, tips)).filter(found => found.task === def.id);
  const landing = landings.find(({ commit }) => commit === recorded) ?? landings.at(-1);
  // What a person did on the base stands there by itself; what an agent tried before is not it.
  if (passes && !landing) return null;
  const kept = await findKept(ctx, def.id);
  const isKeptNewer = kept !== null && kept.attempt > (landing?.attempt ?? 0);
  const [kind, found] =
    landing && (passes || !isKeptNewer) ? (['landed', landing] as const) : (['attempt', kept] as const);
  const facts = found && (await readCommit(ctx, found.commit));
  const base = facts?.parents[0];
  const baseFacts = base && (await readCommit(ctx, base));
  if (!found || !facts || !base || !baseFacts) return null;
  const { commit, attempt } = found;
  return { kind, task: def, attempt, commit, tree: facts.tree, base, baseTree: baseFacts.tree };
}

async function findKept(ctx: GitContext, task: string): Promise<{ commit: string; attempt: number } | null> {
  const prefix = `${KEPT_PREFIX}${getAttemptRef(task, 0).replace(/\/0$/, '/')}`;
  const { stdout } = await runRepo(ctx, ['for-each-ref', '--format=%(refname) %(objectname)', prefix]);
  const refs = stdout
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '');
  const found = refs.map(line => {
    const [name = '', commit = ''] = line.split(' ');
    return { commit, attempt: Number(name.slice(prefix.length)) };
  });
  return found.sort((a, b) => b.attempt - a.attempt)[0] ?? null;
}

async function readCommit(
  ctx: GitContext,
  commit: string,
): Promise<ReturnType<typeof getCommitFacts> | null> {
  const [object] = await readObjects(ctx, [commit]);
  return object?.type === 'commit' ? getCommitFacts(object) : null;
}
