import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import type { Io } from './terminal/io.ts';

/** Commands by which a person steps in, beside a run or between two. */
export function addPeopleCommands(program: Command, io: Io): void {
  addControl(program, io, 'pause', 'Let every run wait once its current operation has ended.');
  addControl(program, io, 'resume', 'Let paused runs go on.');
  addControl(program, io, 'stop', 'Let every run end once its current attempt has.');
  addCommand(program, 'abort', 'End every run on this machine at once; commits and records stay.')
    .option('--reason <text>', 'why, for the record')
    .option('--by <name>', 'who says so; as git knows you when not said')
    .option('--clear', 'put the records aside as well, into backups in the state directory')
    .option('--yes', 'clear without asking')
    .addHelpText('after', '\nExample:\n  harness abort\n  harness abort --clear --yes')
    .action(async options => (await import('./commands/people/abort.ts')).abort(io, options));
  addHandCommands(program, io);
  addPersonCommands(program, io);
  addCommand(program, 'cleanup', 'Let the next session tidy the code.')
    .option('--reason <text>', 'why, for the record')
    .option('--by <name>', 'who says so; as git knows you when not said')
    .addHelpText('after', '\nExample:\n  harness cleanup')
    .action(async options => (await import('./commands/people/cleanup.ts')).cleanup(io, options));
  addCommand(program, 'inbox', 'Show what waits for you: every open question, with its answers.')
    .addHelpText('after', '\nExample:\n  harness inbox')
    .action(async options => (await import('./commands/people/inbox.ts')).inbox(io, options));
  addCommand(program, 'answer', 'Answer a question; what waited for it goes on.')
    .argument('<id>', 'of the question, or of the task that waits for it')
    .argument('[option]', 'one of the answers that harness inbox shows')
    .option('--text <text>', 'what you have to say; whoever works on the task next gets to read it')
    .option('--by <name>', 'who says so; as git knows you when not said')
    .addHelpText('after', '\nExample:\n  harness answer agent-3-1 --text "the key is in .env"')
    .action(async (id, option, options) =>
      (await import('./commands/people/answer.ts')).answer(io, id, option, options),
    );
}

function addHandCommands(program: Command, io: Io): void {
  addCommand(program, 'handoff', 'Take a task over yourself, with what has been done of it on a branch.')
    .argument('[task]', 'its id; without one, everything is paused')
    .option('--by <name>', 'who takes it; as git knows you when not said')
    .addHelpText('after', '\nExample:\n  harness handoff 12')
    .action(async (task, options) =>
      (await import('./commands/people/handoff.ts')).handoff(io, task, options),
    );
  addCommand(program, 'takeback', 'Give a task back: what you committed is judged and lands like any work.')
    .argument('[task]', 'its id; without one, the only one that was handed over')
    .option('--by <name>', 'who did it; as git knows you when not said')
    .addHelpText('after', '\nExample:\n  harness takeback 12')
    .action(async (task, options) =>
      (await import('./commands/people/takeback.ts')).takeback(io, task, options),
    );
}

function addControl(program: Command, io: Io, word: 'pause' | 'resume' | 'stop', description: string): void {
  addCommand(program, word, description)
    .option('--reason <text>', 'why, for the record')
    .option('--by <name>', 'who says so; as git knows you when not said')
    .addHelpText('after', `\nExample:\n  harness ${word}`)
    .action(async options => (await import('./commands/people/control.ts')).control(io, word, options));
}

/** Where a person's word counts, and is recorded as one. */
function addPersonCommands(program: Command, io: Io): void {
  addCommand(program, 'approve', 'Say yes to work that waits for a person, or send it back.')
    .argument('<task>', 'its id')
    .option('--send-back <reason>', 'it is not right: an agent goes on from it, and reads this')
    .option('--note <text>', 'what you saw, for the record')
    .option('--by <name>', 'who read it; as git knows you when not said')
    .addHelpText(
      'after',
      '\nExample:\n  harness approve 3\n  harness approve 3 --send-back "the button is cut off"',
    )
    .action(async (task, options) =>
      (await import('./commands/people/manual-verify.ts')).approve(io, task, options),
    );
  addCommand(program, 'manual-verify', 'Say what you found of work that a person has to look at.')
    .argument('<task>', 'its id; with neither --pass nor --fail you are shown what to look at')
    .option('--pass', 'it is right: let it land')
    .option('--fail', 'it is not: send it back to an agent')
    .option('--note <text>', 'what you saw; needed with --fail')
    .option('--by <name>', 'who looked; as git knows you when not said')
    .addHelpText('after', '\nExample:\n  harness manual-verify 3 --fail --note "the button is cut off"')
    .action(async (task, options) =>
      (await import('./commands/people/manual-verify.ts')).manualVerify(io, task, options),
    );
  addCommand(program, 'override', 'Count a task as done without a proof; it is shown as unproven for good.')
    .argument('<task>', 'its id')
    .option('--reason <text>', 'why, for the record (needed)')
    .option('--with-work', 'land the kept work of its last attempt as well')
    .option('--by <name>', 'who says so; as git knows you when not said')
    .addHelpText(
      'after',
      '\nExample:\n  harness override 3 --reason "done by hand, and checked on the device"',
    )
    .action(async (task, options) =>
      (await import('./commands/people/override.ts')).override(io, task, options),
    );
}
