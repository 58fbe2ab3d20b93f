import { expect, test } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { Ports, Worktree } from '../ports/index.ts';
import { TestRuns } from './test-runs.ts';

test('a tree laid out ahead is used once, and never again after tests have been in it', async () => {
  const { tests, log } = createBench();
  tests.prefetch('candidate', 'A');
  await runTests(tests, 'A', 'one');
  await runTests(tests, 'A', 'two');
  expect(log).toEqual(['lay out A', 'laid out A', 'one in A', 'lay out A', 'laid out A', 'two in A']);
});

test('another tree than the foreseen one waits until the worktree is free, and is laid out itself', async () => {
  const { tests, log } = createBench();
  tests.prefetch('candidate', 'A');
  tests.prefetch('candidate', 'B');
  await runTests(tests, 'C', 'one');
  const laid = ['A', 'B', 'C'].flatMap(tree => [`lay out ${tree}`, `laid out ${tree}`]);
  expect(log).toEqual([...laid, 'one in C']);
});

test('a layout that failed ahead of time is tried again when it is needed', async () => {
  const { tests, log } = createBench({ failures: 1 });
  tests.prefetch('candidate', 'A');
  await runTests(tests, 'A', 'one');
  expect(log).toEqual(['lay out A', 'lay out A', 'laid out A', 'one in A']);
});

test('nothing is left under way once all is settled', async () => {
  const { tests, log } = createBench();
  tests.prefetch('candidate', 'A');
  tests.prefetch('base', 'B');
  await tests.worktrees.settle();
  expect(log.filter(line => line.startsWith('laid'))).toHaveLength(2);
  await runTests(tests, 'A', 'one');
  expect(log.filter(line => line === 'lay out A')).toHaveLength(2);
});

interface Bench {
  readonly tests: TestRuns;
  readonly log: string[];
}

/** A worktree that can hold one tree at a time, and tells when it is used by two. */
function createBench({ failures = 0 } = {}): Bench {
  const log: string[] = [];
  const busy = new Set<number>();
  let left = failures;
  const pristine = async (worktree: number, tree: string): Promise<Worktree> => {
    if (busy.has(worktree)) throw new Error('two at once in one worktree');
    busy.add(worktree);
    log.push(`lay out ${tree}`);
    await new Promise(resolve => setTimeout(resolve, 1));
    busy.delete(worktree);
    if (left-- > 0) throw new Error('no luck');
    log.push(`laid out ${tree}`);
    return { dir: tree };
  };
  const run = async ({ dir, command }: { dir: string; command: string }): Promise<TestRun> => {
    log.push(`${command} in ${dir}`);
    return { command, exitCode: 0, timedOut: false, results: [], outputTail: '', durationMs: 0 };
  };
  const store = { cacheGet: async () => null, cachePut: async () => undefined, metaGet: async () => null };
  const ports = { workspace: { pristine }, tests: { run }, store } as unknown as Ports;
  const { signal } = new AbortController();
  return { tests: new TestRuns({ ports, policy: simPolicy, slot: 1, signal }), log };
}

async function runTests(tests: TestRuns, tree: string, command: string): Promise<void> {
  await tests.run({ purpose: 'trial', side: 'candidate', tree, command, runner: 'command' });
}
