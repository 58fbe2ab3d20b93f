import { getCommandWords } from '../core/shell/command-line.ts';

/** The words of a command that may name a file of the project: its scripts, and what they are given. */
export function getCommandFiles(command: string): readonly string[] {
  return getCommandWords(command).filter(
    word => /^[\w@.][\w@./-]*[./][\w@./-]*$/.test(word) && !word.startsWith('..'),
  );
}
