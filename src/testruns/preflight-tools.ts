import { HarnessError } from '../core/base/failure.ts';
import { getUsefulLine } from '../core/base/text.ts';
import type { PreflightCheck } from '../core/model/facts.ts';
import type { Policy } from '../core/model/policy.ts';
import { getProgramName } from '../core/shell/command-line.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Ports } from '../ports/index.ts';
import type { TestRuns } from './test-runs.ts';

/** What a check of the preflight says when there is no reason to stop. */
export type Answer = string | Pick<PreflightCheck, 'detail' | 'warning'>;

interface Before {
  readonly task: TaskState;
  readonly attempt: Attempt;
  readonly tests: TestRuns;
}

/** A validation that this machine cannot run rejects whatever is done: nobody is paid for that. */
export async function checkProgram(
  { random }: Pick<Ports, 'random'>,
  { task, attempt, tests }: Before,
): Promise<string> {
  const command = task.def.validation?.command ?? '';
  const program = getProgramName(command);
  if (program === null) return 'it begins with a file of the project';
  const run = await tests.run({
    ...{ purpose: 'program of the validation', side: 'base', tree: attempt.baseTree },
    ...{ command: `command -v ${program}`, runner: 'command', idWithoutReport: program },
    // What is installed changes without any byte of the tree: asked each time.
    beside: random.token(),
  });
  if (run.exitCode === 0) return `${program} is there`;
  const text = `validation.command (${command}) cannot be run: there is no program ${program}`;
  const fix = `install ${program}, or change the validation of task ${task.def.id}`;
  throw new HarnessError('environment', text, { field: 'validation.command', fix });
}

/** What is wrong with the base before anybody works on it; asked in the words of the verdict, so that it is run once. */
export async function checkLint(
  { lintCommand, commandTimeoutMs: timeoutMs, preflight }: Policy,
  { attempt, tests }: Before,
): Promise<Answer> {
  const run = await tests.run({
    ...{ purpose: 'lint, base', side: 'base', tree: attempt.baseTree, command: lintCommand ?? '', timeoutMs },
    ...{ runner: 'command', idWithoutReport: 'lint', notesOpened: true },
  });
  if (run.exitCode === 0) return 'clean';
  const how = run.timedOut ? 'it ran out of time' : `exit ${run.exitCode}`;
  const detail = `${lintCommand} finds fault with the base (${how}): ${getUsefulLine(run.outputTail)}`;
  if (preflight.lint === 'warn') return { detail, warning: true };
  const fix = 'make it clean, or set preflight.checks.lint to warn';
  throw new HarnessError('environment', detail, { field: 'preflight.checks.lint', fix });
}
