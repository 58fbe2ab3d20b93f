import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseStructured } from '../../adapters/agents/shared/structured.ts';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { PLAN_SCHEMA, type Plan, type PlanRules } from '../../core/decide/plan.ts';
import type { BacklogTask } from '../../ports/index.ts';
import type { Project } from '../project/open-project.ts';

/** A plan between being proposed and being taken; people may edit it meanwhile. */
export interface SavedPlan {
  readonly kind: 'init' | 'spec' | 'one' | 'split';
  /** The task that it takes the place of. */
  readonly replaces: string | null;
  /** The agent that a new project's configuration names. */
  readonly agent: string | null;
  /** What starts it, where that has to be said. */
  readonly command?: string | null;
  /** What was wrong with it when the planner gave up. */
  readonly problems: readonly string[];
  readonly plan: Plan;
}

const NAME = 'plan.json';

/** Where a plan waits, as people are told. */
export function getPlanPath(stateDir: string): string {
  return join(stateDir, NAME);
}

export function writeSavedPlan(stateDir: string, saved: SavedPlan): void {
  writeAtomic(getPlanPath(stateDir), `${JSON.stringify({ version: 1, ...saved }, null, 2)}\n`, {
    durable: true,
  });
}

/** The plan that waits; null when none does. */
export function readSavedPlan(stateDir: string): SavedPlan | null {
  const file = getPlanPath(stateDir);
  const text = readIfThere(file);
  if (text === null) return null;
  const fix = `correct it, or remove it and plan again`;
  let value: Partial<SavedPlan>;
  try {
    value = JSON.parse(text) as Partial<SavedPlan>;
  } catch (error) {
    throw new HarnessError('usage', `${file} is not JSON: ${(error as Error).message}`, { file, fix });
  }
  const checked = parseStructured(JSON.stringify(value.plan ?? null), PLAN_SCHEMA);
  if (!checked.ok) throw new HarnessError('usage', `${file}: ${checked.why}`, { file, field: 'plan', fix });
  const { kind = 'spec', replaces = null, agent = null, command = null, problems = [] } = value;
  return { kind, replaces, agent, command, problems, plan: checked.value as Plan };
}

export function removeSavedPlan(stateDir: string): void {
  rmSync(getPlanPath(stateDir), { force: true });
}

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
