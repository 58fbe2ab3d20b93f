import { isHarmlessDevice } from './command-paths.ts';
import { COMMAND_RULES } from './command-rules.ts';
import { getProgram, getStarted, type ShellCommand, type ShellLine, UNKNOWN } from './shell-command.ts';

/** Something about a command that its owner may want to know. */
export interface CommandFinding {
  readonly rule: string;
  readonly reason: string;
}

/**
 * Judges a shell line by what it would do. This is advice and a record of what was tried, no wall: one
 * script in between hides anything from it. The wall is the sandbox.
 */
export function getCommandFindings(line: ShellLine, denied: readonly string[]): readonly CommandFinding[] {
  const findings = new Map<string, CommandFinding>();
  const note = (rule: string, reason: string): void => {
    if (!findings.has(rule)) findings.set(rule, { rule, reason });
  };
  if (!line.isWhole) note('unreadable', 'the line cannot be read to its end, so nobody knows what it does');
  for (const command of line.commands.flatMap(getAll)) {
    const entry = denied.find(text => isDenied(command, text));
    if (entry !== undefined) note('denied', `the configuration denies "${entry}"`);
    if (command.name.includes(UNKNOWN)) note('dynamic', 'which program it starts is only known when it runs');
    for (const { rule, find } of COMMAND_RULES) {
      const reason = find({ ...command, name: getProgram(command.name) });
      if (reason !== null) note(rule, reason);
    }
  }
  return [...findings.values()];
}

/**
 * Why an agent that asks before it runs something is told no; null when it may go on. In a sandbox only
 * the configuration's own words count; without one, everything found does.
 */
export function getRefusal(findings: readonly CommandFinding[], isContained: boolean): string | null {
  const reasons = findings
    .filter(({ rule }) => !isContained || rule === 'denied')
    .map(({ reason }) => reason);
  return reasons.length === 0 ? null : `Refused: ${reasons.join('; ')}.`;
}

/** A command and all that it starts in turn. */
function getAll(command: ShellCommand): readonly ShellCommand[] {
  return [command, ...getStarted(command).flatMap(getAll)];
}

/** An entry is a program with words that must be there (`rm -rf /`), or a file that is written (`> /dev/`). */
function isDenied(command: ShellCommand, entry: string): boolean {
  const words = entry.trim().split(/\s+/);
  if (words[0]?.startsWith('>')) {
    const prefix = entry.trim().slice(1).trim();
    return command.writes.some(path => path.startsWith(prefix) && !isHarmlessDevice(path));
  }
  const [name = '', ...wanted] = words;
  if (name !== command.name && name !== getProgram(command.name)) return false;
  return wanted.every(word => hasWord(command.args, word));
}

function hasWord(args: readonly string[], word: string): boolean {
  if (!/^-[a-zA-Z]+$/.test(word)) return args.includes(word);
  const letters = args.filter(arg => /^-[a-zA-Z]+$/.test(arg)).join('');
  return [...word.slice(1)].every(letter => letters.includes(letter));
}
