import { getShellQuoted } from '../base/shell-quoted.ts';
import type { TestOutcome } from '../model/testing.ts';
import { getPlainText, MAX_MESSAGE_CHARS, type ParsedReport, Results } from '../reports/report.ts';
import { findAfter, getCaptured, getPlan, getWithFlag } from './command-edits.ts';
import type { Runner } from './runner.ts';

export const cargo: Runner = {
  reportName: 'output of cargo test',
  findCall: names => {
    const nextest = findAfter(names, 'cargo', ['nextest']);
    if (nextest > 0) return names[nextest] === 'run' ? nextest + 1 : nextest;
    return findAfter(names, 'cargo', ['test', 't']);
  },
  isRecognised: true,
  getTarget,
  targetPlace: 'after-call',
  plan: (command, { quoted }, invocation) => {
    const whole = getCaptured(getWithFlag(command, invocation, '--no-fail-fast'), `> ${quoted} 2>&1`);
    return getPlan(whole, { CARGO_TERM_COLOR: 'never' }, 'stdout');
  },
  parse: parseCargoText,
  failures: {
    dependency: ["can't find crate for `(\\w+)`"],
    'missing-own': [
      'unresolved import',
      'cannot find (?:function|value|type|macro|struct|trait|method)',
      'no (?:method|function|variant)[\\w ]* named',
    ],
    syntax: ['this file contains an unclosed delimiter'],
  },
  versionCommand: 'rustc --version',
  getStub: ({ file, note, task }) =>
    /^(?:.+\/)?tests\/[^/]+\.rs$/.test(file)
      ? `// ${note}\n#[test]\nfn not_written_yet() {\n    panic!("the test of task ${task} has not been written yet");\n}\n`
      : null,
};

/** `crates/a/tests/it.rs` is the integration test `it` of the package whose manifest is in crates/a. */
function getTarget(file: string): string | null {
  const match = /^(.+\/)?(tests|src)\/(.+)\.rs$/.exec(file);
  if (!match) return null;
  const [, root = '', folder, name = ''] = match;
  const manifest = root === '' ? '' : `--manifest-path ${getShellQuoted(`${root}Cargo.toml`)} `;
  if (folder === 'tests') return `${manifest}--test ${getShellQuoted(name.replace(/\/.*$/, ''))}`;
  const binary = /^bin\/([^/]+)/.exec(name)?.[1];
  if (binary) return `${manifest}--bin ${getShellQuoted(binary)}`;
  return `${manifest}${name === 'main' ? '--bins' : '--lib'}`;
}

interface Target {
  /** The path of ids: the file, and for unit tests the crate. */
  readonly path: readonly string[];
  readonly tests: { readonly name: string; readonly outcome: TestOutcome }[];
  /** From the line that ends a target; null when it never came. */
  summary: { readonly passed: number; readonly failed: number } | null;
  hasStarted: boolean;
}

/** What `cargo test` and `cargo nextest run` print; stable Rust has no other report. */
function parseCargoText(text: string, trees: readonly string[]): ParsedReport {
  const lines = getPlainText(text).split(/\r?\n/);
  const results = new Results(trees);
  const targets = getTargets(lines);
  const messages = getMessages(lines);
  for (const target of targets) addTarget(target, messages, results);
  const seen = new Set<string>();
  for (const line of lines) addNextest(line, seen, results);
  for (const [i, line] of lines.entries()) {
    const build = /^error: could not compile `([^`]+)`(?: \((.+?)\))?/.exec(line);
    if (build) {
      const name = build[2] ? `${build[1]} (${build[2]})` : build[1];
      results.add([name], 'error', { message: lines.slice(Math.max(0, i - 30), i + 1).join('\n') });
    }
  }
  const isCargo = targets.length > 0 || results.all.length > 0;
  return isCargo
    ? { results: results.all }
    : { results: [], problem: 'no tests are named in what cargo printed' };
}

function getTargets(lines: readonly string[]): readonly Target[] {
  const targets: Target[] = [];
  for (const line of lines) {
    const running = /^\s+Running (unittests )?(\S+) \((.+?)\)/.exec(line);
    const docs = /^\s+Doc-tests (\S+)/.exec(line);
    if (running) targets.push(createTarget(getTargetPath(running)));
    else if (docs) targets.push(createTarget([`${docs[1]} doc-tests`]));
    else if (/^running \d+ tests?$/.test(line)) {
      if (targets.length === 0 || targets.at(-1)?.hasStarted) {
        targets.push(createTarget(targets.at(-1)?.path ?? []));
      }
      (targets.at(-1) as Target).hasStarted = true;
    }
    const target = targets.at(-1);
    if (target && target.summary === null) readLine(line, target);
  }
  return targets;
}

function createTarget(path: readonly string[]): Target {
  return { path, tests: [], summary: null, hasStarted: false };
}

function getTargetPath([, unit, file = '', binary = '']: readonly string[]): readonly string[] {
  const crate = binary.replace(/^.*[/\\]/, '').replace(/-[0-9a-f]{16}(\.exe)?$/, '');
  return unit ? [file, crate] : [file];
}

function readLine(line: string, target: Target): void {
  const test = /^test (.+?) \.\.\. (ok|FAILED|ignored)(?:, .*| <.*)?$/.exec(line);
  if (test) target.tests.push({ name: test[1] as string, outcome: OUTCOMES[test[2] as string] ?? 'error' });
  const summary = /^test result: \w+\. (\d+) passed; (\d+) failed;/.exec(line);
  if (summary) target.summary = { passed: Number(summary[1]), failed: Number(summary[2]) };
}

const OUTCOMES: Readonly<Record<string, TestOutcome>> = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
};

/** What each failed test printed: the blocks under `---- name stdout ----`. */
function getMessages(lines: readonly string[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  let name: string | null = null;
  for (const line of lines) {
    const start = /^---- (.+) stdout ----$/.exec(line);
    if (start) name = start[1] as string;
    else if (/^(failures:|test result:)/.test(line)) name = null;
    else if (name !== null) {
      const known = messages.get(name) ?? '';
      if (known.length < MAX_MESSAGE_CHARS) messages.set(name, `${known}${line}\n`);
    }
  }
  return messages;
}

function addTarget(target: Target, messages: ReadonlyMap<string, string>, results: Results): void {
  for (const { name, outcome } of target.tests) {
    results.add(getTestPath(target, name), outcome, {
      message: outcome === 'failed' ? messages.get(name) : undefined,
    });
  }
  const count = (outcome: TestOutcome) => target.tests.filter(test => test.outcome === outcome).length;
  const { summary } = target;
  if (summary === null) {
    if (target.hasStarted)
      results.add([...target.path, '(target)'], 'error', { message: 'the test binary did not finish' });
  } else if (summary.passed !== count('passed') || summary.failed !== count('failed')) {
    const message = `${summary.passed} passed and ${summary.failed} failed, but not all of them are named`;
    results.add([...target.path, '(target)'], 'error', { message });
  }
}

/** Line numbers of doc-tests move with every edit above them, so they are no part of a name. */
function getTestPath({ path }: Target, name: string): readonly string[] {
  const plain = name.replace(/ - should panic$/, '');
  const doc = /^(\S+) - (.*?)\s*\(line \d+\)/.exec(plain);
  if (doc) return [doc[1] as string, ...path, doc[2] || '(top)'];
  return [...path, ...plain.split('::')];
}

/** Nextest names its failures again at the end: only the first line of a test counts. */
function addNextest(line: string, seen: Set<string>, results: Results): void {
  const match =
    /^\s+(PASS|FAIL|SKIP|LEAK|TIMEOUT|ABORT|SIG\w+) \[\s*([\d.]+)s\](?: \([^)]*\))? (\S+) (\S+)$/.exec(line);
  if (!match) return;
  const [, word = '', seconds, binary = '', name = ''] = match;
  const outcome: TestOutcome =
    word === 'PASS' || word === 'LEAK' ? 'passed' : word === 'SKIP' ? 'skipped' : 'failed';
  const path = [binary, ...name.split('::')];
  if (seen.has(path.join(' > '))) return;
  seen.add(path.join(' > '));
  results.add(path, outcome, {
    durationMs: Number(seconds) * 1_000,
    message: outcome === 'failed' ? word : undefined,
  });
}
