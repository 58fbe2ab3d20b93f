import { type Fields, getFields, getList, getNumber, getText, parseJson } from '../base/json.ts';
import { getShellQuoted } from '../base/shell-quoted.ts';
import { type ParsedReport, Results } from '../reports/report.ts';
import {
  findName,
  getJsStub,
  getPathTarget,
  getPlan,
  getUnwatched,
  getWithArguments,
} from './command-edits.ts';
import type { Invocation, ReportFile, ReportPlan, Runner } from './runner.ts';

/** Our own reporter, for every mocha since 2; it writes what mocha's `json` writes to the file that it is named after. */
export const MOCHA_REPORTER = `const { writeFileSync } = require('node:fs');
const write = writeFileSync, target = __filename.slice(0, -'.reporter.cjs'.length);
module.exports = function (runner) {
  const lists = { tests: [], pending: [], failures: [] }, errors = new Map();
  runner.on('test end', test => lists.tests.push(test));
  runner.on('pending', test => lists.pending.push(test));
  runner.on('fail', (test, error) => {
    lists.failures.push(test);
    errors.set(test, { message: String(error?.message ?? error), stack: String(error?.stack ?? '') });
  });
  const tell = test => ({
    title: test.title, fullTitle: test.fullTitle(), file: test.file, duration: test.duration, err: errors.get(test) ?? {},
  });
  runner.once('end', () => {
    const told = Object.entries(lists).map(([name, tests]) => [name, tests.map(tell)]);
    write(target, JSON.stringify(Object.fromEntries(told)));
  });
};
`;

export const mocha: Runner = {
  reportName: 'mocha JSON report',
  findCall: findName('mocha', '_mocha', 'mocha.js'),
  isRecognised: true,
  valueFlags:
    /^(-[rRutgfj]|--(require|reporter|reporter-options?|ui|timeout|config|package|extension|ignore|grep|fgrep|file|import|loader|jobs))$/,
  narrowingFlags: ['-g', '--grep', '--fgrep'],
  getTarget: getPathTarget,
  takesFiles: true,
  plan: makePlan,
  parse: parseMochaJson,
  failures: { 'time-out': ['Timeout of \\d+ms exceeded'] },
  installExample: 'npm install',
  packages: ['mocha'],
  testModules: ['mocha'],
  pinnedPackage: 'mocha',
  versionCommand: 'node --version',
  tools: [
    { name: 'mocha', programs: ['mocha', '_mocha'], once: getUnwatched, isDirect: true, runsAlone: true },
  ],
  takesFlagsLast: true,
  getWorkspaceArguments: folders => folders.map(folder => ` '${folder}/test/**/*.{js,cjs,mjs}'`).join(''),
  getStub: stub => getJsStub(stub, () => '\nit'),
};

/** A reporter by its path is what every mocha takes; its own JSON goes to a file only from 9.1 on, and names files late. */
function makePlan(command: string, file: ReportFile, invocation: Invocation | null): ReportPlan {
  if (invocation === null) return getPlan(command);
  const path = `${file.path}.reporter.cjs`;
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

/** Hooks that fail stand only in its list of failures. */
export function parseMochaJson(text: string, trees: readonly string[]): ParsedReport {
  const root = getFields(parseJson(text));
  if (!Array.isArray(root.tests)) return { results: [], problem: 'the report is not the JSON of mocha' };
  const results = new Results(trees);
  const tests = root.tests.map(getFields);
  const pending = new Set(getList(root.pending).map(getFields).map(getKey));
  const failures = new Map(
    getList(root.failures)
      .map(getFields)
      .map(failure => [getKey(failure), failure]),
  );
  const withError = new Set(tests.filter(hasError).map(getKey));
  for (const test of tests) {
    const key = getKey(test);
    const failure = hasError(test) ? test : withError.has(key) ? undefined : failures.get(key);
    const isPending = pending.has(key) && test.duration === undefined;
    results.add(getPath(test, results), failure ? 'failed' : isPending ? 'skipped' : 'passed', {
      message: failure && getErrorText(failure),
      durationMs: getNumber(test.duration),
    });
    failures.delete(key);
  }
  for (const failure of failures.values()) {
    results.add(getPath(failure, results), 'error', { message: getErrorText(failure) });
  }
  return { results: results.all };
}

function getKey(test: Fields): string {
  return `${getText(test.file)}\n${getText(test.fullTitle)}`;
}

function hasError(test: Fields): boolean {
  return Object.keys(getFields(test.err)).length > 0;
}

/** Mocha joins the suites by blanks, so they are one part of the path here. */
function getPath(test: Fields, results: Results): readonly string[] {
  const [title, full] = [getText(test.title), getText(test.fullTitle)];
  const suites = full.endsWith(title) ? full.slice(0, full.length - title.length) : '';
  return [results.getFile(getText(test.file)), suites, title];
}

function getErrorText(test: Fields): string {
  const error = getFields(test.err);
  return getText(error.stack) || getText(error.message);
}
