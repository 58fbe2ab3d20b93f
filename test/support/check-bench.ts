import type { CheckContext } from '../../src/checks/shared/context.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import type { Baseline } from '../../src/core/model/testing.ts';
import type { FileChange, Ports } from '../../src/ports/index.ts';
import { TestRuns, type TestRunsOptions } from '../../src/testruns/test-runs.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { type Bench, type BenchOptions, createBench, type Files } from './bench.ts';
import { makeTask } from './history.ts';

/** A base on which an old test passes and the task's own test fails. */
export const BASE: Files = {
  'features.json': '{"1":{"passes":false,"dependsOn":[],"priority":0}}',
  'package.json': '{}',
  'src/old': 'good',
  'test/old': 'assert old',
  'test/1': 'assert 1',
};

/** An honest candidate for it. */
export const HEALTHY: Files = { ...BASE, 'src/1': 'good' };

export interface CheckCase extends BenchOptions {
  readonly base?: Files;
  readonly candidate?: Files;
  readonly task?: Partial<TaskDef>;
  readonly policy?: Partial<Policy>;
  readonly baseline?: Partial<Baseline>;
  readonly claims?: readonly string[];
  readonly backlogProblems?: readonly string[];
  /** Git's modes of changed files that are no plain files. */
  readonly modes?: Readonly<Record<string, string>>;
}

/** Whose trees are used. */
const SLOT = 1;

/** Everything a check may look at, made from two sets of files. */
export async function createCheckContext(given: CheckCase = {}): Promise<Bench & { ctx: CheckContext }> {
  const bench = createBench(given.base ?? BASE, given);
  const { git, ports } = bench;
  const base = git.base;
  const tree = JSON.stringify(given.candidate ?? HEALTHY);
  const commit = git.commit(tree, [base], 'candidate');
  const changes = (await ports.workspace.changes(base, commit)).map(
    (change): FileChange => ({ ...change, mode: given.modes?.[change.path] ?? change.mode }),
  );
  const { claims = ['1'], backlogProblems = [] } = given;
  const policy = { ...simPolicy, ...given.policy };
  const { signal } = new AbortController();
  const ctx: CheckContext = {
    ports,
    policy,
    task: { ...makeTask('1'), testFile: 'test/1', ...given.task },
    attempt: {},
    candidate: { commit, tree, backlogProblems, claims },
    changes,
    baseline: { tree: git.treeOf(base), passing: ['test/old'], failing: ['test/1'], ...given.baseline },
    baseTree: git.treeOf(base),
    signal,
    tests: new TestRuns({ ports, policy, slot: SLOT, signal }),
  };
  return { ...bench, ctx };
}

/** The same with other ports, or other ways to run things; nothing that was run before is known but to the store. */
export function changeRuns(
  ctx: CheckContext,
  { ports = {}, ...options }: { ports?: Partial<Ports> } & Omit<Partial<TestRunsOptions>, 'ports'>,
): CheckContext {
  const changed = { ...ctx.ports, ...ports };
  const { policy, signal } = ctx;
  return {
    ...ctx,
    ports: changed,
    tests: new TestRuns({ policy, slot: SLOT, signal, ...options, ports: changed }),
  };
}
