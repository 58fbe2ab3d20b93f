import type { Attempt } from '../core/attempt.ts';
import type { WipFile } from '../core/continuation.ts';
import { isBacklogPath } from '../core/policy.ts';
import type { SessionContext } from './context.ts';

/** More than anybody is told of are not opened. */
const MAX_OPENED = 20;

/** What an earlier attempt left in the worktree, file by file. */
export async function readWip(
  { ports: { workspace }, policy }: SessionContext,
  { base, checkpoint }: Attempt,
): Promise<readonly WipFile[]> {
  if (!checkpoint) return [];
  const changes = (await workspace.changes(base, checkpoint.commit)).filter(
    ({ path }) => !isBacklogPath(policy, path),
  );
  return Promise.all(
    changes.map(async ({ path, kind }, index) => {
      const isOpened = kind !== 'deleted' && index < MAX_OPENED;
      const text = isOpened ? await workspace.readFile(checkpoint.commit, path) : null;
      return { path, kind, lines: text === null ? null : countLines(text) };
    }),
  );
}

function countLines(text: string): number | null {
  if (text.includes('\0')) return null;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
