import { getBaseName } from '../../core/base/tree-path.ts';
import type { RunnerKind } from '../../core/model/testing.ts';
import { getCommands, isAssignment, type Word } from '../../core/shell/command-line.ts';
import { findInvocation } from '../../core/testing/test-invocation.ts';
import type { TestWay } from './detection.ts';

/** One runner of JavaScript tests: how it is told from a line, and how it is run so that its results can be read. */
interface Row {
  readonly name: string;
  readonly isIn: (program: string, rest: readonly string[]) => boolean;
  readonly runner: RunnerKind;
  /** The line, made to run once and to report. */
  readonly once?: (line: string) => string;
  /** The same for one file, where that does not follow from the line; `{file}` is in it. */
  readonly feature?: (once: string) => string;
}

const named =
  (...names: readonly string[]) =>
  (program: string): boolean =>
    names.includes(program);
const withFlag =
  (flag: string) =>
  (line: string): string =>
    line.includes(flag.split('=')[0] as string) ? line : `${line} ${flag}`;

const ROWS: readonly Row[] = [
  { name: 'vitest', isIn: named('vitest'), runner: 'vitest', once: getVitestOnce },
  { name: 'jest', isIn: named('jest'), runner: 'jest', once: getUnwatched },
  { name: 'mocha', isIn: named('mocha', '_mocha'), runner: 'mocha', once: getUnwatched },
  {
    name: 'node',
    isIn: (program, rest) => /^(?:node|tsx)$/.test(program) && rest.includes('--test'),
    runner: 'node',
  },
  {
    ...{ name: 'ava', isIn: named('ava'), runner: 'tap' },
    ...{ once: line => withFlag('--tap')(getUnwatched(line)), feature: getForFile },
  },
  { name: 'tap', isIn: named('tap'), runner: 'tap', once: withFlag('--reporter=tap'), feature: getForFile },
  { name: 'tape', isIn: named('tape'), runner: 'tap', feature: getForFile },
  { name: 'uvu', isIn: named('uvu'), runner: 'command', feature: getUvuFile },
  { name: 'jasmine', isIn: named('jasmine', 'jasmine-ts'), runner: 'command', feature: getForFile },
  {
    ...{
      name: 'playwright',
      isIn: (program, rest) => program === 'playwright' && rest[0] === 'test',
      runner: 'junit',
    },
    ...{ once: line => `PLAYWRIGHT_JUNIT_OUTPUT_NAME={report} ${withFlag('--reporter=junit')(line)}` },
    feature: getForFile,
  },
  {
    ...{ name: 'bun', isIn: (program, rest) => program === 'bun' && rest[0] === 'test', runner: 'junit' },
    ...{
      once: withFlag('--reporter=junit --reporter-outfile={report}'),
      feature: line => getForFile(line, './{file}'),
    },
  },
  {
    ...{ name: 'deno', isIn: (program, rest) => program === 'deno' && rest[0] === 'test', runner: 'junit' },
    ...{ once: withFlag('--junit-path={report}'), feature: getForFile },
  },
];

/** The runner that a line calls by its name; null when it calls none. */
export function getNodeRunner(line: string): string | null {
  return findRow(line)?.name ?? null;
}

/** How to run a line of a script, read by its runner where that is known; other commands of the script go before it. */
export function getNodeWay(line: string, before: readonly string[], exec: string): TestWay {
  const row = findRow(line);
  const first = before.map(other => `${getExec(other, exec)} && `).join('');
  const once = row?.once?.(line) ?? line;
  const feature = row?.feature?.(once);
  return {
    runner: row?.runner ?? 'command',
    full: first + getExec(once, exec),
    ...(feature ? { feature: first + getExec(feature, exec) } : {}),
  };
}

/** Programs of the system; everything else in a script comes from the installed packages. */
const SYSTEM: ReadonlySet<string> = new Set([
  ...[
    'node',
    'npm',
    'npx',
    'yarn',
    'pnpm',
    'bun',
    'deno',
    'make',
    'sh',
    'bash',
    'python',
    'python3',
    'git',
    'cargo',
  ],
  ...[
    'cd',
    'echo',
    'rm',
    'mkdir',
    'cp',
    'mv',
    'test',
    'true',
    'exit',
    'export',
    'cat',
    'ln',
    'touch',
    'sleep',
    'chmod',
  ],
]);

/** A command of a script as somebody at a prompt would start it. */
export function getExec(line: string, exec: string): string {
  const word = getProgram(line);
  if (!word || SYSTEM.has(word.value) || word.value.includes('/')) return line;
  return `${line.slice(0, word.start)}${exec} ${line.slice(word.start)}`;
}

function getProgram(line: string): Word | undefined {
  return getCommands(line)[0]?.find(({ value }) => !isAssignment(value));
}

function findRow(line: string): Row | undefined {
  const values = (getCommands(line)[0] ?? []).map(({ value }) => value).filter(value => !isAssignment(value));
  const [program = '', ...rest] = values;
  return ROWS.find(({ isIn }) => isIn(getBaseName(program), rest));
}

function getUnwatched(line: string): string {
  return line.replace(/\s--?watch(?:All)?(?:=\S+)?(?=\s|$)/g, '');
}

function getVitestOnce(line: string): string {
  return getUnwatched(line).replace(/((?:^|\s)vitest)(?:\s+(?:run|watch|dev))?(?=\s|$)/, '$1 run');
}

/** Flags whose next word is theirs. */
const TAKES_WORD =
  /^(?:-[rcR]|--(?:require|import|loader|config|node-arguments|helper|reporter|project|timeout))$/;

/** The line with the file in place of the paths it names. */
function getForFile(line: string, file = '{file}'): string {
  const words = getCommands(line)[0] ?? [];
  const isPath = (value: string) => /[/*]|\.[cm]?[jt]sx?$|^(?:tests?|specs?)$/.test(value);
  const program = getProgram(line);
  const at = words.indexOf(words.find(({ start }) => start === program?.start) as Word);
  const first = at + (/^(?:playwright|bun|deno)$/.test(program?.value ?? '') ? 2 : 1);
  const dropped = words.filter(
    ({ value }, i) =>
      i >= first && !value.startsWith('-') && isPath(value) && !TAKES_WORD.test(words[i - 1]?.value ?? ''),
  );
  const kept = dropped.reduceRight(
    (text, word) => text.slice(0, word.start).trimEnd() + text.slice(word.end),
    line,
  );
  return `${kept} ${file}`;
}

/** A file of uvu runs by itself, with the hooks that the line loads first. */
function getUvuFile(line: string): string {
  const words = getCommands(line)[0] ?? [];
  const hooks = words.flatMap(({ value }, i) =>
    /^(?:-r|--require)$/.test(value) ? [` -r ${words[i + 1]?.value ?? ''}`] : [],
  );
  return `node${hooks.join('')} {file}`;
}

/** Whether a runner's own flags reach it through the script around it, so that it reports all the same. */
export function isReachedByFlags(line: string, runner: RunnerKind): boolean {
  return /^(?:vitest|jest|mocha)$/.test(runner) && findInvocation(runner, line)?.via === 'runner';
}
