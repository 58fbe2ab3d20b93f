/** One thing a person can get wrong, and what they are told. */
export interface BadInput {
  readonly name: string;
  readonly args: readonly string[];
  /** The file, the field and words of the fix. */
  readonly says: readonly string[];
  /** Changes a healthy project; returns where the command runs when that is elsewhere. */
  readonly spoil: (dir: string) => unknown;
  readonly code: number;
  readonly env: Readonly<Record<string, string>>;
}

/** A row of the table: the command as it is typed, and what must be said, in parts. */
export function bad(
  name: string,
  command: string | readonly string[],
  says: readonly string[],
  spoil: BadInput['spoil'] = () => undefined,
  more: Partial<Pick<BadInput, 'code' | 'env'>> = {},
): BadInput {
  const args = typeof command === 'string' ? command.split(' ') : command;
  return { name, args, says, spoil, code: 2, env: {}, ...more };
}
