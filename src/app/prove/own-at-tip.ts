import { readObjects } from '../../adapters/git/objects/objects.ts';
import type { GitContext } from '../../adapters/git/repo/context.ts';
import type { GitWorkspace } from '../../adapters/git/workspace.ts';
import type { TaskDef } from '../../core/model/task.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { hasOwnProof } from '../../core/state/regression.ts';
import type { Ports } from '../../ports/index.ts';
import { isAllGreen, type OwnProof, readOwnProof, runOwnProof } from '../../testruns/own-proof.ts';
import { TestRuns } from '../../testruns/test-runs.ts';
import { openProofPorts } from '../project/open-ports.ts';
import type { Project } from '../project/open-project.ts';
import { takeVerifySlot } from '../project/verify-slot.ts';

/** One line of a result, whatever it was that ran. */
export interface Line {
  readonly check: string;
  readonly status: string;
  readonly summary: string;
  readonly findings: readonly string[];
  readonly commands: readonly string[];
  readonly durationMs: number;
}

interface Context {
  readonly ports: Ports;
  readonly policy: Project['policy'];
  readonly slot: number;
  readonly signal: AbortSignal;
}

/** What a task's own proof says on a tree by itself, one line for each part of it. */
export async function runOwnOn(ctx: Context, task: TaskDef, tree: string): Promise<readonly Line[]> {
  const tests = new TestRuns(ctx);
  const where = { purpose: 'own tests, tip', side: 'candidate', tree } as const;
  const lines: Line[] = [];
  for (const part of await readOwnProof(ctx, task))
    lines.push(getLine(part, await runOwnProof(tests, part, where)));
  return lines;
}

/** The same with a place of its own, for a task that has landed; nothing where nothing can be asked again. */
export async function runOwnAtTip(
  project: Project,
  task: TaskDef,
  tree: string,
  options: Parameters<typeof openProofPorts>[1] & { readonly signal: AbortSignal },
): Promise<readonly Line[]> {
  if (!hasOwnProof({ def: task })) return [];
  const ports = await openProofPorts(project, options);
  const verifySlot = takeVerifySlot((ports.workspace as GitWorkspace).home);
  try {
    const { policy } = project;
    return await runOwnOn({ ports, policy, slot: verifySlot.slot, signal: options.signal }, task, tree);
  } finally {
    verifySlot.release();
  }
}

/** The tree that a commit or a tree is known by. */
export async function readTreeId(ctx: GitContext, treeish: string): Promise<string> {
  const [object] = await readObjects(ctx, [`${treeish}^{tree}`]);
  return object?.id ?? treeish;
}

function getLine({ kind }: OwnProof, run: TestRun): Line {
  const red = run.results.filter(result => result.outcome !== 'passed');
  const counts = `${run.results.length - red.length} of ${run.results.length} pass`;
  return {
    check: kind === 'test' ? 'tests' : kind,
    status: isAllGreen(run) ? 'passed' : 'failed',
    summary: run.timedOut ? 'ran out of time' : (run.reportProblem ?? counts),
    findings: red.map(result => `${result.id}: ${result.outcome}`),
    commands: [run.command],
    durationMs: Math.round(run.durationMs),
  };
}
