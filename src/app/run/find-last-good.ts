import { createReader } from '../../adapters/git/objects/objects.ts';
import { openContext, runRepo } from '../../adapters/git/repo/context.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';

/** How far back a good version is looked for. */
const MAX_VERSIONS = 100;

/** Whether the committed backlog can be read, and if not, the newest commit in which it could. */
export async function findLastGood(
  project: Project,
): Promise<{ readonly problem: HarnessError | null; readonly commit: string | null }> {
  const { tip, text } = await readBacklogAtTip(project);
  const problem = text === null ? null : getProblem(project, text);
  if (problem === null || tip === null || isPlanFolder(project.policy.backlogPath))
    return { problem, commit: null };
  const ctx = openContext(project.repo, runGit);
  const { backlogPath } = project.policy;
  const listed = await runRepo(ctx, [
    'log',
    `-${MAX_VERSIONS}`,
    '--format=%H',
    tip.commit,
    '--',
    `:(top,literal)${backlogPath}`,
  ]);
  const reader = createReader(ctx);
  for (const commit of listed.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const older = await reader.readFile(commit, backlogPath);
    if (older !== null && getProblem(project, older) === null) return { problem, commit };
  }
  return { problem, commit: null };
}

function getProblem(project: Project, text: string): HarnessError | null {
  try {
    // Tasks that wait for each other can be read, and are asked about.
    project.backlog.parse(text, { cycles: 'allow' });
    return null;
  } catch (error) {
    if (error instanceof HarnessError) return error;
    throw error;
  }
}
