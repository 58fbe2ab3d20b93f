import type { TestingPolicy } from '../model/policy.ts';
import type { RunnerKind } from '../model/testing.ts';
import { getCommands, getShellQuoted, isAssignment, type Word } from '../shell/command-line.ts';
import { findInvocation, getWithArguments, type Invocation } from './test-invocation.ts';

/**
 * The command that runs one test file: as configured, or the full command narrowed to that file. Where a runner knows
 * no files but names (Go), the file's text tells them; without it, all that lies beside the file is run.
 */
export function getFeatureCommand(testing: TestingPolicy, file: string, text?: string | null): string | null {
  if (testing.feature !== null) {
    const quoted = getShellQuoted(getPathFrom(testing.feature, file));
    return testing.feature.replace(/"\{file\}"|'\{file\}'|\{file\}/g, () => quoted);
  }
  if (testing.full === null) return null;
  const invocation = findInvocation(testing.runner, testing.full);
  const names = testing.runner === 'go' ? getGoNames(invocation, text ?? '') : '';
  const target = getTarget(testing.runner, getPathFrom(testing.full, file), names);
  const isHidden = testing.runner === 'tap' && invocation?.via === 'script';
  if (invocation === null || target === null || isHidden) return testing.full;
  if (testing.runner === 'cargo' && invocation.via === 'runner') {
    const at = (invocation.words[invocation.firstArgument - 1] as Word).end;
    return `${testing.full.slice(0, at)} ${target}${testing.full.slice(at)}`;
  }
  return getNarrowed(testing.full, testing.runner, invocation, target);
}

/** The path as it is seen from the folder that a command goes to first. */
function getPathFrom(line: string, file: string): string {
  const folder = getFirstFolder(line);
  return folder !== null && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

/** The folder of the project that a command goes to before it does anything (`cd web && …`); null if it stays. */
export function getFirstFolder(line: string): string | null {
  const [first = []] = getCommands(line);
  const [program, folder, more] = first.map(({ value }) => value);
  if (program !== 'cd' || folder === undefined || more !== undefined) return null;
  const plain = folder.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  return plain === '' || /^[/~$]|^\.\.?(\/|$)/.test(plain) ? null : plain;
}

/** Runners that take any number of files. */
const TAKES_FILES: ReadonlySet<RunnerKind> = new Set(['vitest', 'jest', 'mocha', 'node', 'pytest']);

/** What a command does before its tests (`npm run build && …`), and the tests by themselves; null where they are all there is. */
export function splitBuild(line: string): { readonly build: string; readonly tests: string } | null {
  const folder = getFirstFolder(line);
  const commands = getCommands(line).slice(folder === null ? 0 : 1);
  const first = commands[0]?.[0];
  const last = commands.at(-1)?.[0];
  if (!first || !last || commands.length < 2 || line.includes('(')) return null;
  const before = line.slice(first.start, last.start).trimEnd();
  if (!before.endsWith('&&')) return null;
  const within = folder === null ? '' : `cd ${getShellQuoted(folder)} && `;
  return { build: within + before.slice(0, -2).trimEnd(), tests: within + line.slice(last.start) };
}

/**
 * `npx mocha` as the program that it starts, where that lies in the project: to find it takes npx longer than many a
 * test file takes.
 */
export function getUnlaunched(line: string, isThere: (path: string) => boolean): string {
  const folder = getFirstFolder(line);
  const commands = getCommands(line).slice(folder === null ? 0 : 1);
  if (commands.some(words => words[0]?.value === 'cd')) return line;
  const edits = commands.flatMap(words => {
    const at = words.findIndex(({ value }) => !isAssignment(value));
    const [launcher, program] = words.slice(at, at + 2);
    if (launcher?.value !== 'npx' || !program || !/^[a-z][\w-]*$/.test(program.value)) return [];
    const path = `node_modules/.bin/${program.value}`;
    if (!isThere(folder === null ? path : `${folder}/${path}`)) return [];
    // What it starts in turn is looked for there as well.
    return [{ start: launcher.start, end: program.end, text: `PATH="$PWD/node_modules/.bin:$PATH" ${path}` }];
  });
  return edits.reduceRight(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    line,
  );
}

/** One command for several test files; null where the runner takes only one, or all. */
export function getFilesCommand(testing: TestingPolicy, files: readonly string[]): string | null {
  if (!TAKES_FILES.has(testing.runner)) return null;
  const command = getFeatureCommand(testing, FILES);
  const line = testing.feature ?? testing.full ?? '';
  const quoted = files.map(file => getShellQuoted(getPathFrom(line, file))).join(' ');
  return command?.includes(FILES) ? command.replace(FILES, () => quoted) : null;
}

/** Stands for the files until they are put in its place; nothing in it needs quoting. */
const FILES = '__files__';

/** How each runner is told which file to run; null where it cannot be told. */
function getTarget(runner: RunnerKind, file: string, names = ''): string | null {
  switch (runner) {
    case 'vitest':
    case 'mocha':
    case 'pytest':
    case 'node':
    case 'tap':
      return getShellQuoted(file);
    case 'jest':
      return `--runTestsByPath ${getShellQuoted(file)}`;
    case 'go':
      return `${names}${getShellQuoted(file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.')}`;
    case 'cargo':
      return getCargoTarget(file);
    case 'junit':
    case 'command':
      return null;
  }
}

/** What makes Go run the tests of one file; nothing where others call them, as suites do, or a name is given already. */
function getGoNames(invocation: Invocation | null, text: string): string {
  const isNamed = invocation?.words.some(({ value }) => /^--?(run|bench|fuzz)(=|$)/.test(value));
  const names = [...text.matchAll(/^func ((?:Test|Example|Fuzz)\w*)\s*\(/gm)].map(([, name]) => name);
  const hasMethods = /^func \([^)]*\) Test\w*\s*\(/m.test(text);
  return isNamed || hasMethods || names.length === 0 ? '' : `-run '^(${names.join('|')})$' `;
}

/** `crates/a/tests/it.rs` is the integration test `it` of the package whose manifest is in crates/a. */
function getCargoTarget(file: string): string | null {
  const match = /^(.+\/)?(tests|src)\/(.+)\.rs$/.exec(file);
  if (!match) return null;
  const [, root = '', folder, name = ''] = match;
  const manifest = root === '' ? '' : `--manifest-path ${getShellQuoted(`${root}Cargo.toml`)} `;
  if (folder === 'tests') return `${manifest}--test ${getShellQuoted(name.replace(/\/.*$/, ''))}`;
  const binary = /^bin\/([^/]+)/.exec(name)?.[1];
  if (binary) return `${manifest}--bin ${getShellQuoted(binary)}`;
  return `${manifest}${name === 'main' ? '--bins' : '--lib'}`;
}

/** Takes out what the full command names (folders, globs, packages) and names the file instead. */
function getNarrowed(line: string, runner: RunnerKind, invocation: Invocation, target: string): string {
  const kept = getPositionals(runner, invocation).reduceRight(
    (text, word) => text.slice(0, word.start).trimEnd() + text.slice(word.end),
    line,
  );
  const found = findInvocation(runner, kept);
  if (!found) return line;
  const marker = found.words.find((word, i) => i >= found.firstArgument && word.value === '-args');
  if (marker) return `${kept.slice(0, marker.start)}${target} ${kept.slice(marker.start)}`;
  return getWithArguments(kept, found, target);
}

function getPositionals(runner: RunnerKind, { words, firstArgument, via }: Invocation): readonly Word[] {
  if (via === 'script') return [];
  const positionals: Word[] = [];
  for (let i = firstArgument; i < words.length; i++) {
    const { value } = words[i] as Word;
    if (value === '--' || value === '-args') break;
    if (/^\d*[<>]|^&>/.test(value)) i += /[<>]$/.test(value) ? 1 : 0;
    else if (!value.startsWith('-')) positionals.push(words[i] as Word);
    else if (TAKES_VALUE[runner]?.test(value)) i++;
  }
  return positionals;
}

/** Flags whose value is a word of its own, which must not be taken for a file. */
const TAKES_VALUE: Readonly<Partial<Record<RunnerKind, RegExp>>> = {
  vitest:
    /^(-[crt]|--(config|root|dir|reporter|outputFile(\.\w+)?|testNamePattern|pool|environment|project|maxWorkers|shard|mode|exclude|testTimeout|hookTimeout|bail|retry))$/,
  jest: /^(-[ctw]|--(config|testNamePattern|rootDir|roots|selectProjects|maxWorkers|testTimeout|env|reporters|shard|outputFile|coverageDirectory|setupFiles))$/,
  mocha:
    /^(-[rRutgfj]|--(require|reporter|reporter-options?|ui|timeout|config|package|extension|ignore|grep|fgrep|file|import|loader|jobs))$/,
  pytest:
    /^(-[kmncopW]|--(cov|cov-report|cov-config|maxfail|tb|rootdir|ignore|deselect|junitxml|durations|timeout|dist|numprocesses|confcutdir|basetemp|log-level|color|capture|import-mode|ds))$/,
  node: /^(-[rC]|--(import|require|loader|experimental-loader|conditions|env-file|test-name-pattern|test-skip-pattern|test-reporter|test-reporter-destination|test-timeout|test-concurrency|test-shard))$/,
  tap: /^(-[cmrRT]|--(config|match|require|reporter|concurrency|jobs|timeout|node-arguments|ignore))$/,
  go: /^--?(run|bench|benchtime|count|cpu|parallel|tags|timeout|coverprofile|covermode|coverpkg|o|p|exec|ldflags|gcflags|mod|modfile|skip|vet|shuffle|fuzz)$/,
};
