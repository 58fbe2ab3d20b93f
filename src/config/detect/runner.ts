import type { RunnerKind } from '../../core/model/testing.ts';
import { findInvocation } from '../../core/testing/test-invocation.ts';

const RECOGNISED: readonly RunnerKind[] = ['vitest', 'jest', 'mocha', 'node', 'pytest', 'go', 'cargo'];

/** How the results of a command can be read, from the command alone. */
export function getRunner(command: string | null, reportPath: string | null): RunnerKind {
  if (reportPath?.endsWith('.xml')) return 'junit';
  if (reportPath?.endsWith('.tap')) return 'tap';
  if (command === null) return 'command';
  return RECOGNISED.find(runner => findInvocation(runner, command)?.via === 'runner') ?? 'command';
}
