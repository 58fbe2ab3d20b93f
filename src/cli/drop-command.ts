import { type Command, Option } from 'commander';
import { DROP_ROLES } from '../core/model/drop.ts';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** The command by which a person leaves something for an agent. */
export function addDropCommand(program: Command, io: Io): void {
  addCommand(program, 'drop', 'Leave a text file for the next agent of a role, which is told of it once.')
    .argument('<file>', 'what it has to know')
    .addOption(new Option('--role <name>', 'whom it is for').choices([...DROP_ROLES]).default('coding'))
    .addHelpText('after', '\nExample:\n  harness drop legal-answer.md --role planner')
    .action(async (file, options) => (await import('./commands/people/drop.ts')).drop(io, file, options));
}
