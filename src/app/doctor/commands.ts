import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { getCommands } from '../../core/shell/command-line.ts';
import { getHiddenRunnerNote } from '../project/hidden-runner.ts';
import type { Checkout } from '../project/open-checkout.ts';
import type { Finding } from './finding.ts';

/** Whether the program of the test command can be found; whether its tests pass is the run's business. */
export function checkTestCommand({ config, configFile, gitDirs }: Checkout): Finding {
  const command = config.testing.full ?? config.testing.feature;
  if (command === null) {
    const fix = `set testing.full in ${configFile}`;
    return { status: 'warn', detail: 'no test command: only tasks with a validation can be proven', fix };
  }
  const program = findMissingProgram(command, gitDirs.root);
  const hidden = getHiddenRunnerNote(config, gitDirs.root);
  if (program === null && hidden !== null)
    return { status: 'warn', detail: hidden, fix: `set testing.runner in ${configFile}` };
  if (program === null) return { status: 'ok', detail: command };
  const fix = `install ${program}, or change testing.full in ${configFile}`;
  return { status: 'fail', detail: `${program} of "${command}" is not found`, fix };
}

/** Whether the program of the linter can be found; null where there is none to run. */
export function checkLintCommand({ config, configFile, gitDirs }: Checkout): Finding | null {
  const { lint_command: command } = config.quality;
  const program = command === null ? null : findMissingProgram(command, gitDirs.root);
  if (command === null || program === null) return null;
  const fix = `install ${program}, or change quality.lint_command in ${configFile}`;
  return { status: 'warn', detail: `${program} of "${command}" is not found: nothing is linted`, fix };
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

/**
 * Whether tests of a Python project with its code in src/ would import an installed copy of it: then they say
 * nothing about the tree that is judged. Null where the question does not arise.
 */
export function checkImports({ config, configFile, gitDirs: { root } }: Checkout): Finding | null {
  const { full } = config.testing;
  const python = full === null ? null : findPython(full);
  if (full === null || python === null || /\bPYTHONPATH=/.test(full)) return null;
  const packages = findPackages(join(root, 'src'));
  if (packages.length === 0 || SETTINGS.some(name => hasPythonPath(join(root, name)))) return null;
  const program = python.includes('/') && !isAbsolute(python) ? join(root, python) : python;
  const installed = findInstalled(program, packages);
  if (installed.length === 0) return { status: 'ok', detail: `no other copy of ${packages.join(', ')}` };
  return {
    status: 'warn',
    detail: `the tests import ${installed.join(', ')}, not the src/ of the tree that is judged`,
    fix: `set testing.full in ${configFile} to: PYTHONPATH=src ${full}`,
  };
}

/** The interpreter of a plain command; tools that make an environment of their own install the tree there. */
function findPython(line: string): string | null {
  const words =
    getCommands(line)
      .at(-1)
      ?.map(({ value }) => value) ?? [];
  const program = words.find(value => !/^\w+=/.test(value)) ?? '';
  if (/(^|\/)python[\d.]*$/.test(program)) return program;
  return program === 'pytest' ? 'python3' : null;
}

function findPackages(src: string): readonly string[] {
  if (!existsSync(src)) return [];
  return readdirSync(src).filter(
    name => /^[A-Za-z_]\w*$/.test(name) && existsSync(join(src, name, '__init__.py')),
  );
}

const SETTINGS = ['pyproject.toml', 'pytest.ini', 'pytest.toml', 'setup.cfg', 'tox.ini'];

function hasPythonPath(file: string): boolean {
  return existsSync(file) && /^\s*pythonpath\s*=/m.test(readFileSync(file, 'utf8'));
}

const ASK = `import importlib.util, sys
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin: print(spec.origin)`;

/** Where Python would find the packages from a folder that has nothing to do with the project. */
function findInstalled(python: string, packages: readonly string[]): readonly string[] {
  const { PYTHONPATH: _, ...env } = process.env;
  const asked = spawnSync(python, ['-c', ASK, ...packages], { cwd: tmpdir(), env, timeout: 10_000 });
  return asked.status === 0 ? asked.stdout.toString().split('\n').filter(Boolean) : [];
}
