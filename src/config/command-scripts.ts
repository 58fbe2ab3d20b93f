import { getCommands } from '../core/command-line.ts';
import { matchesAny } from '../core/glob.ts';
import { TEST_GLOBS } from './protected-globs.ts';

const SHELLS = /^(?:sh|bash|dash|zsh)$/;
const INTERPRETERS = /^(?:node|tsx|ts-node|python|python3|ruby|perl|deno|bun)$/;
const PROGRAM_FILE = /\.(?:[cm]?[jt]s|py|rb|pl)$/;

/**
 * The project's own scripts that a command runs. Whoever may edit the script that judges the work
 * decides the verdict, so these are protected like any other configuration of the tests.
 */
export function getCommandScripts(command: string): readonly string[] {
  const scripts = getCommands(command).map(words => getScript(words.map(word => word.value)));
  return scripts.filter(script => script !== null);
}

function getScript(words: readonly string[]): string | null {
  const start = words.findIndex(word => !/^[A-Za-z_]\w*=/.test(word));
  const [program = '', ...rest] = start === -1 ? [] : words.slice(start);
  const argument = rest.find(word => !word.startsWith('-')) ?? '';
  if (SHELLS.test(program)) return rest.includes('-c') ? null : toProjectPath(argument);
  if (INTERPRETERS.test(program)) return PROGRAM_FILE.test(argument) ? toProjectPath(argument) : null;
  return program.includes('/') ? toProjectPath(program) : null;
}

/** Tests are guarded by rules of their own, which still let a task write new ones. */
function toProjectPath(word: string): string | null {
  const path = word.replace(/^(?:\.\/)+/, '');
  const isInside = /^[\w@.][\w@./-]*$/.test(path) && !path.split('/').includes('..');
  return isInside && !matchesAny(path, TEST_GLOBS) && !path.startsWith('node_modules/') ? path : null;
}
