import { getCommands } from '../core/command-line.ts';

/** The words of a command that may name a file of the project: its scripts, and what they are given. */
export function getCommandFiles(command: string): readonly string[] {
  const words = getCommands(command).flatMap(list => list.map(({ value }) => value));
  return words
    .map(word => (word.startsWith('./') ? word.slice(2) : word))
    .filter(word => /^[\w@.][\w@./-]*[./][\w@./-]*$/.test(word) && !word.startsWith('..'));
}
