import { readNotes } from '../../../adapters/git/landing/notes.ts';
import { findTip, readHeads } from '../../../adapters/git/landing/tip.ts';
import { runMergeTree } from '../../../adapters/git/objects/commit.ts';
import { findLandings } from '../../../adapters/git/objects/history.ts';
import { getCommitFacts, readObjects } from '../../../adapters/git/objects/objects.ts';
import { refreshRemote } from '../../../adapters/git/remote/shared-notes.ts';
import { type GitContext, openContext } from '../../../adapters/git/repo/context.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import type { TaskDef } from '../../../core/model/task.ts';
import { getDefinitionIn } from '../../../core/proof/commit-message.ts';
import type { Landing } from '../../../ports/index.ts';
import type { Project } from '../open-project.ts';

/** A landed commit with all that the repository itself says about it. */
export interface Landed extends Landing {
  readonly title: string;
  readonly tree: string;
  readonly atMs: number;
  readonly base: { readonly commit: string; readonly tree: string } | null;
  /** Its proof as it is attached to it; null where that has not been fetched. */
  readonly note: string | null;
}

export interface LandedHistory {
  readonly ctx: GitContext;
  /** Both branches are among them until a run joins them; the commit that holds both comes first. */
  readonly heads: readonly [string, ...string[]];
  /** The tree that they have, or would have together. */
  readonly tree: string;
  /** Oldest first. */
  readonly landed: readonly Landed[];
}

/** Everything that ever landed, from nothing but the repository. */
export async function readLanded(project: Project): Promise<LandedHistory> {
  const ctx = openContext(project.repo, runGit);
  if (project.repo.remote !== null) await refreshRemote(ctx);
  const { heads, tree } = await readTips(ctx);
  const landed = await readFacts(ctx, await findAllLandings(ctx, heads));
  return { ctx, heads, tree, landed };
}

/** What the repository says about each of these landings. */
export async function readFacts(ctx: GitContext, landings: readonly Landing[]): Promise<readonly Landed[]> {
  const [notes, commits, parents] = await Promise.all([
    readNotes(ctx),
    readObjects(
      ctx,
      landings.map(({ commit }) => commit),
    ),
    readObjects(
      ctx,
      landings.map(({ commit }) => `${commit}^1`),
    ),
  ]);
  return landings.map((landing, at): Landed => {
    const [own, parent] = [commits[at], parents[at]];
    const facts = own?.type === 'commit' ? getCommitFacts(own) : { tree: '', seconds: 0 };
    const base = parent?.type === 'commit' ? { commit: parent.id, tree: getCommitFacts(parent).tree } : null;
    const note = notes.get(landing.commit) ?? null;
    const title = /\n\n(.*)/.exec(own?.body.toString('utf8') ?? '')?.[1] ?? '';
    return { ...landing, title, tree: facts.tree, atMs: facts.seconds * 1_000, base, note };
  });
}

/** The tip; or, where the base and harness/landed have parted, both, and what they come to without moving them. */
async function readTips(ctx: GitContext): Promise<Pick<LandedHistory, 'heads' | 'tree'>> {
  const { base, landed } = await readHeads(ctx);
  const tip = await findTip(ctx, { base, landed });
  if (tip !== null || landed === null) {
    const commit = tip?.commit ?? base;
    return { heads: [commit], tree: commit };
  }
  const merged = await runMergeTree(ctx, landed, base);
  return { heads: [landed, base], tree: merged.ok ? merged.tree : landed };
}

/** Landed commits of one branch or of two that have parted, oldest first. */
export async function findAllLandings(ctx: GitContext, heads: readonly string[]): Promise<Landing[]> {
  const all = new Map<string, Landing>();
  for (const head of heads.toReversed())
    for (const one of await findLandings(ctx, '0'.repeat(head.length), head)) all.set(one.commit, one);
  return [...all.values()];
}

/** The definition that came along with a landed commit, where no backlog has it. */
export async function readLandedDefinition(
  { repo }: Pick<Project, 'repo'>,
  commit: string,
  ctx: GitContext = openContext(repo, runGit),
): Promise<TaskDef | null> {
  const [object] = await readObjects(ctx, [commit]);
  return object?.type === 'commit' ? getDefinitionIn(object.body.toString('utf8')) : null;
}
