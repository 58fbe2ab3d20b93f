import { matchesFolded } from '../base/tree-path.ts';
import type { CheckName, CheckResult, Verdict } from '../model/check.ts';
import { isBacklogPath, type Policy } from '../model/policy.ts';
import { getBasis, type TaskDef } from '../model/task.ts';
import { getTestFile, type RunRecord } from '../model/testing.ts';
import type { Usage } from '../model/usage.ts';
import { getCommandWords } from '../shell/command-line.ts';
import { getFeatureCommand } from '../testing/test-command.ts';
import type { Proof, ProofRecord, ProvenOutcome, Statement, TestsByOutcome } from './proof-schema.ts';

/** Checks that only that one session or person could answer: they belong to the record, not to the statement. */
export const NOT_REPEATABLE: readonly CheckName[] = ['evidence', 'held-out', 'review', 'visual', 'human'];

export type Sha256 = (text: string) => string;

export interface StatementInput {
  readonly task: TaskDef;
  readonly base: { readonly commit: string; readonly tree: string };
  readonly tree: string;
  readonly config: Statement['config'];
  readonly policy: Policy;
  readonly runs: readonly RunRecord[];
  /** Tests that have said both yes and no to the same bytes. */
  readonly unreliable: ReadonlySet<string>;
  /** Every file of the candidate's tree, with git's id of its content. */
  readonly blobs: Readonly<Record<string, string>>;
  readonly checks: readonly CheckResult[];
  readonly verdict: Verdict;
}

/** What was proven, without anything that could be different the next time. */
export function getStatement(input: StatementInput, sha256: Sha256): Statement {
  const { task, base, tree, config, policy, checks, verdict } = input;
  return {
    schema_version: 1,
    task: { id: task.id, definition: sha256(getCanonicalJson(getDeciding(task))) },
    base: { commit: base.commit, tree: base.tree },
    candidate: { tree },
    config,
    runner: policy.testing.runner,
    // What was proven before there was this check says nothing of it, and says the same when it is proven again.
    ...(checks.some(({ check }) => check === 'outputs') ? { basis: getBasis(task) ?? 'tests' } : {}),
    commands: getCommands(task, policy),
    tests: getProvenTests(input.runs, input.unreliable),
    files: getFiles(input),
    checks: checks
      .filter(({ check }) => !NOT_REPEATABLE.includes(check))
      .map(({ check, status }) => ({ check, status })),
    verdict: {
      word: verdict.word,
      decided_by: verdict.decidedBy,
      reason: verdict.decidedBy === null ? getPassed(verdict) : verdict.reason,
    },
  };
}

function getPassed({ basis }: Verdict): string {
  return basis === undefined ? 'every check passed' : `every check passed; ${basis}`;
}

export interface RecordInput {
  readonly attempt: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly candidate: string;
  readonly tools: Readonly<Record<string, string>>;
  readonly checks: readonly CheckResult[];
  readonly runs: readonly RunRecord[];
  readonly sandbox: ProofRecord['sandbox'];
  readonly sessions: number;
  readonly usage: Usage;
}

/** What belongs to that one time. */
export function getProofRecord(input: RecordInput, sha256: Sha256): ProofRecord {
  const { attempt, atMs, durationMs, candidate, tools, sandbox, sessions, usage } = input;
  return {
    attempt,
    at_ms: atMs,
    duration_ms: durationMs,
    candidate,
    tools: { ...tools },
    checks: input.checks.map(getCheckRecord),
    runs: input.runs.map(({ purpose, tree, run }) => ({
      ...{ purpose, tree, command: run.command, exit_code: run.exitCode, timed_out: run.timedOut },
      ...{ problem: run.reportProblem ?? null, tests: run.results.length },
      ...{ duration_ms: Math.round(run.durationMs), output_sha256: sha256(run.outputTail) },
    })),
    ...getObserved(input.checks),
    ...getUnfilled(input.runs),
    sandbox: sandbox && { level: sandbox.level, reason: sandbox.reason },
    usage: {
      ...{ sessions, input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
      ...{ cached_tokens: usage.cachedTokens, cost_usd: usage.costUsd },
    },
    screenshots: getArtifacts(input.checks, 'visual'),
    ...(getArtifacts(input.checks, 'e2e').length > 0 ? { artifacts: getArtifacts(input.checks, 'e2e') } : {}),
  };
}

function getArtifacts(checks: readonly CheckResult[], name: CheckName): ProofRecord['screenshots'] {
  const kept = checks.flatMap(({ check, artifacts = [] }) => (check === name ? artifacts : []));
  return kept.map(({ path, sha256 }) => ({ path, sha256 }));
}

function getObserved(checks: readonly CheckResult[]): Pick<ProofRecord, 'observed'> {
  const seen = checks.find(({ observed }) => observed)?.observed;
  return seen ? { observed: { files: seen.files.map(file => ({ ...file })), unseen: [...seen.unseen] } } : {};
}

function getUnfilled(runs: readonly RunRecord[]): Pick<ProofRecord, 'unfilled'> {
  const unfilled = [...new Set(runs.flatMap(({ run }) => run.gaps ?? []))].sort();
  return unfilled.length > 0 ? { unfilled } : {};
}

/** What was found by tests that no agent may know stays out of what travels. */
function getCheckRecord(result: CheckResult): ProofRecord['checks'][number] {
  const { check, status, summary, findings, commands, durationMs, hashes = {} } = result;
  const shown = result.private
    ? { findings: [], commands: [] }
    : { findings: [...findings], commands: [...commands] };
  const found = result.found?.map(({ severity, file, line, claim, settled, why }) => {
    return { severity, file, line, claim, settled, why };
  });
  return {
    ...{ check, status, summary, ...shown, hashes: { ...hashes }, duration_ms: durationMs },
    ...(found ? { found } : {}),
  };
}

/** Both parts with the hashes that the landed commit will carry. */
export function createProof(statement: Statement, record: ProofRecord, sha256: Sha256): Proof {
  const hash = getStatementHash(statement, sha256);
  return { schema_version: 1, hash, record_hash: sha256(getCanonicalJson(record)), statement, record };
}

/** What a proof is known by. */
export function getStatementHash(statement: Statement, sha256: Sha256): string {
  return sha256(getCanonicalJson(statement));
}

/** The one text a proof is written as: any other byte is an edit. */
export function getProofText(proof: Proof): string {
  return `${JSON.stringify(getSorted(proof), null, 2)}\n`;
}

/** What decides a task; its place in the queue and in the list does not. */
function getDeciding(task: TaskDef): unknown {
  const { id, title, testFile, validation, verificationSteps, verificationType, mayChange } = task;
  const words = { id, title, testFile, validation, verificationSteps, verificationType, mayChange };
  const { kind, phase, outputs } = task;
  const rests = getBasis(task) === 'review' ? { phase, outputs } : {};
  return { ...words, ...(kind === undefined ? {} : { kind }), ...rests };
}

function getCommands(task: TaskDef, policy: Policy): Statement['commands'] {
  const { testing, environment, lintCommand } = policy;
  const feature = task.testFile === null ? null : getFeatureCommand(testing, task.testFile);
  const own = [feature, task.validation?.command ?? null].filter(command => command !== null);
  return { install: environment.install, own, suite: testing.full, lint: lintCommand };
}

/** Runs that every proof of the same commits makes; others depend on what else has landed. */
const PLAIN_RUNS: ReadonlySet<string> = new Set([
  ...['own tests, base', 'own tests, candidate', 'suite, base', 'suite, candidate'],
]);

function getFiles({ task, policy, blobs, runs }: StatementInput): Statement['files'] {
  const plain = runs.filter(({ purpose }) => PLAIN_RUNS.has(purpose));
  const ids = plain.flatMap(({ run }) => run.results.map(({ id }) => getTestFile(id)));
  // Where a suite gives no names, what its command starts is all that is known of it.
  const collected = new Set([...ids, ...getCommandWords(policy.testing.full ?? '')]);
  const files: Statement['files'] = { tests: {}, protected: {}, lockfiles: {} };
  for (const [path, id] of Object.entries(blobs)) {
    if (policy.environment.lockfiles.includes(path)) files.lockfiles[path] = id;
    if (isBacklogPath(policy, path) || path === policy.notesPath) continue;
    if (path === task.testFile || collected.has(path)) files.tests[path] = id;
    else if (isProtected(policy, path)) files.protected[path] = id;
  }
  return files;
}

const kinds = new WeakMap<Policy, Map<string, boolean>>();

/** Asked of every file of every candidate, so it is remembered. */
function isProtected(policy: Policy, path: string): boolean {
  const known = kinds.get(policy) ?? new Map<string, boolean>();
  kinds.set(policy, known);
  const answer = known.get(path) ?? matchesFolded(path, policy.protectedGlobs);
  known.set(path, answer);
  return answer;
}

/** What the task's own tests and the suite said before and after, from all runs the verdict stands on. */
function getProvenTests(runs: readonly RunRecord[], unreliable: ReadonlySet<string>): Statement['tests'] {
  const get = (...purposes: string[]) => getOutcomes(runs, purposes, unreliable);
  const ownBefore = get('own tests, base', 'validation, base');
  const ownAfter = get('own tests, candidate', 'validation, candidate');
  const before = get('suite, base');
  const after = get('suite, candidate');
  return {
    own: { before: getByOutcome(ownBefore), after: getByOutcome(ownAfter) },
    suite: { before: getByOutcome(before), changes: getChanges(before, after) },
    ...getEndToEnd(runs, unreliable),
  };
}

/** Nothing where no end-to-end tests were run, as in every proof from before there were any. */
function getEndToEnd(
  runs: readonly RunRecord[],
  unreliable: ReadonlySet<string>,
): Pick<Statement['tests'], 'e2e'> {
  const get = (side: string) => getOutcomes(runs, [`e2e, ${side}`, `e2e again, ${side}`], unreliable);
  const [before, after] = [get('base'), get('candidate')];
  if (after.size === 0) return {};
  return { e2e: { before: getByOutcome(before), after: getByOutcome(after) } };
}

type Outcomes = ReadonlyMap<string, ProvenOutcome>;

/** Where runs of the same purpose disagree about a test, neither is believed. */
function getOutcomes(
  runs: readonly RunRecord[],
  purposes: readonly string[],
  unreliable: ReadonlySet<string>,
): Outcomes {
  const outcomes = new Map<string, ProvenOutcome>();
  for (const { run } of runs.filter(record => purposes.includes(record.purpose)))
    for (const { id, outcome } of run.results) {
      const known = outcomes.get(id);
      const isSteady = !unreliable.has(id) && (known === undefined || known === outcome);
      outcomes.set(id, isSteady ? outcome : 'flaky');
    }
  return outcomes;
}

function getByOutcome(outcomes: Outcomes): TestsByOutcome {
  const groups: TestsByOutcome = {};
  for (const [id, outcome] of outcomes) {
    const ids = groups[outcome] ?? [];
    ids.push(id);
    groups[outcome] = ids;
  }
  for (const ids of Object.values(groups)) ids.sort(compareText);
  return groups;
}

/** Nothing when the suite was not run with the change: then it did not come to that. */
function getChanges(before: Outcomes, after: Outcomes): Statement['tests']['suite']['changes'] {
  if (after.size === 0) return [];
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  return ids.flatMap(id => {
    const [was, is] = [before.get(id) ?? null, after.get(id) ?? null];
    return was === is ? [] : [{ id, before: was, after: is }];
  });
}

/** By code units, as canonical JSON sorts keys: the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One spelling for one value, whoever writes it: keys sorted, no spaces. What hashes are taken of. */
export function getCanonicalJson(value: unknown): string {
  return JSON.stringify(getSorted(value));
}

/** The same value with the keys of all its objects in order. */
export function getSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(getSorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, child]) => [key, getSorted(child)]));
}
