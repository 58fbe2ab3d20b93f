import type { Plan, PlannedTask } from '../../core/decide/plan.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { addTask, type NewFeature } from './add-task.ts';
import { replaceTask } from './replace-task.ts';

export interface ApplyPlanOptions {
  readonly fileName: string;
  readonly dialect: Dialect;
  /** The task that these take the place of, and what that one waited for. */
  readonly replaces?: { readonly id: string; readonly dependsOn: readonly string[] };
}

/** A backlog with the tasks of a plan at its end; everything that was there stays as it was written. */
export function applyPlan(text: string, plan: Plan, options: ApplyPlanOptions): string {
  const { fileName, dialect, replaces } = options;
  const isText = hasTextIds(text, dialect);
  const toId = (id: string): string | number => (!isText && /^\d{1,15}$/.test(id) ? Number(id) : id);
  const added = plan.tasks.reduce(
    (result, task) =>
      addTask(result, { ...getFeature(task, options), id: toId(task.id) }, fileName, dialect).text,
    text,
  );
  return replaces
    ? replaceTask(added, { id: replaces.id, waitFor: getLast(plan).map(toId) }, fileName, dialect)
    : added;
}

/** The tasks that no other task of the plan waits for: whoever waited for the whole waits for these. */
function getLast({ tasks }: Plan): readonly string[] {
  const needed = new Set(tasks.flatMap(task => task.depends_on));
  return tasks.filter(task => !needed.has(task.id)).map(task => task.id);
}

function getFeature(task: PlannedTask, { replaces }: ApplyPlanOptions): NewFeature {
  const { may_change: mayChange = [] } = task;
  const dependsOn = task.depends_on.length === 0 && replaces ? replaces.dependsOn : task.depends_on;
  return {
    description: task.title.trim(),
    testFile: task.test_file,
    verificationSteps: task.verification_steps,
    size: task.size,
    ...(task.category === undefined ? {} : { category: task.category }),
    ...(task.priority === undefined ? {} : { priority: task.priority }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
    ...(mayChange.length === 0 ? {} : { mayChange }),
  };
}

/** Whether the file spells its ids as text, so that new ones are spelled alike. */
function hasTextIds(text: string, { list }: Dialect): boolean {
  const entries = (JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>)[list];
  return Array.isArray(entries) && entries.some(entry => typeof (entry as { id?: unknown })?.id === 'string');
}
