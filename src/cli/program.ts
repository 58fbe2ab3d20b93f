import { Command, CommanderError, Option } from 'commander';
import { SCRIPT_KINDS } from '../config/agent-script.ts';
import { HarnessError } from '../core/base/failure.ts';
import { HARNESS_VERSION } from '../core/base/version.ts';
import { addCommand } from './add-command.ts';
import { COMMANDS, loadCommands } from './commands.ts';
import { addPlanCommands, withPlanner } from './plan-commands.ts';
import type { Io } from './terminal/io.ts';
import { reportError } from './terminal/report-error.ts';
import { MAIN, TOPICS } from './terminal/topics.ts';

/** The command line: every command's flags here, every command's work in a chunk of its own. */
export async function runProgram(argv: readonly string[], io: Io): Promise<void> {
  const json = argv.includes('--json');
  try {
    const program = await createProgram(io, argv[2]);
    if (argv.length > 2) await program.parseAsync([...argv]);
    else await (await import('./commands/look/overview.ts')).showOverview(io, program);
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
    )
    .configureHelp({ visibleCommands: command => getListed(command) });
  const load = asked === undefined ? undefined : COMMANDS[asked];
  const commands = load ? [await load()] : await loadCommands();
  for (const command of commands) command.declare(program, io, () => createProgram(io));
  if (load) return program;
  addProjectCommands(program, io);
  addPlanCommands(program, io);
  return program;
}

function addProjectCommands(program: Command, io: Io): void {
  withPlanner(addCommand(program, 'init', 'Set up a repository: find how it is tested, and try it.'))
    .option('--spec <file>', 'what is to be built: a planner makes the backlog, scripts and test stubs')
    .option('--command <line>', 'what starts the agent, for --agent command and acp')
    .option('--no-run', 'write what was found out without trying it')
    .addOption(new Option('--script <kind>', 'write an agent.sh that starts it').choices([...SCRIPT_KINDS]))
    .addHelpText('after', '\nExample:\n  harness init --dry-run\n  harness init --spec design.md')
    .action(async options => (await import('./commands/work/init.ts')).init(io, options));
  addCommand(program, 'add', 'Add a task to the backlog.')
    .argument('<title>', 'what can be done once it works, in one sentence')
    .option('--test-file <path>', 'the file whose tests prove it')
    .option('--validation <command>', 'a command that must exit 0, instead of or beside the test file')
    .option('--depends-on <ids>', 'tasks that have to land first, as 1,2', toList)
    .option('--priority <P0..P9>', 'P0 is the most urgent; default: P2')
    .option('--step <text>', 'one thing that has to be true in the end (repeat it)', collect, [])
    .option(
      '--may-change <glob>',
      'protected files that this task is allowed to change (repeat it)',
      collect,
      [],
    )
    .option('--new-test', 'the test file is still to be written, by whoever does the task')
    .option('--commit', 'commit the backlog, and the test file with it')
    .option('--category <name>', 'a word to group by')
    .addOption(new Option('--size <size>', 'how much work it is').choices(['small', 'medium', 'large']))
    .addHelpText(
      'after',
      '\nExample:\n  harness add "Totals include tax" --test-file test/tax.test.js --depends-on 1,2',
    )
    .action(async (title, options) => (await import('./commands/work/add.ts')).add(io, title, options));
}

/** By importance and topic, as `harness` alone shows them. */
function getListed(program: Command): Command[] {
  const names: readonly string[] = [...MAIN, ...TOPICS.flatMap(([, topic]) => topic)];
  const known = program.commands.filter(command => names.includes(command.name()));
  return known.sort((a, b) => names.indexOf(a.name()) - names.indexOf(b.name()));
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

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function toList(text: string): string[] {
  return text
    .split(',')
    .map(id => id.trim())
    .filter(id => id !== '');
}
