import { type Fields, getFields, getNumber, getText, parseJson } from '../base/json.ts';
import { getShellQuoted } from '../base/shell-quoted.ts';
import { MAX_MESSAGE_CHARS, type ParsedReport, Results } from '../reports/report.ts';
import { parseTap } from '../reports/tap.ts';
import { findName, getJsStub, getPathTarget, getPlan, insertAfterCall } from './command-edits.ts';
import type { Invocation, ReportFile, ReportPlan, Runner } from './runner.ts';

/**
 * Our own reporter for `node --test`, one line of JSON for each event. Its TAP and JUnit (Node 20)
 * do not say which file a passing test is in, and without that ids would not be stable.
 */
const REPORTER = `export default async function* (events) {
  for await (const { type, data } of events) {
    if (!['test:start', 'test:pass', 'test:fail', 'test:stderr'].includes(type)) continue;
    const { details = {} } = data;
    const cause = details.error?.cause ?? details.error;
    yield JSON.stringify({
      type, name: data.name, nesting: data.nesting, file: data.entryFile ?? data.file, kind: details.type,
      ms: details.duration_ms, skip: data.skip, todo: data.todo, why: details.error?.failureType,
      message: cause === undefined ? data.message : String(cause?.stack ?? cause),
    }) + '\\n';
  }
  yield '{"type":"end"}\\n';
}`;

/** The reporter as a module that needs no file. */
export const NODE_REPORTER_URL = `data:text/javascript;base64,${Buffer.from(REPORTER).toString('base64')}`;

/** Node's own `node --test`; what every program on Node says of missing modules stands here as well. */
export const node: Runner = {
  reportName: 'node:test report',
  findCall: findName('--test'),
  isRecognised: true,
  valueFlags:
    /^(-[rC]|--(import|require|loader|experimental-loader|conditions|env-file|test-name-pattern|test-skip-pattern|test-reporter|test-reporter-destination|test-timeout|test-concurrency|test-shard))$/,
  narrowingFlags: ['--test-name-pattern'],
  getTarget: getPathTarget,
  takesFiles: true,
  plan: makePlan,
  parse: parseNodeReport,
  failures: {
    dependency: ["Cannot find (?:module|package) '([^']+)'"],
    'missing-own': [
      'does not provide an export named',
      'is not a (?:function|constructor)',
      ...['is not defined', 'ENOENT'],
    ],
    'time-out': ['^\\s*(?:Error: |\\[Error[^\\]]*\\] )?test timed out after \\d+'],
    syntax: ['SyntaxError'],
  },
  alwaysStarts: true,
  installExample: 'npm install',
  variables: ['NODE_TEST_CONTEXT', 'NODE_TEST_WORKER_ID'],
  packages: ['node:test'],
  testModules: ['node:test', 'test'],
  versionCommand: 'node --version',
  tools: [{ name: 'node', programs: ['node', 'tsx'], isTest: args => args.includes('--test') }],
  getWorkspaceArguments: () => '',
  getStub: stub =>
    getJsStub(stub, isImported =>
      isImported
        ? "import { test } from 'node:test';\n\ntest"
        : "const { test } = require('node:test');\n\ntest",
    ),
};

/**
 * Node takes flags only before the files, and as many destinations as reporters. Where a script
 * hides the call, they travel in NODE_OPTIONS.
 */
function makePlan(command: string, { quoted }: ReportFile, invocation: Invocation | null): ReportPlan {
  const flags = (url: string) => `--test-reporter=${url} --test-reporter-destination=${quoted}`;
  const screen = '--test-reporter=spec --test-reporter-destination=stdout';
  if (invocation?.via !== 'runner')
    return getPlan(command, { NODE_OPTIONS: `${screen} ${flags(NODE_REPORTER_URL)}` });
  const has = (flag: string) => invocation.words.some(word => word.value.split('=')[0] === flag);
  const theirs = has('--test-reporter-destination') ? '' : ' --test-reporter-destination=stdout';
  const own = ` ${flags(getShellQuoted(NODE_REPORTER_URL))}`;
  return getPlan(
    insertAfterCall(command, invocation, own + (has('--test-reporter') ? theirs : ` ${screen}`)),
  );
}

/** What the reporter above wrote; TAP as well, for a command that brings its own reporter. */
function parseNodeReport(text: string, trees: readonly string[]): ParsedReport {
  if (/^(TAP version|1\.\.\d|ok |not ok )/m.test(text) && !text.startsWith('{')) return parseTap(text, trees);
  const events = text
    .split('\n')
    .filter(line => line !== '')
    .map(line => getFields(parseJson(line)));
  if (events.length === 0) return { results: [], problem: 'the report of node --test is empty' };
  if (events.at(-1)?.type !== 'end')
    return { results: [], problem: 'the report of node --test was cut short' };
  const results = new Results(trees);
  const walk: Walk = { names: [], hasChildren: [], hasFailures: [], stderr: new Map() };
  for (const event of events) {
    const nesting = getNumber(event.nesting) ?? 0;
    if (event.type === 'test:stderr') addStderr(walk, event);
    else if (event.type === 'test:start') enter(walk, nesting, getText(event.name));
    else if (event.type !== 'end') leave(walk, nesting, event, results);
  }
  return { results: results.all };
}

/** Where the events have got to; each list has one entry for each level of nesting. */
interface Walk {
  readonly names: string[];
  readonly hasChildren: boolean[];
  readonly hasFailures: boolean[];
  readonly stderr: Map<string, string>;
}

/** A file that fails to load says why only there. */
function addStderr({ stderr }: Walk, event: Fields): void {
  const file = getText(event.file);
  const known = stderr.get(file) ?? '';
  if (known.length < MAX_MESSAGE_CHARS) stderr.set(file, known + getText(event.message));
}

function enter(walk: Walk, nesting: number, name: string): void {
  walk.names.length = nesting;
  walk.names[nesting] = name;
  walk.hasChildren[nesting] = false;
  walk.hasFailures[nesting] = false;
  if (nesting > 0) walk.hasChildren[nesting - 1] = true;
}

function leave(walk: Walk, nesting: number, event: Fields, results: Results): void {
  const hasFailed = event.type === 'test:fail';
  const file = results.getFile(getText(event.file));
  const path = [file, ...walk.names.slice(0, nesting), getText(event.name)];
  const more = { message: hasFailed ? getText(event.message) : undefined, durationMs: getNumber(event.ms) };
  const isFailureOfChild = event.why === 'subtestsFailed' || walk.hasFailures[nesting] === true;
  if (hasFailed && isOff(event.todo) && nesting > 0) walk.hasFailures[nesting - 1] = true;

  if (!isOff(event.todo)) results.add(path, 'todo', more);
  else if (!isOff(event.skip)) results.add(path, 'skipped', more);
  else if (nesting === 0 && results.getFile(getText(event.name)) === file && !walk.hasChildren[0]) {
    if (hasFailed)
      results.add([file], 'error', {
        ...more,
        message: walk.stderr.get(getText(event.file)) || more.message,
      });
  } else if (event.kind === 'suite') {
    if (hasFailed && !isFailureOfChild) results.add(path, 'error', more);
  } else results.add(path, hasFailed ? 'failed' : 'passed', more);
}

function isOff(directive: unknown): boolean {
  return directive === undefined || directive === null || directive === false;
}
