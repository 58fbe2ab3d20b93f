import type { Leftover } from '../core/model/facts.ts';
import { isBacklogPath, type Policy } from '../core/model/policy.ts';
import { SESSION_NOTE_FILE } from '../core/monitor/session-note.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { Ports, Workspace } from '../ports/index.ts';

/** After a session that died with its harness: what there is to go on with. */
export async function readLeftover(
  { workspace, toolbox }: Pick<Ports, 'workspace' | 'toolbox'>,
  policy: Policy,
  attempt: Attempt,
  tree: string,
): Promise<Leftover> {
  const changes = await workspace.changes(attempt.checkpoint?.commit ?? attempt.base, tree);
  const words = new Set([policy.notesPath, SESSION_NOTE_FILE]);
  const entries = attempt.dir && toolbox ? await toolbox.read(attempt.dir) : [];
  return {
    changed: changes.some(({ path }) => !isBacklogPath(policy, path) && !words.has(path)),
    steps: Math.max(attempt.steps, entries.filter(({ type }) => type === 'checkpoint').length),
  };
}

/** How long the changed files are now; null for those that are gone. */
export async function readLines(
  ctx: {
    readonly policy: Pick<Policy, 'backlogPath' | 'completedDir' | 'notesPath'>;
    readonly ports: { readonly workspace: Pick<Workspace, 'changes' | 'readFile'> };
  },
  base: string,
  commit: string,
): Promise<Record<string, number | null>> {
  const lines: Record<string, number | null> = {};
  for (const { path, kind } of await ctx.ports.workspace.changes(base, commit)) {
    if (isBacklogPath(ctx.policy, path) || path === ctx.policy.notesPath) continue;
    const text = kind === 'deleted' ? null : await ctx.ports.workspace.readFile(commit, path);
    lines[path] = text === null ? null : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  }
  return lines;
}
