import type { GitWorkspace } from '../adapters/git/workspace.ts';
import { createMemoryStore } from '../adapters/store/memory-store.ts';
import { type SuiteTrial, type TrialContext, tryInstall, trySuite, tryTool } from '../checks/trial.ts';
import type { DetectedProject, TestWay } from '../config/detect.ts';
import type { Seen } from '../config/render-config.ts';
import type { Store } from '../ports.ts';
import type { Io } from './io.ts';
import { openProofPorts } from './open-ports.ts';
import type { Project } from './open-project.ts';
import { createTrialReporter, type TrialReporter } from './trial-reporter.ts';
import { takeVerifySlot } from './verify-slot.ts';

/** What is left of a proposal once it was tried: only commands that gave results, and what was seen of each. */
export interface TriedProject {
  readonly detected: DetectedProject;
  readonly seen: Seen;
}

interface Workshop {
  readonly signal: AbortSignal;
  /** A tool that ran and is red stays: somebody chose it. */
  readonly keepsRed: boolean;
  readonly reporter: TrialReporter;
  /** The project with these commands for its settings. */
  readonly open: (detected: DetectedProject) => Promise<Project>;
  readonly store: Store;
}

/**
 * Runs what was found out (install, suite, one file alone, linter, type check, build) in a pristine tree of the
 * base, in the sandbox and with the environment that verdicts are given in. Records nothing.
 */
export async function tryProject(
  io: Io,
  found: DetectedProject,
  open: (detected: DetectedProject) => Promise<Project>,
  { signal, keepsRed = false }: { readonly signal: AbortSignal; readonly keepsRed?: boolean },
): Promise<TriedProject> {
  const reporter = createTrialReporter(io);
  const store = createMemoryStore(Date.now, () => 'trial');
  const shop = { signal, keepsRed, reporter, open, store };
  try {
    const installed = await chooseInstall(shop, found);
    const tested = await chooseWay(shop, installed);
    return await keepTools(shop, tested);
  } finally {
    reporter.close();
  }
}

/** The first install that works; without one, what can be had without it. */
async function chooseInstall(shop: Workshop, found: DetectedProject): Promise<TriedProject> {
  const installs = [...(found.install === null ? [] : [found.install]), ...(found.otherInstalls ?? [])];
  const leftOut: string[] = [];
  for (const install of installs) {
    const trial = await inTree(shop, { ...found, install }, install, tryInstall);
    if (trial.outcome === 'works')
      return { detected: { ...found, install }, seen: { install: trial.seen, leftOut } };
    leftOut.push(`install: ${install} is left out: ${trial.seen}`);
  }
  return { detected: { ...found, install: null }, seen: { leftOut } };
}

/** The first way of testing that gives results, by file too; else the one that showed most. */
async function chooseWay(shop: Workshop, { detected, seen }: TriedProject): Promise<TriedProject> {
  const { full, runner, report, feature = null, otherWays = [] } = detected;
  if (full === null) return { detected, seen };
  const ways: readonly TestWay[] = [{ full, runner, report, feature }, ...otherWays];
  const tried: { readonly way: TestWay; readonly trial: SuiteTrial }[] = [];
  for (const way of ways) {
    const trial = await inTree(shop, withWay(detected, way), way.full, trySuite);
    tried.push({ way, trial });
    if (trial.outcome === 'works' && trial.alone === null) break;
  }
  const [best] = [...tried].sort((a, b) => getRank(a.trial) - getRank(b.trial));
  const chosen = best && best.trial.outcome !== 'none' ? best : null;
  const failed = tried
    .filter(one => one !== chosen)
    .map(({ way, trial }) => `tests: ${way.full} is left out: ${trial.alone ?? trial.seen}`);
  const leftOut = [...(seen.leftOut ?? []), ...failed];
  if (chosen === null)
    return { detected: { ...detected, full: null, otherWays: [] }, seen: { ...seen, leftOut } };
  const { alone } = chosen.trial;
  return {
    detected: withWay(detected, chosen.way),
    seen: { ...seen, full: chosen.trial.seen, ...(alone === null ? {} : { alone }), leftOut },
  };
}

function withWay(detected: DetectedProject, way: TestWay): DetectedProject {
  const { full, runner, report = null, feature = null } = way;
  return { ...detected, full, runner, report, feature };
}

/** Results by file before results, those before none green, and that before nothing to see. */
function getRank({ outcome, alone }: SuiteTrial): number {
  const at = ['works', 'red', 'empty', 'none'].indexOf(outcome);
  return at * 2 + (alone === null ? 0 : 1);
}

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
  { open, store, reporter, signal }: Workshop,
  detected: DetectedProject,
  command: string,
  attempt: (ctx: TrialContext) => Promise<T>,
): Promise<T> {
  const project = await open(detected);
  const ports = await openProofPorts(project, { reporter: SILENT, store, onLine: reporter.onLine });
  const place = takeVerifySlot((ports.workspace as GitWorkspace).home);
  const end = reporter.begin(command);
  try {
    const { tree } = await ports.workspace.tip();
    const trial = await attempt({ ports, policy: project.policy, slot: place.slot, tree, signal });
    end(trial.outcome === 'works', trial.seen);
    return trial;
  } finally {
    place.release();
  }
}

const SILENT = { event: () => undefined, agent: () => undefined, phase: () => undefined };
