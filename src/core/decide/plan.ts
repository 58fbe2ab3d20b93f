import { findCycles, findMissingDependencies } from '../base/graph.ts';

/** One task as a planner proposes it. */
export interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly category?: string;
  readonly depends_on: readonly string[];
  readonly test_file: string;
  readonly verification_steps: readonly string[];
  /** Files it expects to touch. */
  readonly files: readonly string[];
  readonly size: 'small' | 'medium' | 'large';
  readonly priority?: number;
  /** Protected files that it cannot do without, such as package.json for a new dependency. */
  readonly may_change?: readonly string[];
}

/** A planner's whole answer. */
export interface Plan {
  readonly project?: string;
  readonly summary: string;
  /** What to build it in; only asked of a project that has nothing yet. */
  readonly language?: PlanLanguage;
  readonly tasks: readonly PlannedTask[];
}

export const PLAN_LANGUAGES = ['node', 'python', 'go', 'rust', 'other'] as const;

export type PlanLanguage = (typeof PLAN_LANGUAGES)[number];

/** What a plan must keep to; the same numbers are told to the planner. */
export interface PlanRules {
  readonly maxSteps: number;
  readonly maxFiles: number;
  /** Ids that are taken, and may be depended on. */
  readonly knownIds: readonly string[];
  /** Test files that other tasks own. */
  readonly knownTestFiles: readonly string[];
  /** Without it as many as it takes. */
  readonly maxTasks?: number;
}

/** What is wrong with a plan, in sentences that the planner gets back. An empty list means it can be shown. */
export function getPlanProblems(plan: Plan, rules: PlanRules): string[] {
  if (plan.tasks.length === 0) return ['the plan has no tasks'];
  return [
    ...plan.tasks.flatMap(task => getTaskProblems(task, rules)),
    ...(plan.tasks.length > (rules.maxTasks ?? Number.POSITIVE_INFINITY)
      ? [
          `the plan has ${plan.tasks.length} tasks, at most ${rules.maxTasks} are wanted now: leave out what comes last`,
        ]
      : []),
    ...getRepeats(plan.tasks.map(task => task.id)).map(id => `two tasks have the id ${id}`),
    ...plan.tasks
      .filter(task => rules.knownIds.includes(task.id))
      .map(task => `the id ${task.id} is taken already`),
    ...getRepeats([...plan.tasks.map(task => task.test_file), ...new Set(rules.knownTestFiles)]).map(
      file => `${file} is the test file of more than one task`,
    ),
    ...getGraphProblems(plan, rules),
  ];
}

/** The same plan with ids as the names of plan files have them: the next numbers, four digits, in order. */
export function numberPlan(plan: Plan, knownIds: readonly string[]): Plan {
  const last = Math.max(0, ...knownIds.map(id => (/^\d{1,15}$/.test(id) ? Number(id) : 0)));
  const ids = new Map(plan.tasks.map(({ id }, at) => [id, String(last + at + 1).padStart(4, '0')]));
  const toId = (id: string) => ids.get(id) ?? id;
  const tasks = plan.tasks.map(task => ({
    ...task,
    id: toId(task.id),
    depends_on: task.depends_on.map(toId),
  }));
  return { ...plan, tasks };
}

function getTaskProblems(task: PlannedTask, { maxSteps, maxFiles }: PlanRules): string[] {
  const steps = task.verification_steps.length;
  const problems = [
    ...(task.title.trim() === '' ? ['has no title'] : []),
    ...(task.title.length > 200 ? ['has a title of more than 200 letters'] : []),
    ...(steps === 0 ? ['has no verification steps: say what must be true in the end'] : []),
    ...(steps > maxSteps
      ? [`has ${steps} verification steps, at most ${maxSteps} are allowed: split it`]
      : []),
    ...(task.files.length > maxFiles
      ? [`touches ${task.files.length} files, at most ${maxFiles} are allowed: split it`]
      : []),
    ...(isManyThings(task.title)
      ? ['does more than one thing: one capability that a user can see, for each task']
      : []),
    ...(isPath(task.test_file)
      ? []
      : [`names a test file that is no path in the project: ${task.test_file}`]),
    ...task.files.filter(file => !isPath(file)).map(file => `names a file outside the project: ${file}`),
    ...(task.files.includes(task.test_file) ? ['lists its own test file among the files it changes'] : []),
    ...(/^[A-Za-z0-9][\w.-]{0,63}$/.test(task.id) ? [] : ['has an id that is no number or short word']),
    ...(task.may_change ?? [])
      .filter(file => !isPath(file) || /[*?{[]/.test(file) || KEPT.test(file))
      .map(
        file => `may not be given the right to change ${file}: only plain paths of manifests and the like`,
      ),
  ];
  return problems.map(problem => `task ${task.id} ${problem}`);
}

/** What decides about work is never an agent's to change. */
const KEPT = /^(\.harness\.ya?ml|harness\.config\..*|features\.json|\.git(hub|lab-ci\.yml)?(\/.*)?)$/;

function isManyThings(title: string): boolean {
  return /\band then\b|\bas well as\b|;\s|\band\b.+\band\b|\bCRUD\b|\bcan manage\b/i.test(title);
}

function getGraphProblems(plan: Plan, { knownIds }: PlanRules): string[] {
  const known = knownIds.map(id => ({ id, dependsOn: [] }));
  const graph = [...plan.tasks.map(({ id, depends_on }) => ({ id, dependsOn: depends_on })), ...known];
  return [
    ...findMissingDependencies(graph).map(
      ({ id, missing }) => `task ${id} depends on ${missing}, which is not there`,
    ),
    ...findCycles(graph).map(cycle => `these tasks wait for each other: ${cycle.join(' → ')}`),
  ];
}

function isPath(path: string): boolean {
  return (
    /^(?![/~\\]|[A-Za-z]:)[^\0\n]+$/.test(path) &&
    !path.split(/[/\\]/).includes('..') &&
    !path.startsWith('.git/')
  );
}

function getRepeats(items: readonly string[]): string[] {
  return [...new Set(items.filter((item, i) => items.indexOf(item) !== i))];
}

/** The shape of a planner's answer, for agents that can be held to one. */
export const PLAN_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'tasks'],
  properties: {
    project: { type: 'string' },
    summary: { type: 'string' },
    language: { type: 'string', enum: PLAN_LANGUAGES },
    tasks: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'title', 'depends_on', 'test_file', 'verification_steps', 'files', 'size'],
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          category: { type: 'string' },
          depends_on: { type: 'array', items: { type: 'string' } },
          test_file: { type: 'string' },
          verification_steps: { type: 'array', items: { type: 'string' } },
          files: { type: 'array', items: { type: 'string' } },
          size: { type: 'string', enum: ['small', 'medium', 'large'] },
          priority: { type: 'integer' },
          may_change: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const;
