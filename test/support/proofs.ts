import { getSha256 } from '../../src/adapters/process/hasher.ts';
import type { CheckResult } from '../../src/core/model/check.ts';
import type { RunRecord, TestResult } from '../../src/core/model/testing.ts';
import { NO_USAGE } from '../../src/core/model/usage.ts';
import {
  createProof,
  getProofRecord,
  getStatement,
  type StatementInput,
} from '../../src/core/proof/proof.ts';
import type { Proof } from '../../src/core/proof/proof-schema.ts';
import { simPolicy } from '../sim/sim-policy.ts';
import { makeTask } from './history.ts';

/** An id as git has them. */
export const makeId = (letter: string): string => letter.repeat(40);

/** One run that a verdict stands on. */
export function makeRun(purpose: string, results: readonly TestResult[]): RunRecord {
  const run = { command: 'test', exitCode: 0, timedOut: false, results, outputTail: 'out', durationMs: 1 };
  return { purpose, tree: makeId('b'), run };
}

/** An honest change of one task. */
export function makeStatementInput(rest: Partial<StatementInput> = {}): StatementInput {
  return {
    task: { ...makeTask('1'), testFile: 'test/1' },
    base: { commit: makeId('a'), tree: makeId('b') },
    tree: makeId('c'),
    config: null,
    policy: simPolicy,
    runs: [],
    unreliable: new Set(),
    blobs: {
      'test/1': makeId('1'),
      'package.json': makeId('2'),
      'src/a': makeId('3'),
      'features.json': makeId('4'),
    },
    checks: [],
    verdict: { word: 'proven', decidedBy: null, reason: 'it passed', findings: [] },
    ...rest,
  };
}

const CLAIM: CheckResult = {
  check: 'claim',
  status: 'passed',
  summary: 's',
  findings: ['f'],
  commands: [],
  durationMs: 3,
};

/** A proof with something in every part. */
export function makeProof(
  given: { readonly durationMs?: number; readonly checks?: readonly CheckResult[] } = {},
): Proof {
  const { checks = [CLAIM], durationMs = 7 } = given;
  const runs = [makeRun('suite, base', [{ id: 'x', outcome: 'passed' }])];
  const about = {
    attempt: 1,
    atMs: 5,
    durationMs,
    candidate: makeId('d'),
    tools: { node: 'v20' },
  };
  const record = getProofRecord(
    { ...about, checks, runs, sandbox: null, sessions: 1, usage: NO_USAGE },
    getSha256,
  );
  return createProof(getStatement(makeStatementInput({ checks, runs }), getSha256), record, getSha256);
}
