import { accessSync, constants, existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { getCommands } from '../../core/shell/command-line.ts';
import type { Checkout } from '../project/open-checkout.ts';
import type { Checkup } from './finding.ts';

type Finding = Omit<Checkup, 'name'>;

/** Whether the program of the test command can be found; whether its tests pass is the run's business. */
export function checkTestCommand({ config, configFile, places }: Checkout): Finding {
  const command = config.testing.full ?? config.testing.feature;
  if (command === null) {
    const fix = `set testing.full in ${configFile}`;
    return { status: 'warn', detail: 'no test command: only tasks with a validation can be proven', fix };
  }
  const program = findMissingProgram(command, places.root);
  if (program === null) return { status: 'ok', detail: command };
  const fix = `install ${program}, or change testing.full in ${configFile}`;
  return { status: 'fail', detail: `${program} of "${command}" is not found`, fix };
}

/** The first program of a command line, when it is neither on PATH nor in the project nor a word of the shell. */
export function findMissingProgram(line: string, root: string): string | null {
  const words =
    getCommands(line)[0]
      ?.map(word => word.value)
      .filter(word => !/^\w+=/.test(word)) ?? [];
  const [program = ''] = words;
  if (program === '' || SHELL_WORDS.has(program) || /[$`*?]/.test(program)) return null;
  if (program.includes('/'))
    return existsSync(isAbsolute(program) ? program : join(root, program)) ? null : program;
  const folders = [...(process.env.PATH ?? '').split(':'), join(root, 'node_modules', '.bin')];
  return folders.some(folder => folder !== '' && isExecutable(join(folder, program))) ? null : program;
}

const SHELL_WORDS = new Set([
  'cd',
  'exec',
  'export',
  'if',
  'for',
  'while',
  'set',
  'source',
  '.',
  'test',
  '[',
  '{',
  '!',
  'true',
  'false',
  'eval',
  'exit',
  'ulimit',
  'umask',
  'command',
  'time',
]);

/** Whether this user may run that file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
