import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** Commands for after something went wrong. */
export function addRecoveryCommands(program: Command, io: Io): void {
  addCommand(program, 'recover', 'Put right what a killed run left, and start nothing new.')
    .option('--dry-run', 'say what would be done and why; do nothing of it')
    .addHelpText('after', '\nEvery run begins with the same.\n\nExample:\n  harness recover --dry-run')
    .action(async options => (await import('./commands/work/recover.ts')).recover(io, options));
}
