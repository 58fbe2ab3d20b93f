import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openPermissions } from '../../process/remove-tree.ts';
import { type Area, discardArea, openArea } from '../areas/area.ts';
import { writeGaps } from '../areas/gaps.ts';
import type { GitContext } from '../repo/context.ts';
import { getGitError } from '../repo/git-error.ts';
import type { GitResult } from '../repo/run-git.ts';
import { writeAgentGit } from './agent-git.ts';
import { layTree } from './lay-tree.ts';

/** No repair of the area can help against these. */
const HOPELESS =
  /No space left|not a valid object|not a tree object|missing (blob|tree|object)|bad object|unable to read/i;

export interface ResetRequest {
  readonly treeish: string;
  /** Names of the only folders that may stay besides the tree; null when all ignored files may. */
  readonly keep: readonly string[] | null;
  /** What the area's own `.git` names as its commit, if anything. */
  readonly head: string | null;
}

/**
 * Makes the area's files exactly those of a tree, with a fresh `.git` beside them for whoever works
 * there. What an agent or a kill left in the way (permissions, a broken index, nested repositories)
 * is repaired; what cannot be repaired is made anew.
 */
export async function resetTree(ctx: GitContext, area: Area, request: ResetRequest): Promise<void> {
  let failure: GitResult | null = null;
  for (const heal of [null, healArea, discardArea]) {
    heal?.(area);
    openArea(ctx, area);
    failure = await tryReset(ctx, area, request);
    if (failure === null) return;
    if (HOPELESS.test(failure.stderr)) break;
  }
  if (failure !== null) throw getGitError(`preparing ${area.tree}`, failure, area.tree);
}

/** Null when it worked. */
async function tryReset(ctx: GitContext, area: Area, request: ResetRequest): Promise<GitResult | null> {
  try {
    const laid = await layTree(ctx, area, request.treeish, request.keep);
    if ('failure' in laid) return laid.failure;
    writeGaps(area, laid.gaps);
    writeAgentGit(ctx.repo, area.tree, request.head, readFileSync(area.indexFile), request.keep !== null);
    return null;
  } catch (error) {
    return { code: 1, stdout: Buffer.alloc(0), stderr: `error: ${(error as Error).message}` };
  }
}

function healArea(area: Area): void {
  openPermissions(area.tree);
  rmSync(join(area.gitDir, 'index'), { force: true });
}
