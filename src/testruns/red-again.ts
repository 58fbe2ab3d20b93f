import type { EventOf } from '../core/events/event.ts';
import type { Policy } from '../core/model/policy.ts';
import type { TestRun } from '../core/model/testing.ts';
import type { Ports } from '../ports/index.ts';
import type { TestRuns } from './test-runs.ts';

interface Context {
  readonly ports: Pick<Ports, 'clock'>;
  readonly policy: Pick<Policy, 'reruns'>;
  readonly tests: TestRuns;
}

/** Whether a run of the suite came to no end that says what is red. */
export function isUnfinished({ timedOut, exitCode, reportProblem }: TestRun): boolean {
  return timedOut || exitCode === null || exitCode === 126 || exitCode === 127 || reportProblem !== undefined;
}

/** Which of these red tests of the base are red once more, because one red run may be bad luck; the others are flaky. */
export async function seeRedAgain(
  { ports, policy, tests }: Context,
  { tree, run }: { readonly tree: string; readonly run: TestRun | null },
  red: readonly string[],
): Promise<{ readonly red: readonly string[]; readonly flaky: readonly EventOf<'test.quarantined'>[] }> {
  if (run === null || red.length === 0 || policy.reruns === 0) return { red, flaky: [] };
  const again = await tests.suite({ side: 'base', tree, repeat: 1 });
  const green = new Set(again?.results.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const seen = { tree, command: run.command, atMs: ports.clock.nowMs() };
  const evidence = (['failed', 'passed'] as const).map(outcome => ({ ...seen, outcome }));
  const flaky = red
    .filter(id => green.has(id))
    .map(id => ({ type: 'test.quarantined', id, evidence }) as const);
  return { red: red.filter(id => !green.has(id)), flaky };
}
