import type { CheckContext } from '../../src/checks/shared/context.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import type { Baseline } from '../../src/core/model/testing.ts';
import type { FileChange } from '../../src/ports/index.ts';
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
  const ctx: CheckContext = {
    ports,
    policy: { ...simPolicy, ...given.policy },
    task: { ...makeTask('1'), testFile: 'test/1', ...given.task },
    attempt: { slot: 1 },
    candidate: { commit, tree, backlogProblems, claims },
    changes,
    baseline: { tree: git.treeOf(base), passing: ['test/old'], failing: ['test/1'], ...given.baseline },
    baseTree: git.treeOf(base),
    signal: new AbortController().signal,
    ahead: new Map(),
    answers: new Map(),
    runs: [],
  };
  return { ...bench, ctx };
}
