import { createReader } from '../../adapters/git/objects/objects.ts';
import { openContext, runRepo } from '../../adapters/git/repo/context.ts';
import type { RepoFacts } from '../../adapters/git/repo/repo.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { HarnessError } from '../../core/base/failure.ts';

/** How far back a good version is looked for. */
const MAX_VERSIONS = 100;

export interface GoodVersion {
  readonly commit: string;
  readonly text: string;
}

/** The newest committed version of a file that can be read, up to a commit; null where there is none. */
export async function findLastGood(
  repo: RepoFacts,
  from: { readonly commit: string; readonly path: string },
  read: (text: string) => unknown,
): Promise<GoodVersion | null> {
  const ctx = openContext(repo, runGit);
  const asked = ['log', `-${MAX_VERSIONS}`, '--format=%H', from.commit, '--', `:(top,literal)${from.path}`];
  const listed = await runRepo(ctx, asked);
  const reader = createReader(ctx);
  for (const commit of listed.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const text = await reader.readFile(commit, from.path);
    if (text !== null && getDamage(text, read) === null) return { commit, text };
  }
  return null;
}

/** What keeps a text from being read; null where nothing does. */
export function getDamage(text: string, read: (text: string) => unknown): HarnessError | null {
  try {
    read(text);
    return null;
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
}
