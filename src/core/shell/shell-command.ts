/** Stands for text that only the shell will know when it runs. */
export const UNKNOWN = '\u0000';

/** One simple command of a shell line, its quotes resolved and `$HOME` written as `~`. */
export interface ShellCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Files that its output is redirected to. */
  readonly writes: readonly string[];
  /** Names of the commands whose output it is given, by a pipe or as an argument. */
  readonly fedBy: readonly string[];
  /** Text that it is given on stdin. */
  readonly input: string | null;
}

/** A shell line taken apart; `isWhole` is false when the parser had to guess. */
export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  readonly isWhole: boolean;
}

/** The last part of a program's path: what it is, wherever it lies. */
export function getProgram(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Options by their letters and long names, however they are put together. */
export function hasOption(command: ShellCommand, letters: string, ...names: readonly string[]): boolean {
  return command.args.some(
    arg =>
      names.includes(arg.split('=')[0] ?? '') ||
      (/^-[a-zA-Z]+$/.test(arg) && [...letters].some(letter => arg.includes(letter))),
  );
}

/** Everything that is no option. */
export function getOperands(command: ShellCommand): readonly string[] {
  return command.args.filter(arg => !arg.startsWith('-'));
}

/** The command that another one only starts, such as `rm` in `sudo env A=1 rm x`. */
export function getStarted(command: ShellCommand): readonly ShellCommand[] {
  const program = getProgram(command.name);
  if (program === 'find') return getFindCommands(command);
  const wrapper = WRAPPERS[program];
  if (!wrapper) return [];
  const { valued = [], operands = 0 } = wrapper;
  let at = 0;
  let left = operands;
  for (; at < command.args.length; at++) {
    const arg = command.args[at] ?? '';
    if (valued.includes(arg)) at++;
    else if (arg.startsWith('-') || /^[A-Za-z_]\w*=/.test(arg)) continue;
    else if (left > 0) left--;
    else break;
  }
  const [name, ...args] = command.args.slice(at);
  return name === undefined ? [] : [{ ...command, name, args }];
}

interface Wrapper {
  /** Options that take the next word. */
  readonly valued?: readonly string[];
  /** Words of its own before the command. */
  readonly operands?: number;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: ['-u', '-C', '-S'] },
  sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '-D'] },
  doas: { valued: ['-u', '-C'] },
  timeout: { valued: ['-s', '-k'], operands: 1 },
  nice: { valued: ['-n'] },
  ionice: { valued: ['-c', '-n', '-p'] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  xargs: { valued: ['-I', '-n', '-P', '-L', '-d', '-a', '-s', '-E'] },
  parallel: { valued: ['-j', '-N'] },
  chroot: { operands: 1 },
  flock: { operands: 1 },
  watch: { valued: ['-n'] },
  strace: { valued: ['-e', '-o', '-p'] },
  nohup: {},
  setsid: {},
  time: {},
  command: {},
  builtin: {},
  exec: { valued: ['-a'] },
  busybox: {},
  unshare: {},
  caffeinate: {},
};

function getFindCommands(command: ShellCommand): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  for (const [index, arg] of command.args.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(arg)) continue;
    const rest = command.args.slice(index + 1);
    const end = rest.findIndex(word => word === ';' || word === '+');
    const [name, ...args] = rest.slice(0, end < 0 ? undefined : end);
    // What is found takes the place of the braces, wherever the search began.
    const places = getOperands(command).slice(0, 1);
    if (name) found.push({ ...command, name, args: args.flatMap(word => (word === '{}' ? places : [word])) });
  }
  return found;
}
