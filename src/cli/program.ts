import { Command, CommanderError, Option } from 'commander';
import { HARNESS_VERSION } from '../version.ts';
import type { Io } from './io.ts';
import { reportError } from './report-error.ts';

/** The command line: every command's flags here, every command's work in a chunk of its own. */
export async function runProgram(argv: readonly string[], io: Io): Promise<void> {
  const json = argv.includes('--json');
  try {
    await createProgram(io).parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) io.exit(error.exitCode === 0 ? 0 : 2);
    else reportError(io, error, json);
  }
}

/** Flags that every command understands. */
export interface CommonOptions {
  readonly repo?: string;
  readonly json?: boolean;
}

function createProgram(io: Io): Command {
  const program = new Command('harness')
    .description('Drives coding agents through a graph of tasks and lands only what it has proven itself.')
    .version(HARNESS_VERSION, '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: text => io.out(text.trimEnd()), writeErr: text => io.err(text.trimEnd()) })
    .showHelpAfterError('(harness <command> --help shows the flags)');
  addCommand(program, 'run', 'Work on the next task until it is landed, rejected or given up.')
    .option('--all', 'go on until nothing is ready')
    .option('--task <id>', 'work on this task only')
    .option('--max-sessions <n>', 'stop after so many attempts', toCount)
    .option('--dry-run', 'show the task, the prompt and what it may cost; start nothing')
    .addHelpText('after', '\nExample:\n  harness run --all')
    .action(async options => (await import('./run.ts')).run(io, options));
  return program;
}

/** Starts the definition of a command with the flags they all share. */
function addCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .exitOverride()
    .addOption(new Option('--repo <path>', 'the repository to work on').env('HARNESS_TARGET_REPO'))
    .option('--json', 'print one JSON document on stdout');
}

function toCount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new CommanderError(2, 'harness.usage', `expected a whole number above 0, not "${text}"`);
}
