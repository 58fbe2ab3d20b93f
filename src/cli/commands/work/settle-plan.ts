import { relative } from 'node:path';
import { type Accepted, acceptPlan, getPlanFiles, isTakenAlready } from '../../../app/plan/accept-plan.ts';
import type { Planning } from '../../../app/plan/open-planning.ts';
import { getPlanPath, removeSavedPlan, type SavedPlan } from '../../../app/plan/saved-plan.ts';
import { drawGraph } from '../../../core/views/draw-graph.ts';
import type { PlanFile } from '../../../planning/plan-file.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';
import { askYes, canAsk } from '../people/ask.ts';

export interface SettleOptions {
  readonly json: boolean;
  /** Taken without asking. */
  readonly yes: boolean;
  /** Shown with every file, and left where it is. */
  readonly dryRun: boolean;
}

const NEXT = 'harness run --all';

/** Shows a plan and, if a person or a flag says yes, takes it. */
export async function settlePlan(
  io: Io,
  planning: Planning,
  saved: SavedPlan,
  options: SettleOptions,
): Promise<void> {
  const nowMs = Date.now();
  const { project } = planning;
  if (await isTakenAlready(planning, saved)) {
    removeSavedPlan(project.stateDir);
    if (options.json) io.out(JSON.stringify({ accepted: true, plan: saved.plan, commit: null, next: NEXT }));
    else io.out(`This plan was accepted already.\nnext: ${NEXT}`);
    return;
  }
  const { files, isTestable } = await getPlanFiles(planning, saved, nowMs);
  if (!options.json) show(io, saved, files, options);
  const waits = relative(io.cwd, getPlanPath(project.stateDir)) || getPlanPath(project.stateDir);
  const isTaken = !options.dryRun && (options.yes || (canAsk(io) && (await askYes('Accept this plan?'))));
  if (!isTaken) {
    leave(io, saved, files, waits, options);
    return;
  }
  const accepted = await acceptPlan(planning, saved, nowMs);
  removeSavedPlan(project.stateDir);
  const next = isTestable ? NEXT : `set testing.full in ${project.configFile}, then ${NEXT}`;
  tell(io, saved, accepted, { json: options.json, next });
}

function show(
  io: Io,
  { plan, kind, replaces }: SavedPlan,
  files: readonly PlanFile[],
  options: SettleOptions,
): void {
  const verb = options.yes ? 'writes' : 'would write';
  const style = createStyle(io.colourOut);
  const head = kind === 'split' ? `in place of task ${replaces}` : 'to do';
  const tasks = plan.tasks.map(({ id, title, depends_on, size }) => ({
    id,
    title: `${title} (${size})`,
    dependsOn: depends_on,
  }));
  io.out(`${style.bold(`${plan.tasks.length} tasks ${head}`)}: ${plan.summary.trim()}\n`);
  io.out(drawGraph(tasks));
  io.out('');
  for (const { path, text } of files) {
    io.out(`${verb} ${path}`);
    if (!options.dryRun) continue;
    for (const line of text.trimEnd().split('\n')) io.out(`  ${style.dim('│')} ${line}`.trimEnd());
  }
}

function leave(
  io: Io,
  { plan }: SavedPlan,
  files: readonly PlanFile[],
  waits: string,
  options: SettleOptions,
): void {
  const next = 'harness plan --accept';
  if (options.json) {
    const written = options.dryRun ? files : files.map(({ path }) => path);
    io.out(JSON.stringify({ accepted: false, plan, file: waits, files: written, next }));
    return;
  }
  io.out(`\nNothing has been changed. The plan is in ${waits}; you can edit it there.`);
  io.out(createStyle(io.colourOut).dim(`next: ${next}`));
}

function tell(
  io: Io,
  { plan }: SavedPlan,
  accepted: Accepted,
  { json, next }: { json: boolean; next: string },
): void {
  const { commit, branch, files, note } = accepted;
  if (json) {
    io.out(JSON.stringify({ accepted: true, plan, commit, branch, files, note, next }));
    return;
  }
  const style = createStyle(io.colourOut);
  io.out(`${style.good('planned')} ${plan.tasks.length} tasks as ${commit.slice(0, 10)} on ${branch}`);
  if (note) io.err(`note: ${note}`);
  io.out(style.dim(`next: ${next}`));
}
