import { type Command, Option } from 'commander';
import { PROVIDER_NAMES } from '../core/model/provider.ts';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** Commands that have a planner make tasks. */
export function addPlanCommands(program: Command, io: Io): void {
  withPlanner(addCommand(program, 'plan', 'Show or accept the pending plan, or make one from a document.'))
    .option('--spec <file>', 'what is to be added, as a document')
    .option('--accept', 'accept the pending plan')
    .addHelpText('after', '\nExample:\n  harness plan --spec payments.md')
    .action(async options => (await import('./commands/work/plan.ts')).plan(io, options));
  withPlanner(addCommand(program, 'add-feature', 'Let a planner turn a wish into one task.'))
    .argument('<wish>', 'what is wanted, in your own words')
    .addHelpText('after', '\nExample:\n  harness add-feature "Totals include tax"')
    .action(async (wish, options) => (await import('./commands/work/plan.ts')).addFeature(io, wish, options));
  withPlanner(addCommand(program, 'split', 'Let a planner replace a task with smaller ones.'))
    .argument('<task>', 'its id')
    .addHelpText('after', '\nExample:\n  harness split 7')
    .action(async (task, options) => (await import('./commands/work/plan.ts')).split(io, task, options));
}

/** Flags that go with every question to a planner. */
export function withPlanner(command: Command): Command {
  return command
    .option('--yes', 'accept the plan without asking')
    .option('--dry-run', 'show the plan and every file it would write; change nothing')
    .addOption(
      new Option('--agent <name>', 'who plans; in a new project also who works').choices([...PROVIDER_NAMES]),
    );
}
