import { rebase } from '../../../adapters/git/objects/commit.ts';
import { readChanges } from '../../../adapters/git/objects/history.ts';
import type { GitContext } from '../../../adapters/git/repo/context.ts';

interface Merge {
  readonly commit: string;
  readonly parents: readonly string[];
}

/** What else may differ: the books, which are put together anew. */
interface Allowed {
  /** Landings with their proof. */
  readonly sound: ReadonlySet<string>;
  readonly isHarmlessPath: (path: string) => boolean;
}

/**
 * Whether a commit is what landing these together comes to, made once more: each further parent a sound landing, put
 * onto those before it, and not a byte beside them. So a batch is known on any clone, whatever its records are.
 */
export async function isBatchMerge(
  ctx: GitContext,
  { commit, parents }: Merge,
  { sound, isHarmlessPath }: Allowed,
): Promise<boolean> {
  const [first, ...members] = parents;
  if (first === undefined || members.length === 0 || !members.every(member => sound.has(member)))
    return false;
  let onto = first;
  for (const member of members) {
    const books = (await readChanges(ctx, `${member}^1`, member))
      .map(({ path }) => path)
      .filter(isHarmlessPath);
    const put = await rebase(ctx, member, onto, books);
    if (!put.ok) return false;
    onto = put.commit;
  }
  return (await readChanges(ctx, onto, commit)).every(({ path }) => isHarmlessPath(path));
}
