import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { type BenchOptions, createBench } from '../../test/support/bench.ts';
import { BASE } from '../../test/support/check-bench.ts';
import { makeTask } from '../../test/support/history.ts';
import { foldAll, landing, synced } from '../../test/support/pipeline.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import { findRegressions } from './find-regressions.ts';
import { TestRuns } from './test-runs.ts';

const FILE = 'test/1';
const RED: NonNullable<BenchOptions['answer']> = () => ({
  exitCode: 1,
  results: [{ id: FILE, outcome: 'failed' }],
});
const GREEN: NonNullable<BenchOptions['answer']> = () => ({
  exitCode: 0,
  results: [{ id: FILE, outcome: 'passed' }],
});

interface Given {
  readonly answer?: NonNullable<BenchOptions['answer']>;
  /** Looks at the commit before the landing. */
  readonly before?: boolean;
  /** The base was looked at already. */
  readonly known?: boolean;
}

/** Task 1 landed, somebody committed after it, and its test is red in the suite. */
async function look({ answer = RED, before = false, known = false }: Given) {
  const bench = createBench(BASE, { answer });
  const { git, ports } = bench;
  const start = git.base;
  const trailer = 'Thing\n\nHarness-Task: 1\nHarness-Attempt: 1\n';
  const landed = git.commit(JSON.stringify({ ...BASE, 'src/1': 'good' }), [start], trailer);
  const broken = git.commit(JSON.stringify({ ...BASE, 'src/1': 'bad' }), [landed], 'Break it');
  const commit = before ? start : broken;
  const tree = git.treeOf(commit);
  const landings = landing('1').map(
    (event): HarnessEvent => (event.type === 'task.landed' ? { ...event, commit: landed } : event),
  );
  const measured = { type: 'baseline.measured', command: 'test', passing: [FILE], failing: [] } as const;
  const state = foldAll(synced([{ ...makeTask('1'), testFile: FILE }]), [
    ...landings,
    { ...measured, tree: known ? tree : 'earlier' },
  ]);
  const { signal } = new AbortController();
  const tests = new TestRuns({ ports, policy: simPolicy, slot: 1, signal });
  const ctx = { ports, policy: simPolicy, state, tests };
  const baseline = { tree, passing: [], failing: [FILE] };
  const { found } = await findRegressions(ctx, { commit, tree }, baseline);
  return { found, ran: bench.ran };
}

describe('a landed task is to be opened again', () => {
  it('when its own tests are red as well, in words that name the test and the commit', async () => {
    const { found, ran } = await look({});
    expect(found).toEqual([
      { task: '1', tests: [FILE], reason: expect.stringMatching(/^test\/1 passed when task 1 landed/) },
    ]);
    expect(ran).toHaveLength(1);
  });

  it.each<[string, Given]>([
    ['when its own tests are green: the suite was wrong about it', { answer: GREEN }],
    ['when its tests could not be run', { answer: () => ({ exitCode: null, timedOut: true, results: [] }) }],
    ['when it landed later than the commit that is looked at', { before: true }],
    ['when this very tree has been looked at before', { known: true }],
  ])('not %s', async (_, given) => {
    expect((await look(given)).found).toEqual([]);
  });
});
