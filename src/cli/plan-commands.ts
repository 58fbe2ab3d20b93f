import { type Command, Option } from 'commander';
import { PROVIDER_NAMES } from '../core/model/provider.ts';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** Commands that have a planner make tasks. */
export function addPlanCommands(program: Command, io: Io): void {
  withPlanner(
    addCommand(program, 'plan', 'Show the plan that waits, take it, or have one made for a document.'),
  )
    .option('--spec <file>', 'what is to be added, as a document')
    .option('--accept', 'take the plan that waits')
    .addHelpText('after', '\nExample:\n  harness plan --spec payments.md')
    .action(async options => (await import('./commands/work/plan.ts')).plan(io, options));
  withPlanner(addCommand(program, 'add-feature', 'Have a planner turn a wish into one well-formed task.'))
    .argument('<wish>', 'what is wanted, in your own words')
    .addHelpText('after', '\nExample:\n  harness add-feature "Totals include tax"')
    .action(async (wish, options) => (await import('./commands/work/plan.ts')).addFeature(io, wish, options));
  withPlanner(addCommand(program, 'split', 'Have a planner put smaller tasks in the place of one.'))
    .argument('<task>', 'its id')
    .addHelpText('after', '\nExample:\n  harness split 7')
    .action(async (task, options) => (await import('./commands/work/plan.ts')).split(io, task, options));
}

/** Flags that go with every question to a planner. */
export function withPlanner(command: Command): Command {
  return command
    .option('--yes', 'take the plan without asking')
    .option('--dry-run', 'show the plan and every file it would write; take nothing')
    .addOption(
      new Option('--agent <name>', 'who plans; in a new project also who works').choices([...PROVIDER_NAMES]),
    );
}
