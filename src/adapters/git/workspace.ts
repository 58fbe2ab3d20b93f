import type { Workspace } from '../../ports/index.ts';
import { cleanup } from './areas/area.ts';
import { findGaps } from './areas/gaps.ts';
import { drop, keep } from './landing/kept.ts';
import { land } from './landing/land.ts';
import { annotate } from './landing/notes.ts';
import { recover } from './landing/recover.ts';
import { readTip, type TipCache, type Vet } from './landing/tip.ts';
import { commit, rebase } from './objects/commit.ts';
import { compose, getIdWithout } from './objects/compose.ts';
import {
  countLines,
  findEarlier,
  findLandings,
  findWords,
  hasWords,
  isProgram,
  listFiles,
  readBlobs,
  readChanges,
} from './objects/history.ts';
import { createReader } from './objects/objects.ts';
import { readRemoteTip } from './remote/heads.ts';
import { dropOnRemote, fetchKept, keepOnRemote, landOnRemote } from './remote/push.ts';
import { annotateOnRemote } from './remote/shared-notes.ts';
import { type GitContext, openContext } from './repo/context.ts';
import type { RepoFacts } from './repo/repo.ts';
import { type RunGit, runGit } from './repo/run-git.ts';
import { copyInstalled } from './trees/copy-installed.ts';
import { lendLocal } from './trees/local-files.ts';
import { findOpened, forgetOpened } from './trees/opened.ts';
import { DEFAULT_KEEP, prepare, pristine } from './trees/prepare.ts';
import { isSealed, seal } from './trees/seal.ts';
import { snapshot } from './trees/snapshot.ts';
import { findWritten, readHashes } from './trees/written.ts';

export interface WorkspaceOptions {
  readonly repo: RepoFacts;
  /** `base` moves the base branch when nothing is in the way, `branch` always lands on harness/landed. */
  readonly land: 'base' | 'branch';
  readonly vet?: Vet;
  readonly cacheDir?: string;
  /** Folder names that survive in pristine trees. */
  readonly keep?: readonly string[];
  readonly runGit?: RunGit;
}

export interface GitWorkspace extends Workspace {
  /** Our folder for this repository. */
  readonly home: string;
  /** Removes our worktrees; returns their paths. */
  cleanup(): readonly string[];
}

/** The Workspace port on the real git. */
export function openWorkspace(options: WorkspaceOptions): GitWorkspace {
  const ctx = openContext(options.repo, options.runGit ?? runGit, options.cacheDir);
  const tips: TipCache = new Map();
  const reader = createReader(ctx);
  const keepNames = options.keep ?? DEFAULT_KEEP;
  const isShared = ctx.repo.remote !== null;
  const tip: Workspace['tip'] = () => (isShared ? readRemoteTip(ctx) : readTip(ctx, options, tips));
  return {
    home: ctx.home,
    tip,
    readFile: reader.readFile,
    blobId: reader.blobId,
    readEarlier: async (commit, path) => {
      const before = await findEarlier(ctx, commit, path);
      return before === null ? null : reader.readFile(before, path);
    },
    isProgram: (treeish, path) => isProgram(ctx, treeish, path),
    listFiles: treeish => listFiles(ctx, treeish),
    countLines: treeish => countLines(ctx, treeish),
    readBlobs: treeish => readBlobs(ctx, treeish),
    changes: (from, to) => readChanges(ctx, from, to),
    findLandings: (from, to) => findLandings(ctx, from, to),
    prepare: (slot, commit) => prepare(ctx, slot, commit),
    snapshot: slot => snapshot(ctx, slot),
    compose: request => compose(ctx, request),
    idWithout: (tree, paths) => getIdWithout(ctx, tree, paths),
    mentions: (tree, words, except) => hasWords(ctx, tree, words, except),
    findMentions: (tree, words, except) => findWords(ctx, tree, words, except),
    commit: request => commit(ctx, request),
    pristine: (slot, tree, how) => pristine(ctx, slot, tree, how?.wipe ? [] : keepNames),
    findWritten: slot => findWritten(ctx, slot),
    findGaps: async (slot, local) => findGaps(ctx, slot, local),
    lendLocal: slot => lendLocal(ctx, slot, keepNames),
    watch: async slot => {
      const since = forgetOpened(ctx, slot);
      return async () => findOpened(ctx, slot, since);
    },
    copyInstalled: (from, to) => copyInstalled(ctx, from, to, keepNames),
    seal: async slot => seal(ctx, slot, keepNames),
    isSealed: async slot => isSealed(ctx, slot, keepNames),
    rebase: (id, onto, leave) => rebase(ctx, id, onto, leave),
    land: request => land(ctx, options.land, tip, request),
    annotate: (id, text) => annotate(ctx, id, text),
    keep: (name, commit) => keep(ctx, name, commit),
    drop: names => drop(ctx, names),
    ...(isShared ? shareOverRemote(ctx) : {}),
    hashes: async (slot, paths) => readHashes(ctx, slot, paths),
    recover: alone => recover(ctx, alone),
    cleanup: () => cleanup(ctx),
  };
}

/** What other hosts have to know of goes over the remote. */
function shareOverRemote(
  ctx: GitContext,
): Pick<Workspace, 'land' | 'annotate' | 'keep' | 'drop'> & Required<Pick<Workspace, 'fetch'>> {
  return {
    land: request => landOnRemote(ctx, request),
    annotate: (id, text) => annotateOnRemote(ctx, id, text),
    keep: (name, commit) => keepOnRemote(ctx, name, commit),
    drop: async names => {
      await drop(ctx, names);
      await dropOnRemote(ctx, names);
    },
    fetch: kept => fetchKept(ctx, kept ?? null),
  };
}
