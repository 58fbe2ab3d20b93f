import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createClock } from '../../src/adapters/process/clock.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { createShell } from '../../src/adapters/process/shell.ts';
import { createSources } from '../../src/adapters/source/sources.ts';
import { createTests } from '../../src/adapters/tests/run-tests.ts';
import { runChecks } from '../../src/checks/run/run-checks.ts';
import type { CheckContext } from '../../src/checks/shared/context.ts';
import type { CheckName } from '../../src/core/model/check.ts';
import type { Policy } from '../../src/core/model/policy.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import { getVerdict } from '../../src/core/model/verdict.ts';
import type { Agent, Ports } from '../../src/ports/index.ts';
import { TestRuns } from '../../src/testruns/test-runs.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { createBench, type Files } from './bench.ts';
import { makeCandidate, makeRepo, makeTempDir, open } from './git-fixture.ts';
import { makeTask } from './history.ts';
import { CLEAN, found } from './review-answers.ts';

export interface RealCase {
  readonly base: Files;
  /** What the candidate writes over the base. */
  readonly change: Files;
  readonly testFile: string | null;
  readonly validation?: TaskDef['validation'];
  readonly policy?: Partial<Policy>;
  /** What a reviewer says who is asked: nothing, something that nobody can refute, or what is given. */
  readonly review?: 'clean' | 'reject' | Agent['run'];
  readonly task?: Partial<TaskDef>;
  readonly attempt?: CheckContext['attempt'];
  readonly without?: readonly CheckName[];
  /** How the built program is started, where something of it has to run beside tests. */
  readonly program?: readonly string[];
}

/** Judges a change with the real checks on real git and real runners; only the store is in memory. */
export async function judgeForReal(given: RealCase) {
  const workspace = await open(makeRepo(given.base));
  const tip = await workspace.tip();
  const commit = await makeCandidate(workspace, given.change);
  const { ports, written } = openRealPorts(workspace, given);
  const policy = { ...simPolicy, testing: NODE_TESTS, ...given.policy };
  const { signal } = new AbortController();
  const tests = new TestRuns({ ports, policy, slot: 1, signal });
  const { baseline } = await tests.baseline(tip.tree);
  const results = await runChecks({
    ...{ ports, policy, signal, tests, baseline },
    task: { ...makeTask('1'), testFile: given.testFile, validation: given.validation ?? null, ...given.task },
    attempt: given.attempt ?? {},
    candidate: {
      commit,
      tree: await workspace.compose({ tree: commit }),
      backlogProblems: [],
      claims: ['1'],
    },
    changes: await workspace.changes(tip.commit, commit),
    baseTree: tip.tree,
    without: new Set(given.without ?? []),
  });
  const tree = await workspace.compose({ tree: commit });
  return { results, runs: tests.records, verdict: getVerdict(results), tree, written };
}

const NODE_TESTS = {
  runner: 'node',
  full: 'node --test',
  feature: 'node --test {file}',
  reportPath: null,
} as const;

function openRealPorts(
  workspace: Ports['workspace'],
  { review = 'reject', program = [] }: RealCase,
): { readonly ports: Ports; readonly written: ReadonlyMap<string, string> } {
  const random = createRandom();
  const owner = { workerId: 'w-real-checks', random };
  const reports = makeTempDir();
  const tests = createTests(
    createShell({ ...owner, ci: true }),
    () => join(reports, random.token()),
    path => rm(path, { force: true }),
    { program },
  );
  const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };
  const structured = review === 'clean' ? CLEAN : found({ claim: 'it does not test the task' });
  const answer = async () => ({ outcome: 'claimed', summary: '', usage, structured }) as const;
  const bench = createBench({}, { agent: typeof review === 'function' ? review : answer });
  const real = { random, workspace, tests, clock: createClock(), sources: createSources(owner, reports) };
  return { ports: { ...bench.ports, ...real }, written: bench.written };
}
