import { SaxesParser } from 'saxes';
import type { TestOutcome } from '../model/testing.ts';
import { getPlainText, MAX_MESSAGE_CHARS, type ReportParser, Results } from './report.ts';

interface Suite {
  readonly name: string;
  readonly file: string;
}

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly file: string;
  readonly durationMs: number | undefined;
  outcome: TestOutcome;
  message: string;
}

const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};

/** JUnit XML as pytest, nextest, mocha-junit-reporter, node and many others write it. */
export const parseJunit: ReportParser = (text, trees) => {
  const results = new Results(trees);
  const parser = new SaxesParser();
  const suites: Suite[] = [];
  let [open, reading, count]: [Case | null, boolean, number] = [null, false, 0];
  let problem: string | null = null;
  parser.on('error', error => {
    problem ??= error.message;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const get = (key: string) => attributes[key] ?? '';
    if (name === 'testsuites' || name === 'testsuite') count++;
    if (name === 'testsuite') suites.push({ name: get('name'), file: get('file') || get('filepath') });
    else if (name === 'testcase') open = getCase(get, suites);
    else if (OUTCOMES[name]) {
      open ??= { ...getCase(get, suites), name: '', classname: '' };
      setOutcome(open, name, get);
      reading = true;
    }
  });
  const onText = (chunk: string) => {
    if (open && reading && open.message.length < MAX_MESSAGE_CHARS) open.message += chunk;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name }) => {
    if (name === 'testcase' || (open?.name === '' && open.classname === '' && OUTCOMES[name])) {
      if (open) addCase(open, suites, results);
      open = null;
    }
    if (OUTCOMES[name]) reading = false;
    if (name === 'testsuite') suites.pop();
  });
  parser.write(getCleanXml(text)).close();
  if (problem !== null) return { results: [], problem: `the report is not XML: ${problem}` };
  return count > 0 ? { results: results.all } : { results: [], problem: 'the report is not JUnit XML' };
};

function getCase(get: (key: string) => string, suites: readonly Suite[]): Case {
  const seconds = Number(get('time') || Number.NaN);
  return {
    name: get('name'),
    classname: get('classname'),
    file: get('file') || suites.findLast(suite => suite.file !== '')?.file || '',
    durationMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    outcome: 'passed',
    message: '',
  };
}

/** A case that both failed and was skipped has failed. */
function setOutcome(test: Case, tag: string, get: (key: string) => string): void {
  const outcome = tag === 'skipped' && get('type') === 'todo' ? 'todo' : (OUTCOMES[tag] as TestOutcome);
  if (test.outcome === 'passed' || tag !== 'skipped') test.outcome = outcome;
  const message = get('message');
  if (message) test.message += `${message}\n`;
}

/** Node makes a case of each file that failed outside of its tests, or that has none. */
function addCase(test: Case, suites: readonly Suite[], results: Results): void {
  const file = results.getFile(test.file);
  const more = { message: test.outcome === 'passed' ? undefined : test.message, durationMs: test.durationMs };
  const names = suites.map(suite => suite.name);
  if (test.name === '' && test.classname === '') {
    results.add(file ? [file] : names.length > 0 ? names : ['(suite)'], 'error', more);
  } else if (file !== '' && results.getFile(test.name) === file) {
    if (test.outcome !== 'passed') results.add([file], 'error', more);
  } else if (test.outcome === 'error' && isCollection(test, file)) {
    results.add([file || test.name], 'error', more);
  } else results.add([file, ...getSuitePath(test, file, names), test.name], test.outcome, more);
}

/** A file that could not even be loaded: pytest makes a case of it, named after the module. */
function isCollection(test: Case, file: string): boolean {
  return (
    test.classname === '' &&
    (file === '' ? /collection failure/.test(test.message) : test.name === getModule(file))
  );
}

/**
 * The class name says more than the suites where a runner sets it (pytest: module and class), and
 * nothing where it repeats the name (mocha) or is a constant (node).
 */
function getSuitePath(test: Case, file: string, suites: readonly string[]): readonly string[] {
  const { classname, name } = test;
  if (classname === '' || classname === 'test' || name.endsWith(classname))
    return file ? suites : suites.slice(-1);
  const module = getModule(file);
  if (classname === module || isSameFile(classname, file)) return [];
  return [
    module !== '' && classname.startsWith(`${module}.`) ? classname.slice(module.length + 1) : classname,
  ];
}

function isSameFile(classname: string, file: string): boolean {
  return file !== '' && (classname === file || classname.endsWith(`/${file}`));
}

function getModule(file: string): string {
  return file.replace(/\.\w+$/, '').replaceAll('/', '.');
}

/** Test output finds its way into reports, with characters that XML forbids: they are taken out. */
function getCleanXml(text: string): string {
  const plain = getPlainText(text).replace(/&#(?:x1b|27);\[[\d;]*[a-z]/gi, '');
  return plain
    .trimStart()
    .replace(/^\uFEFF/, '')
    .replace(FORBIDDEN, '')
    .replace(REFERENCE, keepAllowed);
}

const range = (from: number, to: number) => `\\u${getHex(from)}-\\u${getHex(to)}`;
const getHex = (code: number) => code.toString(16).padStart(4, '0');

const FORBIDDEN = new RegExp(
  `[${range(0, 8)}${range(0x0b, 0x0c)}${range(0x0e, 0x1f)}\\ufffe\\uffff]` +
    '|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]',
  'g',
);
const REFERENCE = /&#(?:x([\da-f]{1,8})|(\d{1,10}));/gi;

function keepAllowed(reference: string, hex: string | undefined, decimal: string | undefined): string {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isAllowed =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isAllowed ? reference : '';
}
