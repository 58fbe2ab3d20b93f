import { type Fields, getFields, getNumber, getText, parseJson } from '../base/json.ts';
import { getShellQuoted } from '../base/shell-quoted.ts';
import { MAX_MESSAGE_CHARS, type ParsedReport, Results } from '../reports/report.ts';
import { getCommands } from '../shell/command-line.ts';
import { findAfter, getCaptured, getPlan, getWithFlag, insertAfterCall } from './command-edits.ts';
import type { Asked, Runner } from './runner.ts';

export const go: Runner = {
  reportName: 'go test JSON report',
  findCall: names => findAfter(names, 'go', ['test']),
  isRecognised: true,
  valueFlags:
    /^--?(run|bench|benchtime|count|cpu|parallel|tags|timeout|coverprofile|covermode|coverpkg|o|p|exec|ldflags|gcflags|mod|modfile|skip|vet|shuffle|fuzz)$/,
  narrowingFlags: ['-run', '--run'],
  getTarget: (file, asked) => {
    const folder = file.includes('/') ? `./${file.slice(0, file.lastIndexOf('/'))}` : '.';
    return `${getNames(asked)}${getShellQuoted(folder)}`;
  },
  plan: (command, { quoted }, invocation) =>
    getPlan(getCaptured(getWithFlag(command, invocation, '-json'), `> ${quoted} 2>&1`), {}, 'stdout'),
  parse: parseGoJson,
  failures: {
    dependency: [
      'no required module provides package (\\S+?);?\\s',
      'package (\\S+) is not in (?:GOROOT|std)',
    ],
    'missing-own': ['\\bundefined: \\w'],
    'time-out': ['panic: test timed out after'],
    syntax: ['expected declaration, found'],
  },
  compilesTogether: true,
  versionCommand: 'go version',
  // It names what it keeps by content: a file of another tree can never be taken for one of this.
  buildCache: {
    variable: 'GOCACHE',
    getCompileCommand: (command, invocation) => {
      // Whatever stands beside it may run the project's own programs.
      const isAlone = getCommands(command).length === 1 && !command.includes('-exec');
      return isAlone ? insertAfterCall(command, invocation, ' -exec true') : null;
    },
  },
};

/** What makes Go run the tests of one file; nothing where others call them, as suites do, or a name is given already. */
function getNames({ invocation, text }: Asked): string {
  const isNamed = invocation?.words.some(({ value }) => /^--?(run|bench|fuzz)(=|$)/.test(value));
  const names = [...text.matchAll(/^func ((?:Test|Example|Fuzz)\w*)\s*\(/gm)].map(([, name]) => name);
  const hasMethods = /^func \([^)]*\) Test\w*\s*\(/m.test(text);
  return isNamed || hasMethods || names.length === 0 ? '' : `-run '^(${names.join('|')})$' `;
}

interface GoTest {
  readonly pkg: string;
  readonly test: string;
  outcome: 'passed' | 'failed' | 'skipped' | null;
  output: string;
  durationMs: number | undefined;
}

/**
 * The events of `go test -json`. Go does not name files: the package stands in their place. Before 1.24 it tells of what
 * does not compile in plain text between the events.
 */
function parseGoJson(text: string, trees: readonly string[]): ParsedReport {
  const tests = new Map<string, GoTest>();
  const builds = new Map<string, string>();
  let count = 0;
  let building = '';
  for (const line of text.split('\n')) {
    const event = line.startsWith('{') ? getFields(parseJson(line)) : {};
    const failed = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/.exec(line)?.[1];
    building = /^# (\S+)/.exec(line)?.[1] ?? building;
    if (failed !== undefined) {
      const output = builds.get(failed) ?? builds.get(`${failed}_test`) ?? [...builds.values()].join('');
      tests.set(`${failed}\n`, { pkg: failed, test: '', outcome: 'failed', output, durationMs: undefined });
      count++;
    }
    if (typeof event.Action !== 'string') {
      if (failed === undefined && building !== '') addOutput(builds, building, `${line}\n`);
      continue;
    }
    count++;
    if (event.Action.startsWith('build-'))
      addOutput(builds, getText(event.ImportPath), getText(event.Output));
    else applyEvent(tests, builds, event);
  }
  if (count === 0) return { results: [], problem: 'the report is not that of go test -json' };
  const results = new Results(trees);
  const broken = new Set<string>();
  for (const test of tests.values()) if (test.test !== '') addTest(test, results, broken);
  for (const test of tests.values()) if (test.test === '') addPackage(test, results, broken);
  return { results: results.all };
}

function applyEvent(tests: Map<string, GoTest>, builds: ReadonlyMap<string, string>, event: Fields): void {
  const [pkg, test] = [getText(event.Package), getText(event.Test)];
  const key = `${pkg}\n${test}`;
  const known = tests.get(key) ?? { pkg, test, outcome: null, output: '', durationMs: undefined };
  tests.set(key, known);
  const elapsedSeconds = getNumber(event.Elapsed);
  if (elapsedSeconds !== undefined) known.durationMs = elapsedSeconds * 1_000;
  switch (event.Action) {
    case 'output':
      if (!/^\s*=== /.test(getText(event.Output))) {
        known.output = (known.output + getText(event.Output)).slice(-MAX_MESSAGE_CHARS);
      }
      break;
    case 'pass':
    case 'bench':
      known.outcome = 'passed';
      break;
    case 'skip':
      known.outcome = 'skipped';
      break;
    case 'fail':
      known.outcome = 'failed';
      known.output = `${builds.get(getText(event.FailedBuild)) ?? ''}${known.output}`;
      break;
  }
}

function addOutput(outputs: Map<string, string>, key: string, text: string): void {
  outputs.set(key, ((outputs.get(key) ?? '') + text).slice(0, MAX_MESSAGE_CHARS));
}

/** A test that began and never ended was cut off by a panic or an exit. */
function addTest(test: GoTest, results: Results, broken: Set<string>): void {
  const path = [test.pkg, ...test.test.split('/')];
  const { outcome, output: message, durationMs } = test;
  if (outcome === 'passed' || outcome === 'skipped') {
    results.add(path, outcome, { durationMs });
    return;
  }
  broken.add(test.pkg);
  if (outcome === 'failed') results.add(path, 'failed', { message, durationMs });
  else results.add(path, 'error', { message: `the test did not finish\n${message}` });
}

/** A package that fails although none of its tests did: it did not build, or its main exited. */
function addPackage(test: GoTest, results: Results, broken: ReadonlySet<string>): void {
  if (broken.has(test.pkg) || test.outcome === 'passed' || test.outcome === 'skipped') return;
  const why = test.outcome === 'failed' ? '' : 'the package did not finish\n';
  results.add([test.pkg], 'error', { message: why + test.output });
}
