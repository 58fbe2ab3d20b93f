import { finishFirstCommit } from '../../adapters/git/landing/first-commit.ts';
import { openRepo } from '../../adapters/git/repo/repo.ts';
import type { DetectedProject, RepoReader } from '../../config/detect/detection.ts';
import { getChosenAgent } from '../../config/detect/render-config.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { detectNew } from '../../planning/setup-files.ts';
import { createProject } from '../project/create-project.ts';
import { createRepoReader, findGitDirs, type Where } from '../project/open-checkout.ts';
import { openProject, type Project } from '../project/open-project.ts';

/** A project to plan in: one that runs already, or one that is about to be set up. */
export interface Planning {
  readonly project: Project;
  readonly reader: RepoReader;
  readonly detected: DetectedProject;
  readonly hasConfig: boolean;
  /** Nothing has ever been committed. */
  readonly isUnborn: boolean;
}

/** Opens what there is of a project; where it has no configuration yet, the one that it would get stands in. */
export async function openPlanning(
  where: Where,
  agent: string | null,
  command: string | null = null,
): Promise<Planning> {
  const { root } = await findGitDirs(where);
  const reader = createRepoReader(root);
  const repo = await openRepo(where.cwd, { mayBeEmpty: true });
  await finishFirstCommit(repo);
  const isUnborn = (await readHead(repo)) === null;
  const detected = await detectNew(root, reader, isUnborn);
  const hasConfig = findConfigFile(root) !== null;
  const project = hasConfig
    ? await openProject(where)
    : await createProject(where, detected, getChosenAgent(agent, command));
  return {
    project: agent === null ? project : withPlanner(project, agent),
    reader,
    detected,
    hasConfig,
    isUnborn,
  };
}

/** For this planning only: the project's own choice of agents stays. */
function withPlanner(project: Project, provider: string): Project {
  const { policy } = project;
  const planner =
    policy.models.planner.provider === provider
      ? policy.models.planner
      : { provider, model: null, effort: null };
  return { ...project, policy: { ...policy, models: { ...policy.models, planner } } };
}

async function readHead(repo: Project['repo']): Promise<string | null> {
  const { openContext } = await import('../../adapters/git/repo/context.ts');
  const { readRef } = await import('../../adapters/git/landing/refs.ts');
  const { runGit } = await import('../../adapters/git/repo/run-git.ts');
  return readRef(openContext(repo, runGit), `refs/heads/${repo.baseBranch}`);
}
