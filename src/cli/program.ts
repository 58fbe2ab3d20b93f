import { Command, CommanderError } from 'commander';
import { HarnessError } from '../core/base/failure.ts';
import { HARNESS_VERSION } from '../core/base/version.ts';
import { COMMANDS, loadCommands } from './commands.ts';
import type { Io } from './terminal/io.ts';
import { reportError } from './terminal/report-error.ts';

/** The command line: every command's flags here, every command's work in a chunk of its own. */
export async function runProgram(argv: readonly string[], io: Io): Promise<void> {
  const json = argv.includes('--json');
  try {
    const program = await createProgram(io, argv[2]);
    if (argv.length > 2) await program.parseAsync([...argv]);
    else await (await import('./commands/look/status.ts')).showOverview(io, program);
  } catch (error) {
    if (!(error instanceof CommanderError)) reportError(io, error, json);
    else if (error.exitCode === 0) io.exit(0);
    else reportError(io, getUsageError(error), json);
  }
}

/** The command that is asked for, or every one there is; tests hold the documentation to these. */
export async function createProgram(io: Io, asked?: string): Promise<Command> {
  const program = new Command('harness')
    .description('Drives coding agents through a graph of tasks and lands only what it has proven itself.')
    .version(HARNESS_VERSION, '-V, --version', 'print the version number alone')
    .exitOverride()
    .configureOutput({
      writeOut: text => io.out(text.trimEnd()),
      writeErr: () => undefined,
      getOutHasColors: () => io.colourOut,
    })
    .addHelpText(
      'after',
      '\nharness alone shows where the project stands     Help on one command: harness help run',
    );
  const load = asked === undefined ? undefined : COMMANDS[asked];
  const commands = load ? [await load()] : await loadCommands();
  for (const command of commands) command.declare(program, io, () => createProgram(io));
  return program;
}

/** Commander's complaint as ours: the same shape and the same exit code as every other wrong input. */
function getUsageError(error: CommanderError): HarnessError {
  if (error.code === 'commander.help') {
    const fix = 'harness help shows the commands';
    return new HarnessError('usage', 'there is no such command', { field: 'help', fix });
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const field = /'(--?[\w-]+)/.exec(first)?.[1] ?? /'([^']+)'/.exec(first)?.[1];
  const fix =
    rest.join(' ').replace(/^\(|\)$/g, '') ||
    'harness help shows the commands, harness help <command> the flags';
  return new HarnessError('usage', first, { ...(field ? { field } : {}), fix });
}
