import { type Command, InvalidArgumentError } from 'commander';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** The command that goes after one objective until it is proven. */
export function addLoopCommand(program: Command, io: Io): void {
  addCommand(
    program,
    'loop',
    'Go after one objective, in a fresh context each time, until it is promised and proven.',
  )
    .argument('[objective]', 'what is to be reached; not needed with --resume')
    .option('--check <command>', 'succeeds once it is reached; run by the harness on a clean tree')
    .option('--completion-promise <text>', 'what the agent has to say when it is done; TASK_COMPLETE')
    .option('--max-iterations <n>', 'sessions in all; 10 when not said', toCount)
    .option('--resume <run>', 'go on with an earlier one, by the id it was given')
    .addHelpText(
      'after',
      '\nExample:\n  harness loop "All examples in docs/ run" --check "npm run docs:test"\n  harness loop --resume loop-1 --max-iterations 20',
    )
    .action(async (objective, options) =>
      (await import('./commands/work/loop.ts')).loop(io, objective, options),
    );
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('It must be 1 or more.');
  return count;
}
