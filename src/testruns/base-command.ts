import type { Policy } from '../core/model/policy.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { Ports, ShellResult } from '../ports/index.ts';
import type { TestRuns } from './test-runs.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly signal: AbortSignal;
  readonly tests: TestRuns;
}

/** Runs a command line where the environment is brought up and down. */
export type BaseShell = (command: string) => Promise<ShellResult>;

/**
 * Commands that bring the environment up or down run in a pristine tree of the base, laid out when the first
 * one comes: their scripts, and all that these load, are the base's own, whatever an agent left in its worktree.
 */
export function openBase(ctx: Context, attempt: Pick<Attempt, 'baseTree' | 'dir'>): BaseShell {
  const { ports, policy, signal, tests } = ctx;
  const { baseTree: tree, dir: worktree } = attempt;
  let laidOut: Promise<string> | null = null;
  return async command => {
    laidOut ??= tests.layOut({ side: 'base', tree });
    const result = await (ports.environment ?? ports.shell).run({
      ...{ command, cwd: await laidOut, timeoutMs: policy.commandTimeoutMs, signal },
      ...(worktree === null ? {} : { env: { HARNESS_WORKTREE: worktree }, writable: [worktree] }),
    });
    signal.throwIfAborted();
    return result;
  };
}
