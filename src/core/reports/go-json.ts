import { type Fields, getFields, getNumber, getText, parseJson } from './json-values.ts';
import { MAX_MESSAGE_CHARS, type ReportParser, Results } from './report.ts';

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
export const parseGoJson: ReportParser = (text, trees) => {
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
};

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
