import type { Plan, PlanRules } from '../../core/decide/plan.ts';
import type { BacklogTask } from '../../ports/index.ts';
import type { Project } from '../project/open-project.ts';
import type { SavedPlan } from './saved-plan.ts';

const MAX_FILES = 5;

/** What a plan has to keep to beside the tasks that are there; the one it replaces makes room for it. */
export function getPlanRules(
  { config }: Project,
  tasks: readonly BacklogTask[],
  replaces: string | null,
): PlanRules {
  const others = tasks.filter(({ def }) => def.id !== replaces);
  return {
    maxSteps: config.features.max_verification_steps,
    maxFiles: MAX_FILES,
    knownIds: others.map(({ def }) => def.id),
    knownTestFiles: others.flatMap(({ def }) => def.testFile ?? []),
  };
}

/** What only this kind of plan has to keep to. */
export function getKindProblems(
  { tasks, ...plan }: Plan,
  { kind, replaces }: Pick<SavedPlan, 'kind' | 'replaces'>,
  isEmptyProject = false,
): readonly string[] {
  const again = tasks.some(task => task.id === replaces);
  return [
    ...(kind === 'one' && tasks.length !== 1 ? [`one task is wanted, not ${tasks.length}`] : []),
    ...(kind === 'split' && tasks.length < 2 ? ['two or more tasks are wanted in its place'] : []),
    ...(again ? [`the id ${replaces} is that of the task to be split: choose others`] : []),
    ...(isEmptyProject && plan.language === undefined
      ? ['`language` is missing: the project has nothing yet']
      : []),
  ];
}
