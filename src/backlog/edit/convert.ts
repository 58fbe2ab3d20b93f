import type { TaskDef } from '../../core/model/task.ts';
import type { BacklogLimits, BacklogTask } from '../../ports/index.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { FEATURES_JSON } from '../read/features-json.ts';
import { getSpellings } from '../read/field-reader.ts';
import { HARNESS_TASKS, LOOP_TASKS } from '../read/task-lists.ts';
import type { NewFeature } from './add-task.ts';

/** The formats a backlog can be written in, by the name people give them. */
export const FORMATS = ['features', 'harness-tasks', 'loop-tasks', 'plans'] as const;

export type Format = (typeof FORMATS)[number];

/** The same tasks in another format: its files, by name. */
export function writeBacklog(
  format: Format,
  project: string,
  tasks: readonly BacklogTask[],
): ReadonlyMap<string, string> {
  switch (format) {
    case 'features':
      return new Map([['features.json', writeJson(FEATURES_JSON, { project }, tasks)]]);
    case 'harness-tasks':
      return new Map([['harness-tasks.json', writeHarnessTasks(tasks)]]);
    case 'loop-tasks':
      return new Map([['tasks.json', writeJson(LOOP_TASKS, { project }, tasks)]]);
    case 'plans':
      return new Map(tasks.map(task => [getPlanName(task.def), writePlan(getFields(task.def), task.passes)]));
  }
}

/** With every field that the format has for what happens to a task, so that it can be kept there. */
function writeHarnessTasks(tasks: readonly BacklogTask[]): string {
  const { besides = {} } = HARNESS_TASKS.newEntry?.('') ?? {};
  const root = JSON.parse(writeJson(HARNESS_TASKS, { version: 2 }, tasks)) as { tasks: object[] };
  const { tasksPerRun, sessions } = HARNESS_TASKS.limits as BacklogLimits;
  const file = {
    version: 2,
    created: null,
    session_config: {
      concurrency_mode: 'exclusive',
      max_tasks_per_session: tasksPerRun,
      max_sessions: sessions,
    },
    tasks: root.tasks.map(entry => ({ validation: null, ...besides, ...entry })),
    session_count: 0,
    last_session: null,
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function writeJson(dialect: Dialect, head: object, tasks: readonly BacklogTask[]): string {
  const { list, flag, names } = dialect;
  const entries = tasks.map(({ def, passes, attempts }) => {
    const isPhase = getSpellings(names, 'category')[0] === 'phase';
    const phase = isPhase ? { category: def.category ?? def.phase } : { phase: def.phase };
    const fields = {
      ...getFields(def),
      ...phase,
      ...(attempts ? { attempts } : {}),
      passes: passes ? flag.done : flag.open,
    };
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [getSpellings(names, key)[0], value]),
    );
  });
  return `${JSON.stringify({ ...head, [list]: entries }, null, 2)}\n`;
}

/** A task in the words of `features.json`; what says nothing is left out. */
function getFields(def: TaskDef) {
  const { validation } = def;
  return {
    id: def.id,
    category: def.category ?? undefined,
    description: def.title,
    test_file: def.testFile ?? undefined,
    validation: validation
      ? { command: validation.command, timeout_seconds: validation.timeoutSeconds }
      : undefined,
    verification_steps: getSome(def.verificationSteps),
    verification_type: def.verificationType === 'automated' ? undefined : def.verificationType,
    manual_checks: getSome(def.manualChecks),
    size_estimate: def.size ?? undefined,
    priority: `P${def.priority}`.length === 2 ? `P${def.priority}` : def.priority,
    depends_on: def.dependsOn,
    may_change: getSome(def.mayChange),
    output_files: def.outputs,
    tags: def.tags,
    max_attempts: def.maxAttempts,
    on_failure: def.cleanup === undefined ? undefined : { cleanup: def.cleanup },
  };
}

function getSome(texts: readonly string[]): readonly string[] | undefined {
  return texts.length > 0 ? texts : undefined;
}

/** JSON is YAML, so every value can be written as it is. */
function writePlan(
  { description: title, verification_steps: steps, ...fields }: PlanFields,
  passes: boolean,
): string {
  const head = Object.entries({ ...fields, title, status: passes ? 'completed' : 'active' })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${PLAN_NAMES[key] ?? key}: ${JSON.stringify(value)}`);
  const list = (steps ?? []).map(step => `- [${passes ? 'x' : ' '}] ${step}`);
  const section = list.length > 0 ? ['', '## Acceptance criteria', '', ...list] : [];
  return ['---', ...head, '---', '', `# ${title}`, ...section, ''].join('\n');
}

/** What plans call otherwise in their heads. */
const PLAN_NAMES: Readonly<Record<string, string>> = { category: 'phase', tags: 'acceptance_tags' };

interface PlanFields {
  readonly description: string;
  readonly verification_steps?: readonly string[] | undefined;
}

/** How many rounds of review a plan may need, as people who write plans by hand estimate it. */
const PASSES = { small: 1, medium: 2, large: 3 } as const;

/** A new plan beside those that are there, with the next number; what says nothing is left out. */
export function getNewPlan(
  names: readonly string[],
  { verificationSteps, ...feature }: NewFeature,
): { readonly id: string; readonly name: string; readonly text: string } {
  const numbers = names.map(name => Number(/^\d+/.exec(name)?.[0] ?? 0));
  const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0');
  const id = feature.id === undefined ? next : String(feature.id);
  const fields = {
    id,
    category: feature.category,
    description: feature.description,
    test_file: feature.testFile,
    validation: feature.validation?.command,
    verification_steps: verificationSteps,
    size_estimate: feature.size,
    priority: feature.priority,
    depends_on: feature.dependsOn ?? [],
    estimated_passes: PASSES[feature.size ?? 'small'],
    tags: [],
    may_change: feature.mayChange,
  };
  return { id, name: getPlanName({ id, title: feature.description }), text: writePlan(fields, false) };
}

function getPlanName(def: Pick<TaskDef, 'id' | 'title'>): string {
  const number = /\d+$/.exec(def.id)?.[0] ?? '';
  const slug = `${def.id.replace(/\d+$/, '')} ${def.title}`
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
  return `${number.padStart(4, '0')}-${slug || 'task'}.md`;
}
