import type { CitedTest } from '../../core/gates/release.ts';
import type { Policy } from '../../core/model/policy.ts';
import { type TaskDef, UNLISTED_TASK } from '../../core/model/task.ts';
import { hasOwnProof } from '../../core/state/regression.ts';
import type { Ports } from '../../ports/index.ts';
import { runOwnOn } from '../prove/own-at-tip.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly slot: number;
  readonly signal: AbortSignal;
  readonly tree: string;
}

/** Runs what criteria name and what proved their tasks, each once, in a pristine tree of the tip. */
export function createCitedRunner(ctx: Context): {
  test(path: string): Promise<CitedTest>;
  proofOf(task: TaskDef): Promise<readonly CitedTest[]>;
} {
  const known = new Map<string, Promise<CitedTest>>();
  const once = (name: string, ask: () => Promise<CitedTest>) => {
    const answer = known.get(name) ?? ask();
    known.set(name, answer);
    return answer;
  };
  return {
    test: path => once(path, () => runFile(ctx, path)),
    proofOf: async task => {
      if (!hasOwnProof({ def: task })) return [];
      const name = task.testFile ?? `validation of task ${task.id}`;
      return [await once(name, () => run(ctx, name, task))];
    },
  };
}

async function runFile(ctx: Context, path: string): Promise<CitedTest> {
  if ((await ctx.ports.workspace.blobId(ctx.tree, path)) === null)
    return { path, status: 'missing', summary: 'is not there' };
  return run(ctx, path, { ...UNLISTED_TASK, id: path, title: path, testFile: path });
}

async function run(ctx: Context, path: string, task: TaskDef): Promise<CitedTest> {
  const lines = await runOwnOn(ctx, task, ctx.tree);
  const red = lines.find(({ status }) => status !== 'passed');
  if (lines.length === 0)
    return { path, status: 'failed', summary: 'cannot be run alone: testing.feature says how' };
  if (!red) return { path, status: 'passed', summary: lines.map(({ summary }) => summary).join('; ') };
  const summary = [red.summary, ...red.findings.slice(0, 1)].join('; ');
  return { path, status: 'failed', summary: ctx.ports.redact?.(summary) ?? summary };
}
