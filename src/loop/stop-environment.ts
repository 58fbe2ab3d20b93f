import { HarnessError } from '../core/base/failure.ts';
import { getUsefulLine } from '../core/base/text.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import { openTests } from '../steps/step.ts';
import { getHow } from '../testruns/install.ts';
import { openBase } from '../testruns/preflight-checks.ts';
import type { Run } from './run.ts';

/**
 * Shuts down what the preflight of an attempt brought up, once the run is over, however it ended: what proves the
 * work, and the last look at all of it, need the environment as well. Whoever still works here keeps it.
 */
export async function stopEnvironment(run: Run): Promise<HarnessEvent | null> {
  const { ports, policy, worktrees, journal } = run;
  const { last } = run.progress;
  const command = policy.environment.stop;
  const isShared = [...journal.state.workers.keys()].some(id => id !== ports.workers.self.id);
  if (last === null || command === null || !policy.preflight.environment || isShared) return null;
  // A run that is called off has an environment to be stopped, too.
  const ctx = { ports, policy, worktrees, signal: new AbortController().signal };
  try {
    const result = await openBase({ ...ctx, tests: openTests(ctx, last.slot) }, last)(command);
    if (result.exitCode === 0) return getNote('routine', 'the environment was stopped');
    const how = getHow(result, policy.commandTimeoutMs);
    return getNote(
      'important',
      `environment.stop (${command}) failed (${how}): ${getUsefulLine(result.output)}`,
    );
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return getNote('important', `environment.stop (${command}) was not run: ${error.message}`);
  }
}

function getNote(level: 'routine' | 'important', text: string): HarnessEvent {
  return { type: 'note.added', level, text };
}
