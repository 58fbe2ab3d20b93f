import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import type { EventOf } from '../../core/events/event.ts';
import { type Criterion, parseAcceptance } from '../../core/gates/acceptance.ts';
import { getEnvironmentNeeds } from '../../core/gates/environment.ts';
import { getKnownIssues } from '../../core/gates/known-issues.ts';
import {
  type CitedTest,
  getReadiness,
  type JudgedCriterion,
  judgeCriterion,
} from '../../core/gates/release.ts';
import { getReleasePage, getReleaseSummary, type ReleaseFacts } from '../../core/gates/release-page.ts';
import { getAcceptancePaths } from '../../core/gates/spec-paths.ts';
import { TestRuns } from '../../testruns/test-runs.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import { getWatch, type Watch } from '../project/watch.ts';
import { getSpecPath, getUncommittedError, readSpec, readTipFacts, type TipFacts } from './read-tip-facts.ts';
import { recordLook, recordWithdrawal } from './record-look.ts';
import { readReleasedCommit, removeReleaseFile, writeReleaseFile } from './release-file.ts';
import { createCitedRunner } from './run-cited.ts';
import { tryProduct } from './try-product.ts';
import { writeReport } from './write-report.ts';

export interface ReleaseInput extends Watch {
  /** In the place of the configured one. */
  readonly spec?: string | undefined;
  /** Nobody waits for the answer: what is not covered is not run, and leaves no report. */
  readonly isSilent?: true;
}

export interface ReleaseResult extends ReleaseFacts {
  readonly spec: string;
  /** Nothing is missing but what people have to say. */
  readonly awaitsPerson: boolean;
  /** Null where nobody waits for the answer, and there is nothing to tell. */
  readonly report: string | null;
}

const FIELD = 'release_gate.spec_path';

/** Whether everything asked for is proven at the tip, and the product installs and starts. Said in `RELEASE_READY` too. */
export async function judgeRelease(project: Project, input: ReleaseInput = {}): Promise<ReleaseResult> {
  const { result, judged } = await lookAtRelease(project, input);
  if (!result.ready) await withdrawRelease(project, result.commit, getReleaseSummary(result));
  await recordLook(project, judged);
  return result;
}

/** What could be released and is no longer what is there: the file goes, and the record says why. */
export async function withdrawRelease(project: Project, commit: string, why: string): Promise<void> {
  if (readReleasedCommit(project.stateDir) === null) return;
  await recordWithdrawal(project, commit, why);
  removeReleaseFile(project.stateDir);
}

/** The same with nothing recorded: for a step, whose facts the run records. */
export async function lookAtRelease(
  project: Project,
  input: ReleaseInput = {},
): Promise<{ readonly result: ReleaseResult; readonly judged: Omit<EventOf<'gate.judged'>, 'type'> }> {
  const specPath = getSpecPath(project, input.spec, project.policy.projectGates.release.specPath, FIELD);
  const tip = await readTipFacts(project);
  const spec = await readSpec(tip, specPath);
  if (!spec?.isAcceptance) throw getUncommittedError(project, getAcceptancePaths(specPath), FIELD);
  const acceptance = parseAcceptance(spec.text, spec.path);
  const example = await tip.readFile('.env.example');
  const environment = getEnvironmentNeeds(acceptance.environment, example, project.env);
  const { criteria, product } = await judgeInPlace(project, tip, acceptance.criteria, input);
  const readiness = getReadiness({ criteria, environment, product });
  const { commit, tree } = tip;
  const ready = readiness === 'ready';
  const facts = { ready, commit, criteria, environment, product, knownIssues: getIssues(tip, criteria) };
  const page = getReleasePage(spec.path, facts);
  const content = { specPath, facts: { spec: spec.path, ...facts }, page };
  const report = input.isSilent && !ready ? null : writeReport(project, 'release', content);
  const proofs = [...new Set(criteria.flatMap(one => one.proofs))];
  if (report !== null && ready)
    writeReleaseFile(project.stateDir, { specPath: spec.path, reportPath: report, commit, tree, proofs });
  const summary = getReleaseSummary(facts);
  return {
    result: { ...facts, spec: spec.path, awaitsPerson: readiness === 'person', report },
    judged: { gate: 'release', commit, tree, passed: ready, drift: null, summary, report },
  };
}

/** Runs what has to be run, in trees that belong to nobody else. */
async function judgeInPlace(
  project: Project,
  tip: TipFacts,
  criteria: readonly Criterion[],
  input: ReleaseInput,
): Promise<Pick<ReleaseFacts, 'criteria' | 'product'>> {
  const { reporter, signal } = getWatch(input);
  const first = criteria.map(criterion => judgeCriterion(criterion, tip.tasks, []));
  if (input.isSilent && first.some(({ status }) => status === 'uncovered'))
    return { criteria: first, product: { status: 'failed', steps: [] } };
  const ports = await openProofPorts(project, { reporter, startsApplication: true });
  const { home } = ports.workspace as GitWorkspace;
  const { slot, release } = takeVerifySlot(home);
  try {
    const { policy } = project;
    const { tree } = tip;
    const cited = createCitedRunner({ ports, policy, slot, signal, tree });
    const judged: JudgedCriterion[] = [];
    for (const criterion of criteria) judged.push(await judgeOne(tip, criterion, cited));
    const tests = new TestRuns({ ports, policy, slot, signal });
    return { criteria: judged, product: await tryProduct({ ports, policy, tests, tree, signal, home }) };
  } finally {
    release();
  }
}

/** What has no proof need not be run. */
async function judgeOne(
  { tasks, state }: TipFacts,
  criterion: Criterion,
  cited: ReturnType<typeof createCitedRunner>,
): Promise<JudgedCriterion> {
  const first = judgeCriterion(criterion, tasks, []);
  if (first.status === 'uncovered') return first;
  const tests: CitedTest[] = [];
  for (const path of criterion.tests) tests.push(await cited.test(path));
  for (const id of first.tasks) {
    const def = state.tasks.get(id)?.def;
    const own = def ? await cited.proofOf(def) : [];
    tests.push(...own.filter(({ path }) => !tests.some(known => known.path === path)));
  }
  return judgeCriterion(criterion, tasks, tests);
}

function getIssues({ tasks, state }: TipFacts, criteria: readonly JudgedCriterion[]): readonly string[] {
  const { quarantine, checked, tolerated } = state.suite;
  const inCriteria = new Set(criteria.flatMap(one => one.tasks));
  const looks = { flaky: [...quarantine.keys()], broken: checked?.broken ?? [], tolerated: [...tolerated] };
  return getKnownIssues(tasks, inCriteria, looks);
}
