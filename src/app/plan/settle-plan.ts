import type { Plan } from '../../core/decide/plan.ts';
import type { PlanFile } from '../../planning/scaffold.ts';
import { acceptPlan, getPlanFiles, isTakenAlready } from './accept-plan.ts';
import type { Planning } from './open-planning.ts';
import { getPlanPath, removeSavedPlan, type SavedPlan } from './saved-plan.ts';

/** A plan as it is put before somebody. */
export interface ShownPlan extends Pick<SavedPlan, 'plan' | 'kind' | 'replaces'> {
  /** Everything that taking it would write. */
  readonly files: readonly PlanFile[];
}

export interface SettleInput {
  /** Taken without asking. */
  readonly yes?: boolean;
  /** Shown with every file, and left where it is. */
  readonly dryRun?: boolean;
  readonly onPlan?: (shown: ShownPlan) => void;
  /** Asked whether to take it, where somebody is there. */
  readonly confirm?: () => Promise<boolean>;
}

export type PlanResult =
  | {
      readonly accepted: true;
      readonly plan: Plan;
      /** Null when it had been taken before. */
      readonly commit: string | null;
      readonly branch?: string;
      readonly files?: readonly string[];
      readonly note?: string | null;
      readonly next: string;
    }
  | {
      readonly accepted: false;
      /** Null when none waits. */
      readonly plan: Plan | null;
      /** Where it waits, to be edited. */
      readonly file?: string;
      readonly files?: readonly (PlanFile | string)[];
      readonly next: string;
    };

const NEXT = 'harness run --all';

/** Takes a plan if a person or a flag says yes, and otherwise leaves it where it waits. */
export async function settlePlan(
  planning: Planning,
  saved: SavedPlan,
  { yes = false, dryRun = false, onPlan, confirm }: SettleInput,
): Promise<PlanResult> {
  const nowMs = Date.now();
  const { project } = planning;
  const { plan, kind, replaces } = saved;
  if (await isTakenAlready(planning, saved)) {
    removeSavedPlan(project.stateDir);
    return { accepted: true, plan, commit: null, next: NEXT };
  }
  const { files, isTestable } = await getPlanFiles(planning, saved, nowMs);
  onPlan?.({ plan, kind, replaces, files });
  if (dryRun || !(yes || (await confirm?.()))) {
    const written = dryRun ? files : files.map(({ path }) => path);
    const file = getPlanPath(project.stateDir);
    return { accepted: false, plan, file, files: written, next: 'harness plan --accept' };
  }
  const accepted = await acceptPlan(planning, saved, nowMs);
  removeSavedPlan(project.stateDir);
  const next = isTestable ? NEXT : `set testing.full in ${project.configFile}, then ${NEXT}`;
  return { accepted: true, plan, ...accepted, next };
}
