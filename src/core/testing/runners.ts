import { getShellQuoted } from '../base/shell-quoted.ts';
import { getBaseName } from '../base/tree-path.ts';
import type { RunnerKind } from '../model/testing.ts';
import type { ParsedReport } from '../reports/report.ts';
import { cargo } from '../runners/cargo.ts';
import { command } from '../runners/command.ts';
import { getPlan } from '../runners/command-edits.ts';
import { go } from '../runners/go.ts';
import { jest } from '../runners/jest.ts';
import { junit } from '../runners/junit.ts';
import { mocha } from '../runners/mocha.ts';
import { node } from '../runners/node.ts';
import { pytest } from '../runners/pytest.ts';
import type { Invocation, ReportPlan, Runner } from '../runners/runner.ts';
import { tap } from '../runners/tap.ts';
import { vitest } from '../runners/vitest.ts';
import { getCommands, isAssignment, type Word } from '../shell/command-line.ts';

/** Every way to run tests; where a line calls several, the first of them counts. */
export const RUNNERS: Readonly<Record<RunnerKind, Runner>> = {
  vitest,
  jest,
  mocha,
  node,
  pytest,
  go,
  cargo,
  tap,
  junit,
  command,
};

/** Goes up when plans or parsers change what the same run would be read as: old results then no longer count. */
export const PLAN_VERSION = 4;

/** How the results of a command can be read, from the command alone. */
export function getRunnerOf(line: string | null, reportPath: string | null): RunnerKind {
  if (reportPath?.endsWith('.xml')) return 'junit';
  if (reportPath?.endsWith('.tap')) return 'tap';
  const kinds = Object.keys(RUNNERS) as RunnerKind[];
  const isCalled = (kind: RunnerKind): boolean =>
    RUNNERS[kind].isRecognised === true &&
    line !== null &&
    findInvocation(RUNNERS[kind], line)?.via === 'runner';
  return kinds.find(isCalled) ?? 'command';
}

/** Finds the call of a runner, spelled out or behind `npm test` and its kin; null when it is in neither. */
export function findInvocation(runner: Runner, line: string): Invocation | null {
  const commands = getCommands(line);
  for (const words of commands) {
    const firstArgument = runner.findCall?.(words.map(word => getBaseName(word.value))) ?? 0;
    if (firstArgument > 0) return { words, firstArgument, via: 'runner', needsDashes: false };
  }
  for (const words of commands) {
    const script = getScript(words);
    if (script) return { words, firstArgument: words.length, via: 'script', ...script };
  }
  return null;
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

/** The command with the runner's reporter switched on, the report going to `path`. */
export function getReportCommand(kind: RunnerKind, line: string, path: string): ReportPlan {
  const quoted = getShellQuoted(path);
  if (line.includes('{report}'))
    return getPlan(line.replace(/"\{report\}"|'\{report\}'|\{report\}/g, () => quoted));
  return RUNNERS[kind].plan(line, { path, quoted }, findInvocation(RUNNERS[kind], line));
}

/** Reads a runner's report. Whatever the bytes are, the answer is results or a sentence. */
export function parseReport(
  kind: Exclude<RunnerKind, 'command'>,
  text: string,
  trees: readonly string[],
): ParsedReport {
  try {
    return RUNNERS[kind].parse?.(text, trees) ?? { results: [], problem: 'only the exit code is read' };
  } catch (error) {
    return { results: [], problem: `the report cannot be read: ${(error as Error).message}` };
  }
}

/** The version of the test runner as the lockfiles pin it; null where they do not say. */
export function getRunnerVersion(kind: RunnerKind, lockfiles: readonly string[]): string | null {
  const name = RUNNERS[kind].pinnedPackage;
  if (name === undefined) return null;
  const patterns = [
    new RegExp(`"node_modules/${name}":\\s*\\{\\s*"version":\\s*"([^"]+)"`),
    new RegExp(`^name = "${name}"\\r?\\nversion = "([^"]+)"`, 'm'),
    new RegExp(`^\\s*['"]?/?${name}@(?:npm:)?(\\d[\\w.+-]*)`, 'm'),
    new RegExp(`^"?${name}@[^\\n]*:\\r?\\n\\s+version:? "?([\\w.+-]+)`, 'm'),
    new RegExp(`^${name}==([\\w.+-]+)`, 'm'),
  ];
  for (const text of lockfiles)
    for (const pattern of patterns) {
      const version = pattern.exec(text)?.[1];
      if (version) return version;
    }
  return null;
}
