import { type GitContext, openContext } from '../adapters/git/context.ts';
import { readObjects } from '../adapters/git/objects.ts';
import { runGit } from '../adapters/git/run-git.ts';
import { getDefinitionIn } from '../core/commit-message.ts';
import type { TaskDef } from '../core/task.ts';
import type { Project } from './open-project.ts';

/** The definition that came along with a landed commit, where no backlog has it. */
export async function readLandedDefinition(
  { repo }: Pick<Project, 'repo'>,
  commit: string,
  ctx: GitContext = openContext(repo, runGit),
): Promise<TaskDef | null> {
  const [object] = await readObjects(ctx, [commit]);
  return object?.type === 'commit' ? getDefinitionIn(object.body.toString('utf8')) : null;
}
