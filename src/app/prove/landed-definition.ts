import { readObjects } from '../../adapters/git/objects/objects.ts';
import { type GitContext, openContext } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import type { TaskDef } from '../../core/model/task.ts';
import { getDefinitionIn } from '../../core/proof/commit-message.ts';
import type { Project } from '../project/open-project.ts';

/** The definition that came along with a landed commit, where no backlog has it. */
export async function readLandedDefinition(
  { repo }: Pick<Project, 'repo'>,
  commit: string,
  ctx: GitContext = openContext(repo, runGit),
): Promise<TaskDef | null> {
  const [object] = await readObjects(ctx, [commit]);
  return object?.type === 'commit' ? getDefinitionIn(object.body.toString('utf8')) : null;
}
