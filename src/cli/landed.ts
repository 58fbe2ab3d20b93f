import { type GitContext, openContext } from '../adapters/git/context.ts';
import { findLandings } from '../adapters/git/history.ts';
import { getCommitFacts, readObjects } from '../adapters/git/objects.ts';
import { readNotes } from '../adapters/git/read-notes.ts';
import { runGit } from '../adapters/git/run-git.ts';
import { findTip, readHeads } from '../adapters/git/tip.ts';
import type { Landing } from '../ports.ts';
import type { Project } from './open-project.ts';

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
  readonly tip: string;
  /** Oldest first. */
  readonly landed: readonly Landed[];
}

/** Everything that ever landed, from nothing but the repository. */
export async function readLanded(project: Project): Promise<LandedHistory> {
  const ctx = openContext(project.repo, runGit);
  const heads = await readHeads(ctx);
  const tip = (await findTip(ctx, heads))?.commit ?? heads.base;
  const landings = await findLandings(ctx, '0'.repeat(tip.length), tip);
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
  const landed = landings.map((landing, at): Landed => {
    const [own, parent] = [commits[at], parents[at]];
    const facts = own?.type === 'commit' ? getCommitFacts(own) : { tree: '', seconds: 0 };
    const base = parent?.type === 'commit' ? { commit: parent.id, tree: getCommitFacts(parent).tree } : null;
    const note = notes.get(landing.commit) ?? null;
    const title = /\n\n(.*)/.exec(own?.body.toString('utf8') ?? '')?.[1] ?? '';
    return { ...landing, title, tree: facts.tree, atMs: facts.seconds * 1_000, base, note };
  });
  return { ctx, tip, landed };
}
