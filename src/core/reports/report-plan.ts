import type { RunnerKind } from '../model/testing.ts';
import { getCommands, getShellQuoted, getWithInserts, type Word } from '../shell/command-line.ts';
import { findInvocation, getWithArguments, type Invocation } from '../testing/test-invocation.ts';
import { MOCHA_REPORTER } from './mocha-json.ts';
import { NODE_REPORTER_URL } from './node-report.ts';

/** Goes up when plans or parsers change what the same run would be read as: old results then no longer count. */
export const PLAN_VERSION = 4;

/** How a test command is run so that it leaves a report. */
export interface ReportPlan {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** The runner writes the file, or its output is sent there; `exit-code` when there is no report. */
  readonly from: 'file' | 'stdout' | 'exit-code';
  /** A program that has to lie beside the report, where the runner loads it. */
  readonly reporter?: { readonly path: string; readonly text: string };
}

/** The command with the runner's reporter switched on, the report going to `reportFile`. */
export function getReportCommand(runner: RunnerKind, command: string, reportFile: string): ReportPlan {
  if (command.includes('{report}')) {
    return getPlan(
      command.replace(/"\{report\}"|'\{report\}'|\{report\}/g, () => getShellQuoted(reportFile)),
    );
  }
  return PLANS[runner](command, getShellQuoted(reportFile), findInvocation(runner, command), reportFile);
}

type MakePlan = (
  command: string,
  quotedFile: string,
  invocation: Invocation | null,
  file: string,
) => ReportPlan;

function getPlan(
  command: string,
  env: ReportPlan['env'] = {},
  from: ReportPlan['from'] = 'file',
): ReportPlan {
  return { command, env, from };
}

/** Flags go to the runner's own arguments; a command that hides its runner is left as it is. */
const append =
  (getFlags: (file: string) => string): MakePlan =>
  (command, file, invocation) =>
    getPlan(invocation ? getWithArguments(command, invocation, getFlags(file)) : command);

const PLANS: Readonly<Record<RunnerKind, MakePlan>> = {
  vitest: append(file => `--reporter=default --reporter=json --outputFile.json=${file}`),
  jest: append(file => `--json --outputFile=${file} --ci`),
  mocha: getMochaPlan,
  pytest: getPytestPlan,
  node: getNodePlan,
  go: (command, file, invocation) =>
    getPlan(getCaptured(getWithFlag(command, invocation, '-json'), `> ${file} 2>&1`), {}, 'stdout'),
  cargo: (command, file, invocation) =>
    getPlan(
      getCaptured(getWithFlag(command, invocation, '--no-fail-fast'), `> ${file} 2>&1`),
      { CARGO_TERM_COLOR: 'never' },
      'stdout',
    ),
  tap: (command, file) => getPlan(getCaptured(command, `> ${file}`), {}, 'stdout'),
  junit: command => getPlan(command),
  command: command => getPlan(command, {}, 'exit-code'),
};

/** The same command without a test of it being run: what it compiles is there for the next; null where nobody knows how. */
export function getCompileCommand(runner: RunnerKind, command: string): string | null {
  const invocation = runner === 'go' ? findInvocation(runner, command) : null;
  // Whatever stands beside it may run the project's own programs.
  const isAlone = getCommands(command).length === 1 && !command.includes('-exec');
  if (invocation?.via !== 'runner' || !isAlone) return null;
  return insertAfterRunner(command, invocation, ' -exec true');
}

/** A reporter by its path is what every mocha takes; its own JSON goes to a file only from 9.1 on, and names files late. */
function getMochaPlan(
  command: string,
  _quotedFile: string,
  invocation: Invocation | null,
  file: string,
): ReportPlan {
  if (invocation === null) return getPlan(command);
  const path = `${file}.reporter.cjs`;
  const whole = getWithArguments(command, invocation, `--reporter ${getShellQuoted(path)}`);
  return { ...getPlan(withoutReporter(whole, invocation)), reporter: { path, text: MOCHA_REPORTER } };
}

/** Mocha 6.0 takes one reporter only. What is put behind them leaves the words where they are. */
function withoutReporter(command: string, { words, firstArgument }: Invocation): string {
  const at = words.findIndex(({ value }, i) => i >= firstArgument && /^(-R|--reporter)(=|$)/.test(value));
  const [flag, name] = words.slice(at);
  if (at === -1 || !flag) return command;
  const end = flag.value.includes('=') ? flag.end : (name?.end ?? flag.end);
  return command.slice(0, flag.start).trimEnd() + command.slice(end);
}

/** One broken file must not hide the results of all others; the cache would be written into the tree. */
function getPytestPlan(command: string, file: string, invocation: Invocation | null): ReportPlan {
  const usesCache = /--(lf|ff|nf|sw|last-failed|failed-first|new-first|stepwise|cache-)/.test(command);
  const flags = [
    `--junitxml=${file}`,
    '-o junit_family=xunit1',
    '--continue-on-collection-errors',
    ...(usesCache ? [] : ['-p no:cacheprovider']),
  ].join(' ');
  if (invocation?.via === 'runner') return getPlan(getWithArguments(command, invocation, flags));
  return getPlan(command, { PYTEST_ADDOPTS: flags });
}

/**
 * Node takes flags only before the files, and as many destinations as reporters. Where a script
 * hides the call, they travel in NODE_OPTIONS.
 */
function getNodePlan(command: string, file: string, invocation: Invocation | null): ReportPlan {
  const flags = (url: string) => `--test-reporter=${url} --test-reporter-destination=${file}`;
  const screen = '--test-reporter=spec --test-reporter-destination=stdout';
  if (invocation?.via !== 'runner')
    return getPlan(command, { NODE_OPTIONS: `${screen} ${flags(NODE_REPORTER_URL)}` });
  const has = (flag: string) => invocation.words.some(word => word.value.split('=')[0] === flag);
  const theirs = has('--test-reporter-destination') ? '' : ' --test-reporter-destination=stdout';
  const own = ` ${flags(getShellQuoted(NODE_REPORTER_URL))}`;
  return getPlan(
    insertAfterRunner(command, invocation, own + (has('--test-reporter') ? theirs : ` ${screen}`)),
  );
}

function getWithFlag(command: string, invocation: Invocation | null, flag: string): string {
  if (invocation?.via !== 'runner' || invocation.words.some(word => word.value === flag)) return command;
  return insertAfterRunner(command, invocation, ` ${flag}`);
}

function insertAfterRunner(command: string, { words, firstArgument }: Invocation, text: string): string {
  return getWithInserts(command, [{ at: (words[firstArgument - 1] as Word).end, text }]);
}

/** The whole line's output, also of `a && b`; the newline ends a comment. */
function getCaptured(command: string, redirection: string): string {
  return `{ ${command}\n} ${redirection}`;
}
