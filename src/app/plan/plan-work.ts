import { readFileSync } from 'node:fs';
import { isPlanFolder } from '../../backlog/codec.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { Where } from '../project/open-checkout.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { readCommittedBacklog } from './accept-plan.ts';
import { openPlanning, type Planning } from './open-planning.ts';
import { type ProposeRequest, proposePlan } from './propose-plan.ts';
import { readSavedPlan } from './saved-plan.ts';
import { type PlanResult, type SettleInput, settlePlan } from './settle-plan.ts';

export interface PlanInput extends SettleInput, Watch {
  /** Who plans; as the configuration says when not given. */
  readonly agent?: string;
  /** How many tasks it may have at most. */
  readonly maxNewPlans?: number;
}

/** The plan that waits: shown, or taken. */
export async function settleSavedPlan(
  where: Where,
  { accept = false, ...input }: PlanInput & { readonly accept?: boolean },
): Promise<PlanResult> {
  const planning = await openPlanning(where, null);
  const saved = readSavedPlan(planning.project.stateDir);
  const next = 'harness plan --spec FILE';
  if (saved === null && accept)
    throw new HarnessError('usage', 'no plan to accept', { field: '--accept', fix: next });
  if (saved === null) return { accepted: false, plan: null, next };
  const chosen = saved.agent === null ? planning : await openPlanning(where, saved.agent, saved.command);
  return settlePlan(chosen, saved, { ...input, yes: accept, dryRun: !accept });
}

/** Tasks for what a document adds to the project. */
export async function planSpec(
  where: Where,
  input: PlanInput & { readonly spec: string },
): Promise<PlanResult> {
  const text = readSpec(input.spec);
  return propose(where, input, () => ({ kind: 'spec', wish: { kind: 'spec', text }, replaces: null }));
}

/** One well-formed task for a wish. */
export async function addFeature(
  where: Where,
  input: PlanInput & { readonly wish: string },
): Promise<PlanResult> {
  const { wish: text } = input;
  if (text.trim() === '') {
    throw new HarnessError('usage', 'missing <wish>', {
      field: '<wish>',
      fix: 'harness add-feature "Totals include tax"',
    });
  }
  return propose(where, input, () => ({ kind: 'one', wish: { kind: 'one', text }, replaces: null }));
}

/** Smaller tasks in the place of one. */
export async function splitTask(
  where: Where,
  input: PlanInput & { readonly task: string },
): Promise<PlanResult> {
  const { task: id } = input;
  return propose(where, input, ({ tasks, backlogPath }) => {
    if (isPlanFolder(backlogPath)) {
      const fix = `write the smaller plans by hand and take ${id} out, or name a backlog in one file`;
      throw new HarnessError('usage', `${backlogPath} is a folder of plans: none is split`, {
        file: backlogPath,
        fix,
      });
    }
    const found = tasks.find(({ def }) => def.id === id);
    if (!found || found.passes) {
      throw new HarnessError('usage', found ? `task ${id} is done already` : `there is no task ${id}`, {
        field: '<task>',
        fix: 'harness status --all lists the tasks',
      });
    }
    const task = { id, title: found.def.title, passes: false };
    return {
      kind: 'split',
      wish: { kind: 'split', task, steps: found.def.verificationSteps },
      replaces: id,
      refuse: journal => {
        if (!journal.state.active.has(id)) return;
        const fix = `wait until the attempt has ended (harness status), then harness split ${getShellQuoted(id)}`;
        throw new HarnessError('locked', `task ${id} is being worked on`, { field: '<task>', fix });
      },
    };
  });
}

type Wanted = Pick<ProposeRequest, 'kind' | 'wish' | 'replaces' | 'refuse'>;

async function propose(
  where: Where,
  input: PlanInput,
  getWanted: (
    backlog: Awaited<ReturnType<typeof readCommittedBacklog>> & Pick<Policy, 'backlogPath'>,
  ) => Wanted,
): Promise<PlanResult> {
  const agent = input.agent ?? null;
  const planning = await openPlanning(where, agent);
  refuseNew(planning);
  const backlog = await readCommittedBacklog(planning);
  const { backlogPath } = planning.project.policy;
  const wanted = getWanted({ ...backlog, backlogPath });
  const request = { ...wanted, agent, tasks: backlog.tasks, maxTasks: input.maxNewPlans ?? null };
  const saved = await proposePlan(planning, request, getWatch(input));
  return settlePlan(planning, saved, input);
}

function refuseNew({ hasConfig, isUnborn }: Planning): void {
  if (hasConfig && !isUnborn) return;
  throw new HarnessError('usage', 'this project has not been set up yet', {
    fix: 'harness init --spec FILE plans a new project',
  });
}

const MAX_SPEC_CHARS = 400_000;

/** The document, or what is wrong with it. */
export function readSpec(file: string): string {
  const refuse = (why: string, fix: string): HarnessError =>
    new HarnessError('usage', `--spec: ${why}`, { file, field: '--spec', fix });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw refuse(
      `${file} cannot be read: ${(error as Error).message}`,
      'name a text file that says what is to be built',
    );
  }
  if (text.trim() === '') throw refuse(`${file} is empty`, 'write down what is to be built');
  if (text.length > MAX_SPEC_CHARS)
    throw refuse(
      `${file} has ${text.length} letters, more than ${MAX_SPEC_CHARS}`,
      'plan one part at a time',
    );
  return text;
}
