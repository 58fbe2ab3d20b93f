import { readChanges } from '../../adapters/git/objects/history.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getShare } from '../../core/base/share.ts';
import type { EventOf } from '../../core/events/event.ts';
import { parseAcceptance } from '../../core/gates/acceptance.ts';
import { type Fidelity, getFidelity } from '../../core/gates/fidelity.ts';
import { getFidelityPage, getFidelitySummary } from '../../core/gates/fidelity-page.ts';
import { getListed, getTagged, type Requirement } from '../../core/gates/requirements.ts';
import { getAcceptancePaths } from '../../core/gates/spec-paths.ts';
import type { TracedTask } from '../../core/gates/trace.ts';
import type { Project } from '../project/open-project.ts';
import {
  getSpecPath,
  getUncommittedError,
  readSpec,
  readTipFacts,
  type Spec,
  type TipFacts,
} from './read-tip-facts.ts';
import { type PastLook, readPastLooks, recordLook } from './record-look.ts';
import { writeReport } from './write-report.ts';

export interface FidelityResult extends Fidelity {
  readonly spec: string;
  readonly commit: string;
  readonly history: readonly PastLook[];
  readonly report: string;
}

export interface FidelityInput {
  /** In the place of the configured one. */
  readonly spec?: string | undefined;
}

const FIELD = 'fidelity.spec_path';

/** Holds what was asked for against what is proven at the tip. Nobody's opinion is in the number. */
export async function judgeFidelity(project: Project, input: FidelityInput = {}): Promise<FidelityResult> {
  const { result, judged } = await lookAtFidelity(project, input);
  await recordLook(project, judged);
  return { ...result, history: await readPastLooks(project, 'fidelity') };
}

/** The same with nothing recorded: for a step, whose facts the run records. */
export async function lookAtFidelity(
  project: Project,
  { spec: given }: FidelityInput = {},
): Promise<{
  readonly result: Omit<FidelityResult, 'history'>;
  readonly judged: Omit<EventOf<'gate.judged'>, 'type'>;
}> {
  const rules = project.policy.projectGates;
  const specPath = getSpecPath(project, given, rules.fidelity.specPath, FIELD);
  const tip = await readTipFacts(project);
  const spec = await readSpec(tip, specPath);
  if (spec === null)
    throw getUncommittedError(project, [specPath, ...getAcceptancePaths(specPath).slice(0, 1)], FIELD);
  const threshold = Math.max(getShare(rules.fidelity.threshold), tip.state.gates.raisedTo);
  const fidelity = await judge(tip, getRequirements(spec), { threshold, appPaths: rules.appPaths });
  const { commit, tree } = tip;
  const facts = { spec: spec.path, commit, ...fidelity };
  const report = writeReport(project, 'fidelity', {
    ...{ specPath, facts },
    page: getFidelityPage(spec.path, commit, fidelity),
  });
  const { drift, over } = fidelity;
  const summary = getFidelitySummary(fidelity);
  return {
    result: { ...facts, report },
    judged: { gate: 'fidelity', commit, tree, passed: !over, drift, summary, report },
  };
}

function getRequirements({ path, text, isAcceptance }: Spec): readonly Requirement[] {
  if (isAcceptance) return getTagged(parseAcceptance(text, path));
  const listed = getListed(text);
  if (listed.length > 0) return listed;
  const message = `${path} lists nothing under a heading with "Requirements" or "Acceptance"`;
  const fix = `list them there, or put tagged criteria into ${getAcceptancePaths(path)[0]}`;
  throw new HarnessError('config', message, { file: path, field: 'line 1', fix });
}

async function judge(
  { ctx, tasks }: TipFacts,
  requirements: readonly Requirement[],
  { threshold, appPaths }: { readonly threshold: number; readonly appPaths: readonly string[] },
): Promise<Fidelity> {
  const all = getFidelity(requirements, tasks, { threshold, isProduct: () => true });
  if (appPaths.length === 0) return all;
  const outside = new Set<string>();
  for (const { id } of all.unrequested) {
    const commit = tasks.find(task => task.id === id)?.commit ?? '';
    const changes = await readChanges(ctx, `${commit}^1`, commit);
    const isInside = (path: string) => appPaths.some(folder => path.startsWith(`${folder}/`));
    if (!changes.some(({ path }) => isInside(path))) outside.add(id);
  }
  return getFidelity(requirements, tasks, { threshold, isProduct: ({ id }: TracedTask) => !outside.has(id) });
}
