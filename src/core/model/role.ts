import { isDesign } from './phase.ts';
import { getBasis, type TaskDef } from './task.ts';

/** What a session is for: types of work, and those who judge, test, plan and sum up. */
export const ROLES = [
  'initializer',
  'coding',
  'continuation',
  'cleanup',
  'review',
  'test-author',
  'planner',
  'summariser',
  'architect',
  'designer',
] as const;

export type Role = (typeof ROLES)[number];

/** What a session is counted as; fixing what was sent back is done by whoever began. */
export type PromptType = Role | 'feedback';

/** Who does the work of a role, and how; null leaves it to the provider. */
export interface RoleModel {
  readonly provider: string;
  readonly model: string | null;
  readonly effort: string | null;
}

/** The role of a task's session: work that was cut off is gone on with, everything else is begun. */
export function getSessionRole(startWip: string | null, task: TaskDef | undefined, isAuthor = false): Role {
  if (isAuthor) return 'test-author';
  if (task?.kind === 'cleanup') return 'cleanup';
  if (task && isDesign(task.phase) && getBasis(task) !== 'tests')
    return task.phase === 'uiux' ? 'designer' : 'architect';
  return startWip === null ? 'coding' : 'continuation';
}
