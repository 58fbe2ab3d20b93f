import type { HarnessEvent } from '../core/events/event.ts';
import { getResearchOverview, isResearch, RESEARCH_FOLDER } from '../core/prompt/research.ts';
import { getSafeName } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { SessionContext } from './context.ts';

const MAX_KEPT_FILES = 100;

/**
 * What an agent's searches found is put away under the task and told to its next session as an overview; none of
 * it becomes part of the work. A project that has such a folder itself keeps it.
 */
export async function takeResearch(
  { ports, policy }: Pick<SessionContext, 'ports' | 'policy'>,
  { task, attempt }: { readonly task: TaskState; readonly attempt: Attempt },
  tree: string,
): Promise<{ readonly tree: string; readonly events: readonly HarnessEvent[] }> {
  const { workspace, artifacts, hasher, redact = (text: string) => text } = ports;
  const changes = await workspace.changes(attempt.base, tree);
  const paths = changes
    .filter(({ path, kind }) => kind === 'added' && isResearch(path, task.def))
    .map(({ path }) => path);
  const isOwn = paths.length > 0 && (await hasFolder(workspace, attempt.base));
  if (paths.length === 0 || isOwn || paths.includes(policy.backlogPath)) return { tree, events: [] };
  const files = await Promise.all(
    paths.slice(0, MAX_KEPT_FILES).map(async path => ({ path, text: await workspace.readFile(tree, path) })),
  );
  const folder = `tasks/${getSafeName(task.def.id)}`;
  for (const { path, text } of files) {
    const name = path.slice(RESEARCH_FOLDER.length + 1).replaceAll('/', '-');
    await artifacts.write(`${folder}/${RESEARCH_FOLDER}/processed_json/${name}`, redact(text ?? ''));
  }
  const overview = redact(getResearchOverview(files));
  await artifacts.write(`${folder}/research_overview.md`, overview);
  const given = { name: 'research_overview.md', role: 'coding', how: 'summary', text: overview } as const;
  return {
    tree: await workspace.compose({ tree, drop: paths }),
    events: [{ type: 'drop.taken', ...given, sha256: hasher.sha256(overview), task: task.def.id }],
  };
}

async function hasFolder(
  { listFiles }: { listFiles(treeish: string): Promise<readonly string[]> },
  base: string,
): Promise<boolean> {
  return (await listFiles(base)).some(path => path.startsWith(`${RESEARCH_FOLDER}/`));
}
