import { HarnessError } from '../../core/base/failure.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';

/** The project with what its backlog says of runs, wherever its configuration says nothing of that. */
export async function withBacklogLimits(project: Project): Promise<Project> {
  const limits = await readLimits(project);
  if (limits === undefined) return project;
  const { policy, config } = project;
  const { tasksPerRun, sessions } = policy.limits;
  const isExclusive =
    config.session_config.concurrency_mode === null ? !limits.isConcurrent : policy.exclusive;
  return {
    ...project,
    policy: {
      ...policy,
      exclusive: isExclusive,
      limits: {
        ...policy.limits,
        tasksPerRun: tasksPerRun ?? limits.tasksPerRun,
        sessions: sessions ?? limits.sessions,
      },
    },
  };
}

/** A backlog that cannot be read is for the run itself to refuse, with all that it says. */
async function readLimits(project: Project) {
  if (!project.backlog.hasLimits) return undefined;
  try {
    const { text } = await readBacklogAtTip(project);
    return text === null ? undefined : project.backlog.parse(text).limits;
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}
