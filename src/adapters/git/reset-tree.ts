import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, discardArea, openArea, runArea } from './area.ts';
import type { GitContext } from './context.ts';
import { writeAgentGit } from './git-dir.ts';
import { getGitError } from './git-error.ts';
import { getIndexFacts, type IndexFacts } from './index-file.ts';
import { joinBytes, openPermissions, readStats, removeTree } from './remove-tree.ts';
import type { GitResult } from './run-git.ts';

/** No repair of the area can help against these. */
const HOPELESS =
  /No space left|not a valid object|not a tree object|missing (blob|tree|object)|bad object|unable to read/i;

export interface ResetRequest {
  readonly treeish: string;
  /** How far files go that are not in the tree, as arguments of `git clean`. */
  readonly getCleanArgs: (index: IndexFacts) => string[];
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

/** Null when it worked. While git removes what is left over, which is the slow part, the rest is done. */
async function tryReset(ctx: GitContext, area: Area, request: ResetRequest): Promise<GitResult | null> {
  const reset = await runArea(ctx, area, ['read-tree', '--reset', '-u', request.treeish]);
  if (reset.code !== 0) return reset;
  let cleaning: Promise<GitResult> | null = null;
  try {
    const index = readFileSync(area.indexFile);
    const facts = getIndexFacts(index, ctx.repo.objectFormat);
    cleaning = runArea(ctx, area, ['clean', '-ffdq', ...request.getCleanArgs(facts)]);
    removeNestedRepos(area, facts);
    removeTree(join(area.tree, '.git'));
    writeAgentGit(ctx.repo, area.tree, request.head, index);
    const cleaned = await cleaning;
    return cleaned.code === 0 ? null : cleaned;
  } catch (error) {
    await cleaning?.catch(() => {});
    return { code: 1, stdout: Buffer.alloc(0), stderr: `error: ${(error as Error).message}` };
  }
}

/** A `.git` beside tracked files is invisible to git, and a submodule's folder is none of its business. */
function removeNestedRepos(area: Area, facts: IndexFacts): void {
  for (const dir of facts.dirs) {
    const nested = joinBytes(area.tree, dir, '.git');
    if (readStats(nested) !== null) removeTree(nested.toString('utf8'));
  }
  for (const link of facts.gitlinks) {
    const path = joinBytes(area.tree, link);
    if (!readStats(path)?.isDirectory() || readdirSync(path).length === 0) continue;
    removeTree(path.toString('utf8'));
    mkdirSync(path);
  }
}

function healArea(area: Area): void {
  openPermissions(area.tree);
  rmSync(join(area.gitDir, 'index'), { force: true });
}
