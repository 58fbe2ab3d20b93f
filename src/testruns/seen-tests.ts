import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { getBaseline, type TestRun } from '../core/model/testing.ts';
import type { Ports } from '../ports/index.ts';
import { isAllGreen, readOwnProof, runOwnProof } from './own-proof.ts';
import type { TestRuns } from './test-runs.ts';

/** What tests say of work before its verdict. */
export interface SeenTests {
  /** What proves the task by itself. */
  readonly own: readonly TestRun[];
  readonly suite: { readonly command: string; readonly passing: number; readonly failing: number } | null;
}

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly signal: AbortSignal;
}

/**
 * Looks at work for the entry that lands with it. The verdict asks the same first and is given these runs, as far as
 * tests do not look at the notes; a suite of which only the exit code is known would have to be run twice, and is not.
 */
export async function readSeenTests(
  { ports, policy, signal }: Context,
  tests: TestRuns,
  { task, tree }: { readonly task: TaskDef; readonly tree: string },
): Promise<SeenTests> {
  try {
    const proofs = (await readOwnProof({ ports, policy }, task)).filter(({ kind }) => kind !== 'held-out');
    const own: TestRun[] = [];
    for (const proof of proofs) {
      const purpose = `${proof.kind === 'test' ? 'own tests' : 'validation'}, candidate`;
      own.push(await runOwnProof(tests, proof, { purpose, side: 'candidate', tree }));
    }
    if (policy.testing.runner === 'command' || !own.every(isAllGreen)) return { own, suite: null };
    const run = await tests.suite({ side: 'candidate', tree });
    if (run === null || run.timedOut || run.reportProblem) return { own, suite: null };
    const { passing, failing } = getBaseline(tree, run);
    const suite = { command: run.command, passing: passing.length, failing: failing.length };
    return { own, suite };
  } catch (error) {
    signal.throwIfAborted();
    // What keeps tests from being run is the verdict's to say.
    if (error instanceof HarnessError) return { own: [], suite: null };
    throw error;
  }
}
