import { getBaseName } from '../base/tree-path.ts';
import type { RunnerKind } from '../model/testing.ts';
import { getCommands, getWithInserts, isAssignment, type Word } from '../shell/command-line.ts';

/** Where in a command line a runner is called, and how more arguments reach it. */
export interface Invocation {
  readonly words: readonly Word[];
  /** The index of the runner's first own argument; all of `words` when a package script hides it. */
  readonly firstArgument: number;
  readonly via: 'runner' | 'script';
  /** A package manager that hands on only what follows ` -- `. */
  readonly needsDashes: boolean;
}

/** Finds the call of a runner, spelled out or behind `npm test` and its kin; null when it is in neither. */
export function findInvocation(runner: RunnerKind, line: string): Invocation | null {
  const commands = getCommands(line);
  for (const words of commands) {
    const firstArgument = FIND_RUNNER[runner]?.(words.map(word => getBaseName(word.value))) ?? 0;
    if (firstArgument > 0) return { words, firstArgument, via: 'runner', needsDashes: false };
  }
  for (const words of commands) {
    const script = getScript(words);
    if (script) return { words, firstArgument: words.length, via: 'script', ...script };
  }
  return null;
}

/** The line with more arguments at the end of the runner's own. */
export function getWithArguments(line: string, invocation: Invocation, text: string): string {
  const { words, via, needsDashes } = invocation;
  const dashes = words.findIndex((word, i) => i >= invocation.firstArgument && word.value === '--');
  if (via === 'runner' && dashes > 0) {
    return getWithInserts(line, [{ at: (words[dashes] as Word).start, text: `${text} ` }]);
  }
  const hasDashes = words.some(word => word.value === '--');
  const at = words.at(-1)?.end ?? line.length;
  return getWithInserts(line, [{ at, text: needsDashes && !hasDashes ? ` -- ${text}` : ` ${text}` }]);
}

type FindRunner = (names: readonly string[]) => number;

const findName =
  (...known: readonly string[]): FindRunner =>
  names =>
    names.findIndex(name => known.includes(name)) + 1;

const FIND_RUNNER: Readonly<Partial<Record<RunnerKind, FindRunner>>> = {
  vitest: names => {
    const after = findName('vitest', 'vitest.mjs')(names);
    return after > 0 && ['run', 'watch', 'dev', 'related'].includes(names[after] ?? '') ? after + 1 : after;
  },
  jest: findName('jest', 'jest.js'),
  mocha: findName('mocha', '_mocha', 'mocha.js'),
  pytest: findName('pytest', 'py.test'),
  node: findName('--test'),
  go: names => findAfter(names, 'go', ['test']),
  tap: findName('ava', 'tap', 'tape'),
  cargo: names => {
    const nextest = findAfter(names, 'cargo', ['nextest']);
    if (nextest > 0) return names[nextest] === 'run' ? nextest + 1 : nextest;
    return findAfter(names, 'cargo', ['test', 't']);
  },
};

function findAfter(names: readonly string[], program: string, subcommands: readonly string[]): number {
  const start = names.indexOf(program);
  if (start === -1) return 0;
  return names.findIndex((name, i) => i > start && subcommands.includes(name)) + 1;
}

/** What package managers do besides running scripts, and scripts that are not for tests. */
const NO_SCRIPTS = new Set('ci i install add build exec dlx'.split(' '));
const NO_TESTS = new Set('build lint type types typecheck'.split(' '));

/** `npm` and `pnpm test` keep flags for themselves unless ` -- ` comes first; the others hand them on. */
function getScript(words: readonly Word[]): { readonly needsDashes: boolean } | null {
  const values = words.map(word => word.value).filter(value => !isAssignment(value) && value !== 'env');
  const [program = '', ...rest] = values[0] === 'cross-env' ? values.slice(1) : values;
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(getBaseName(program))) return null;
  const subcommand = rest.find(value => !value.startsWith('-')) ?? '';
  if (NO_SCRIPTS.has(subcommand)) return null;
  if (subcommand.startsWith('run') && NO_TESTS.has(rest.at(-1) ?? '')) return null;
  if (program.endsWith('pnpm')) return { needsDashes: ['test', 't', 'tst'].includes(subcommand) };
  return { needsDashes: program.endsWith('npm') };
}
