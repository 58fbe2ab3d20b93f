import { type Command, Option } from 'commander';

/** Starts the definition of a command with the flags they all share. */
export function addCommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .addOption(new Option('--repo <path>', 'the repository to work on').env('HARNESS_TARGET_REPO'))
    .option('--json', 'answer in JSON on stdout, errors too');
}
