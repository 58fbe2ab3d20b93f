import { type Command, Option } from 'commander';
import { FORMATS } from '../backlog/edit/convert.ts';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** Commands that bring a backlog from one format to another. */
export function addBacklogCommands(program: Command, io: Io): void {
  addCommand(program, 'import', 'Turn a task list of another tool into the backlog of this project.')
    .argument('<path>', 'harness-tasks.json, tasks.json, features.json, or a folder of Markdown plans')
    .option('--dry-run', 'print the backlog; write nothing')
    .addHelpText('after', '\nExample:\n  harness import harness-tasks.json --dry-run')
    .action(async (path, options) =>
      (await import('./commands/care/import-backlog.ts')).importBacklog(io, path, options),
    );
  addCommand(program, 'export', 'Write the backlog in the format of another tool.')
    .addOption(new Option('--format <name>', 'which').choices([...FORMATS]).makeOptionMandatory())
    .requiredOption('--out <dir>', 'the folder to write into; files there are never overwritten')
    .addHelpText('after', '\nExample:\n  harness export --format plans --out plans')
    .action(async options => (await import('./commands/care/export-backlog.ts')).exportBacklog(io, options));
}
