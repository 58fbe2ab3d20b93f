import type { RunnerKind } from '../model/testing.ts';
import { parseCargoText } from './cargo-text.ts';
import { parseGoJson } from './go-json.ts';
import { parseJunit } from './junit.ts';
import { parseMochaJson } from './mocha-json.ts';
import { parseNodeReport } from './node-report.ts';
import type { ParsedReport, ReportParser } from './report.ts';
import { parseTap } from './tap.ts';
import { parseVitestJson } from './vitest-json.ts';

const PARSERS: Readonly<Record<Exclude<RunnerKind, 'command'>, ReportParser>> = {
  vitest: parseVitestJson,
  jest: parseVitestJson,
  node: parseNodeReport,
  mocha: parseMochaJson,
  pytest: parseJunit,
  go: parseGoJson,
  cargo: parseCargoText,
  tap: parseTap,
  junit: parseJunit,
};

/** Reads a runner's report. Whatever the bytes are, the answer is results or a sentence. */
export function parseReport(
  runner: Exclude<RunnerKind, 'command'>,
  text: string,
  trees: readonly string[],
): ParsedReport {
  try {
    return PARSERS[runner](text, trees);
  } catch (error) {
    return { results: [], problem: `the report cannot be read: ${(error as Error).message}` };
  }
}
