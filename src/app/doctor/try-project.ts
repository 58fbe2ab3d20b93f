import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import { createMemoryStore } from '../../adapters/store/memory-store.ts';
import type { DetectedProject, TestWay } from '../../config/detect/detection.ts';
import type { Seen } from '../../config/detect/render-config.ts';
import type { Store } from '../../ports/index.ts';
import {
  CODE_ONLY,
  type SuiteTrial,
  type TrialContext,
  tryInstall,
  trySuite,
  tryTool,
} from '../../testruns/trial.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';
import type { TrialWatcher } from '../project/watch.ts';

/** What is left of a proposal once it was tried: only commands that gave results, and what was seen of each. */
export interface TriedProject {
  readonly detected: DetectedProject;
  readonly seen: Seen;
}

interface Workshop {
  readonly signal: AbortSignal;
  /** A tool that ran and is red stays: somebody chose it. */
  readonly keepsRed: boolean;
  readonly watcher: TrialWatcher;
  /** The project with these commands for its settings. */
  readonly open: (detected: DetectedProject) => Promise<Project>;
  readonly store: Store;
}

/**
 * Runs what was found out (install, suite, one file alone, linter, type check, build) in a pristine tree of the
 * base, in the sandbox and with the environment that verdicts are given in. Records nothing.
 */
export async function tryProject(
  found: DetectedProject,
  open: (detected: DetectedProject) => Promise<Project>,
  { signal, watcher, keepsRed = false, triesNetwork = false }: TrialOptions,
): Promise<TriedProject> {
  const store = createMemoryStore(Date.now, () => 'trial');
  const shop = { signal, keepsRed, watcher, open, store };
  const { suite, ...choice } = await chooseCommands(shop, found);
  const tried = await keepTools(shop, choice);
  return triesNetwork && suite ? tryWithoutNetwork(shop, tried, suite) : tried;
}

interface TrialOptions {
  readonly signal: AbortSignal;
  readonly watcher: TrialWatcher;
  readonly keepsRed?: boolean;
  /** Whether to find out if the tests do without a network. */
  readonly triesNetwork?: boolean;
}

interface Choice extends TriedProject {
  readonly rank: number;
  /** What its tests gave, where they were run. */
  readonly suite?: SuiteTrial;
}

/** The first install with which the tests give results; else the one with which they showed most. */
async function chooseCommands(shop: Workshop, found: DetectedProject): Promise<Choice> {
  const leftOut: string[] = [];
  const choices: Choice[] = [];
  for (const install of [found.install, ...(found.otherInstalls ?? [])]) {
    if (choices.some(({ rank }) => rank <= ENOUGH)) break;
    const detected = { ...found, install };
    const trial = install === null ? null : await inTree(shop, detected, install, tryInstall);
    if (trial && trial.outcome !== 'works') leftOut.push(`install: ${install} is left out: ${trial.seen}`);
    else choices.push(await chooseWay(shop, { detected, seen: trial ? { install: trial.seen } : {} }));
  }
  if (choices.length === 0)
    choices.push(await chooseWay(shop, { detected: { ...found, install: null }, seen: {} }));
  const [best] = choices.sort((a, b) => a.rank - b.rank) as [Choice, ...Choice[]];
  return { ...best, seen: { ...best.seen, leftOut: [...leftOut, ...(best.seen.leftOut ?? [])] } };
}

/**
 * Tests that pass as well without a network are given none: they reach nobody, and several can be run at the same
 * time. Not asked of a suite that takes long, where that would gain little. Where only the exit code is seen it has to
 * count its tests, and to say the same in the same words: it may leave out what it cannot reach.
 */
async function tryWithoutNetwork(
  shop: Workshop,
  tried: TriedProject,
  suite: SuiteTrial,
): Promise<TriedProject> {
  const { detected, seen } = tried;
  const isCodeOnly = detected.runner === 'command';
  const isTelling = isCodeOnly ? COUNT.test(suite.output) : suite.passing.length > 0;
  if (!suite.isContained || !isTelling || suite.seconds > LONG_SUITE_S) return tried;
  const without = { ...detected, testNetwork: 'off' } as const;
  const name = (command: string) => `${command} (without a network)`;
  const trial = await inTree(shop, without, name(detected.full ?? ''), trySuite);
  const green = new Set(trial.passing);
  if (isCodeOnly && (trial.outcome !== suite.outcome || trial.output !== suite.output)) return tried;
  if (!suite.passing.every(id => green.has(id))) return tried;
  for (const tool of TOOLS) {
    const command = detected[tool] ?? null;
    if (command === null || seen[tool] === undefined) continue;
    if ((await inTree(shop, without, name(command), ctx => tryTool(ctx, command))).outcome !== 'works')
      return tried;
  }
  return { detected: without, seen };
}

const LONG_SUITE_S = 60;
/** A number outside the lines in which npm and its like repeat the command: a suite that counts shows what it leaves out. */
const COUNT = /^(?!> ).*\d/m;

/** The first way of testing that gives results, by file too; else the one that showed most. */
async function chooseWay(shop: Workshop, { detected, seen }: TriedProject): Promise<Choice> {
  const { full, runner, report, feature = null, otherWays = [] } = detected;
  if (full === null) return { detected, seen, rank: ENOUGH };
  const ways: readonly TestWay[] = [{ full, runner, report, feature }, ...otherWays];
  const tried: { readonly way: TestWay; readonly trial: SuiteTrial }[] = [];
  for (const way of ways) {
    if (tried.some(({ trial }) => getRank(trial) === 0)) break;
    const trial = await inTree(shop, withWay(detected, way), way.full, trySuite);
    // Without a report the whole suite can stand in for a file that does not run by itself.
    const isWhole = way.runner === 'command' && trial.alone !== null;
    tried.push(
      isWhole ? { way: { ...way, feature: null }, trial: { ...trial, alone: null } } : { way, trial },
    );
  }
  const [best] = [...tried].sort((a, b) => getRank(a.trial) - getRank(b.trial));
  const chosen = best && best.trial.outcome !== 'none' ? best : null;
  const failed = tried
    .filter(one => one !== chosen)
    .map(({ way, trial }) => {
      const how = way.full === chosen?.way.full ? ` read as ${way.runner}` : '';
      return `tests: ${way.full}${how} is left out: ${trial.alone ?? trial.seen}`;
    });
  const leftOut = [...new Set(failed)];
  if (chosen === null)
    return { detected: { ...detected, full: null }, seen: { ...seen, leftOut }, rank: getRank(best?.trial) };
  const { alone } = chosen.trial;
  return {
    detected: withWay(detected, chosen.way),
    seen: { ...seen, full: chosen.trial.seen, ...(alone === null ? {} : { alone }), leftOut },
    rank: getRank(chosen.trial),
    suite: chosen.trial,
  };
}

function withWay(detected: DetectedProject, way: TestWay): DetectedProject {
  const { full, runner, report = null, feature = null } = way;
  return { ...detected, full, runner, report, feature };
}

/** Results by file before results, those before none green; a bare exit code that is red tells less than no tests. */
function getRank(trial: SuiteTrial | undefined): number {
  const order = trial?.seen.endsWith(CODE_ONLY) ? BY_CODE : BY_REPORT;
  return trial ? order.indexOf(trial.outcome) * 2 + (trial.alone === null ? 0 : 1) : LAST;
}

const BY_REPORT: readonly string[] = ['works', 'red', 'empty', '', 'none'];
const BY_CODE: readonly string[] = ['works', '', 'empty', 'red', 'none'];
const LAST = 99;
/** Where another install could change nothing: something is green. */
const ENOUGH = 1;

const TOOLS = ['lint', 'typeCheck', 'build'] as const;
const NAMES = { lint: 'lint', typeCheck: 'type check', build: 'build' } as const;

/** A tool that is red or missing on the base can only be red or missing on every change to it. */
async function keepTools(shop: Workshop, tried: TriedProject): Promise<TriedProject> {
  let { detected, seen } = tried;
  for (const tool of TOOLS) {
    const command = detected[tool] ?? null;
    if (command === null) continue;
    const trial = await inTree(shop, detected, command, ctx => tryTool(ctx, command));
    const stays = trial.outcome === 'works' || (shop.keepsRed && trial.outcome === 'red');
    if (stays) seen = { ...seen, [tool]: trial.seen };
    else {
      detected = { ...detected, [tool]: null };
      const line = `${NAMES[tool]}: ${command} is left out: ${trial.seen}`;
      seen = { ...seen, leftOut: [...(seen.leftOut ?? []), line] };
    }
  }
  return { detected, seen };
}

/** One command in a tree with these settings, told while it goes on. */
async function inTree<T extends { readonly outcome: string; readonly seen: string }>(
  { open, store, watcher, signal }: Workshop,
  detected: DetectedProject,
  command: string,
  attempt: (ctx: TrialContext) => Promise<T>,
): Promise<T> {
  const project = await open(detected);
  const reporter = { ...SILENT, command: watcher.begin, printed: watcher.printed };
  const ports = await openProofPorts(project, { reporter, store });
  const verifySlot = takeVerifySlot((ports.workspace as GitWorkspace).home);
  watcher.show(`trying: ${command}`);
  try {
    const { tree } = await ports.workspace.tip();
    const raw = await attempt({ ports, policy: project.policy, slot: verifySlot.slot, tree, signal });
    // It is written into a file that other people read.
    const trial = { ...raw, seen: raw.seen.replaceAll(process.env.HOME || '~', '~') };
    watcher.show(`  ${trial.outcome === 'works' ? 'works' : 'no'}: ${trial.seen}`);
    return trial;
  } finally {
    verifySlot.release();
  }
}

const SILENT = { event: () => undefined, agent: () => undefined, phase: () => undefined };
