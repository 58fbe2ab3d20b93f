import type { CheckName, CheckResult } from '../../core/model/check.ts';
import type { Candidate, HumanAnswer } from '../../core/model/facts.ts';
import type { Policy } from '../../core/model/policy.ts';
import type { TaskDef } from '../../core/model/task.ts';
import type { Baseline } from '../../core/model/testing.ts';
import type { Attempt } from '../../core/state/attempt.ts';
import type { FileChange, Ports } from '../../ports/index.ts';
import type { TestRuns } from '../../testruns/test-runs.ts';
import type { Side } from '../../testruns/worktrees.ts';

/** All that a check may look at. It judges the candidate; it never sees the agent's word for it. */
export interface CheckContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly task: TaskDef;
  readonly attempt: Partial<Pick<Attempt, 'number' | 'session' | 'round' | 'left' | 'tests' | 'reviews'>> & {
    readonly agent?: Pick<Attempt['agent'], 'evidence'> &
      Partial<Pick<Attempt['agent'], 'provider' | 'model'>>;
  };
  readonly candidate: Pick<Candidate, 'commit' | 'tree' | 'backlogProblems' | 'claims'>;
  readonly changes: readonly FileChange[];
  /** Measured on the base the candidate stands on. */
  readonly baseline: Baseline;
  readonly baseTree: string;
  /** Runs commands on trees; all that a check runs goes through it. */
  readonly tests: TestRuns;
  readonly signal: AbortSignal;
  /** What a person has said of work of this task, and the tree that the candidate was made of. */
  readonly person?: { readonly answer: HumanAnswer | null; readonly shownTree: string } | undefined;
  /** Who said yes to this very work when it landed, where it is proven again. */
  readonly approvedBy?: string | null | undefined;
  /** Ids of tests that are known to be flaky: they neither block nor prove. */
  readonly quarantine?: ReadonlySet<string> | undefined;
  /** Landed tasks: what proved them has to hold with the change. */
  readonly landed?: readonly TaskDef[] | undefined;
  /** What the checks before this one found. */
  readonly earlier?: readonly CheckResult[] | undefined;
  /** Checks left out, to see what each of them alone holds back. Only trials set it. */
  readonly without?: ReadonlySet<CheckName> | undefined;
}

/**
 * What a person said of exactly this work. The harness's own rebase carries it over: all that a machine can check has
 * been checked again there.
 */
export function getPersonsAnswer({ person, candidate }: CheckContext): HumanAnswer | null {
  const answer = person?.answer ?? null;
  const shown = person?.shownTree ?? candidate.tree;
  return answer?.tree === shown ? answer : null;
}

/** Whether the agent wrote or rewrote the test that judges its work. */
export function wroteOwnTest({ changes, task }: CheckContext): boolean {
  return changes.some(({ path }) => path === task.testFile);
}

/** What is judged, or what it stands on. */
export function getTree({ baseTree, candidate }: CheckContext, side: Side): string {
  return side === 'base' ? baseTree : candidate.tree;
}

/** One check, one file. */
export type Check = (ctx: CheckContext) => Promise<CheckResult>;

type Body = Omit<CheckResult, 'check' | 'durationMs' | 'findings' | 'commands'> &
  Partial<Pick<CheckResult, 'findings' | 'commands'>>;

/** Gives every check the same frame: its name and how long it took. */
export function defineCheck(name: CheckName, judge: (ctx: CheckContext) => Promise<Body>): Check {
  return async ctx => {
    const startedMs = ctx.ports.clock.monotonicMs();
    const body = await judge(ctx);
    const durationMs = Math.round(ctx.ports.clock.monotonicMs() - startedMs);
    return { findings: [], commands: [], ...body, check: name, durationMs };
  };
}
