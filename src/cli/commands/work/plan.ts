import { readCommittedBacklog } from '../../../app/plan/accept-plan.ts';
import { openPlanning, type Planning } from '../../../app/plan/open-planning.ts';
import { type ProposeRequest, proposePlan } from '../../../app/plan/propose-plan.ts';
import { readSavedPlan } from '../../../app/plan/saved-plan.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { withReporter } from '../../render/watch.ts';
import type { CommonOptions } from '../../terminal/common-options.ts';
import type { Io } from '../../terminal/io.ts';
import { readSpec } from './init-spec.ts';
import { settlePlan } from './settle-plan.ts';

export interface PlanOptions extends CommonOptions {
  readonly spec?: string;
  readonly accept?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly agent?: string;
}

/** `harness plan`: shows the plan that waits, takes it, or has one made for what a document adds. */
export async function plan(io: Io, options: PlanOptions): Promise<void> {
  if (options.spec !== undefined) {
    const text = readSpec(io, options.spec);
    return propose(io, options, async () => ({ kind: 'spec', wish: { kind: 'spec', text }, replaces: null }));
  }
  const where = getWhere(io, options.repo);
  const planning = await openPlanning(where, null);
  const saved = readSavedPlan(planning.project.stateDir);
  if (saved === null) return tellNone(io, options);
  const chosen = saved.agent === null ? planning : await openPlanning(where, saved.agent, saved.command);
  const yes = options.accept ?? false;
  await settlePlan(io, chosen, saved, { json: options.json ?? false, yes, dryRun: !yes });
}

/** `harness add-feature`: one well-formed task for a wish. */
export async function addFeature(io: Io, wish: string, options: PlanOptions): Promise<void> {
  if (wish.trim() === '') {
    throw new HarnessError('usage', 'missing <wish>', {
      field: '<wish>',
      fix: 'harness add-feature "Totals include tax"',
    });
  }
  return propose(io, options, async () => ({
    kind: 'one',
    wish: { kind: 'one', text: wish },
    replaces: null,
  }));
}

/** `harness split`: smaller tasks in the place of one. */
export async function split(io: Io, id: string, options: PlanOptions): Promise<void> {
  return propose(io, options, async ({ tasks }) => {
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
        const fix = `wait until the attempt has ended (harness status), then harness split ${id}`;
        throw new HarnessError('locked', `task ${id} is being worked on`, { field: '<task>', fix });
      },
    };
  });
}

type Wanted = Pick<ProposeRequest, 'kind' | 'wish' | 'replaces' | 'refuse'>;

async function propose(
  io: Io,
  options: PlanOptions,
  getWanted: (backlog: Awaited<ReturnType<typeof readCommittedBacklog>>) => Promise<Wanted>,
): Promise<void> {
  const json = options.json ?? false;
  const agent = options.agent ?? null;
  const planning = await openPlanning(getWhere(io, options.repo), agent);
  refuseNew(planning);
  const backlog = await readCommittedBacklog(planning);
  const wanted = await getWanted(backlog);
  const request = { ...wanted, agent, tasks: backlog.tasks };
  const saved = await withReporter(io, json, watched => proposePlan(planning, request, watched));
  await settlePlan(io, planning, saved, { json, yes: options.yes ?? false, dryRun: options.dryRun ?? false });
}

function refuseNew({ hasConfig, isUnborn }: Planning): void {
  if (hasConfig && !isUnborn) return;
  throw new HarnessError('usage', 'this project has not been set up yet', {
    fix: 'harness init --spec FILE plans a new project',
  });
}

function tellNone(io: Io, { json, accept }: PlanOptions): void {
  const fix = 'harness plan --spec FILE';
  if (accept) throw new HarnessError('usage', 'no plan to accept', { field: '--accept', fix });
  if (json) io.out(JSON.stringify({ accepted: false, plan: null, next: fix }));
  else io.out(`No pending plan.\nnext: ${fix}`);
}
