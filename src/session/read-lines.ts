import type { Policy } from '../core/model/policy.ts';
import type { Workspace } from '../ports/index.ts';

/** How long the changed files are now; null for those that are gone. */
export async function readLines(
  ctx: {
    readonly policy: Pick<Policy, 'backlogPath' | 'notesPath'>;
    readonly ports: { readonly workspace: Pick<Workspace, 'changes' | 'readFile'> };
  },
  base: string,
  commit: string,
): Promise<Record<string, number | null>> {
  const lines: Record<string, number | null> = {};
  const books = [ctx.policy.backlogPath, ctx.policy.notesPath];
  for (const { path, kind } of await ctx.ports.workspace.changes(base, commit)) {
    if (books.includes(path)) continue;
    const text = kind === 'deleted' ? null : await ctx.ports.workspace.readFile(commit, path);
    lines[path] = text === null ? null : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  }
  return lines;
}
