import type { RunResult } from '../../app/run/run-tasks.ts';
import { EXIT_CODES } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getCount } from '../../core/base/text.ts';
import type { StopReason } from '../../core/model/action.ts';
import { type Aside, aside } from '../command/define-command.ts';

/** The last lines of a run: what came of it, why it stopped, what to do next. */
export function getRunLines(result: RunResult): readonly (string | Aside)[] {
  const { questions, handedOff, reopened = [], tolerated = [], audit, hadLanded, notes } = result;
  const { stopped, attempts } = result;
  if (hadLanded !== undefined)
    return [`task ${hadLanded} has landed already`, `next: harness verify ${getShellQuoted(hadLanded)}`];
  const lines = [
    `${getOutcomes(attempts)}; ${getStopText(result)}`,
    ...reopened.map(({ task, reason }) => `task ${task} is open again: ${reason}`),
    ...(tolerated.length > 0 ? [getToleratedLine(tolerated)] : []),
    ...(audit?.ok ? [getProofsLine(audit)] : []),
    ...(audit?.changed ? ['people changed tests that prove landed tasks: harness audit'] : []),
    ...(audit?.ok === false ? ['proofs: not all landed commits match theirs: harness audit'] : []),
    ...notes.map(note => aside(`note: ${note}`)),
  ];
  if (questions.length > 0)
    return [...lines, `next: harness inbox   (${getCount(questions.length, 'open question')})`];
  if (stopped === 'nothing-ready' && handedOff[0] !== undefined)
    return [...lines, `next: harness takeback ${getShellQuoted(handedOff[0])}   (when you are done with it)`];
  return [...lines, `next: ${NEXT_STEP[stopped]}`];
}

const MAX_NAMED = 5;

/** What a person lives with is no failure of the run, and red all the same. */
function getToleratedLine(tests: readonly string[]): string {
  const more = tests.length > MAX_NAMED ? `, and ${tests.length - MAX_NAMED} more` : '';
  return `${getCount(tests.length, 'test')} known to be red, by a person's word: ${tests.slice(0, MAX_NAMED).join(', ')}${more}`;
}

/** Only what has a proof is counted as holding. */
function getProofsLine({ landings, accepted, unproven }: NonNullable<RunResult['audit']>): string {
  const held = `proofs: ${getCount(landings, 'landed commit')} ${landings === 1 ? 'matches its own' : 'match theirs'}`;
  const tests = accepted === 1 ? 'rests on its own tests alone' : 'rest on their own tests alone';
  const others = [
    ...(accepted === 0 ? [] : [`${getCount(accepted, 'task')} ${tests}`]),
    ...(unproven === 0 ? [] : [`${getCount(unproven, 'task')} without a proof (harness audit)`]),
  ];
  return [held, ...others].join('; ');
}

/** Why a run stopped, in words. */
export function getStopText({ stopped, attempts }: Pick<RunResult, 'stopped' | 'attempts'>): string {
  return stopped === 'session-limit'
    ? `stopped after ${getCount(attempts.length, 'attempt')}`
    : STOPPED[stopped];
}

/** How many attempts ended how; what landed and what was rejected are always counted. */
function getOutcomes(attempts: RunResult['attempts']): string {
  const counts = new Map([
    ['landed', 0],
    ['rejected', 0],
  ]);
  for (const { outcome } of attempts) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, count]) => `${count} ${OUTCOMES[outcome] ?? outcome}`).join(', ');
}

const OUTCOMES: Readonly<Record<string, string>> = {
  partial: 'unfinished',
  'needs-human': 'waiting for you',
  tidy: 'with nothing to tidy',
};

/** Why it stopped, in words; `--json` has the code. */
const STOPPED: Readonly<Record<Exclude<StopReason, 'session-limit'>, string>> = {
  'all-done': 'everything is landed',
  'broken-tip': 'everything is landed, but tests fail',
  'red-base': 'tests fail on the base that passed before; no agent was started',
  drift: 'the product is not what was asked for',
  released: 'all that was asked for is proven: it can be released, and the project is paused',
  'nothing-ready': 'no task is ready',
  'empty-backlog': 'the backlog is empty',
  'task-limit': 'the limit of landed tasks is reached',
  'project-sessions': 'the limit session_config.max_sessions is reached',
  iterations: 'too many attempts landed nothing',
  time: 'the time limit is reached',
  stale: 'no progress: the same tasks fail for the same reasons',
  budget: 'the budget is spent',
  environment: 'the environment is broken',
  machine: 'the machine is out of memory; no further agent was started',
  auth: 'the agent could not log in',
  provider: 'the provider is unavailable',
  paused: 'paused',
  asked: 'stopped on request',
};

const NEXT_STEP: Readonly<Record<StopReason, string>> = {
  'all-done':
    'harness report   (more work: harness add-feature, harness plan; watch it: harness run --maintain)',
  'broken-tip': 'harness log   (names the failing tests); fix them, then harness run --all',
  'red-base': 'harness log   (names the failing tests); fix them, then harness run --all',
  drift: 'harness fidelity   (what is lacking), then harness run --all',
  released: 'take it (.harness/RELEASE_READY names the commit); harness resume goes on',
  'nothing-ready': 'harness status   (shows what waits and for what)',
  'empty-backlog': 'harness add "what should be built" --test-file <path>',
  'session-limit': 'harness run --all',
  'task-limit': 'harness run --all',
  'project-sessions': 'raise session_config.max_sessions in the config, then harness run --all',
  iterations: 'harness report   (what was rejected, and why), then harness run --all',
  time: 'harness run --all   (continues where this run stopped)',
  stale: 'harness report   (what was rejected, and why); harness run --all then asks you about those tasks',
  budget: 'raise costs.total_project_usd in the config, then harness run --all',
  auth: 'log the agent in (harness doctor says how), then harness run --all',
  provider: 'harness doctor   (says what is missing), then harness run --all; nothing is lost',
  environment: 'harness doctor   (says what is broken; no agent was started)',
  machine: 'harness doctor   (says what the machine carries), then harness run --all, with fewer workers',
  paused: 'harness resume, then harness run --all   (after harness handoff: harness takeback)',
  asked: 'harness run --all',
};

/** Not the end that was asked for. */
const UNFINISHED: ReadonlySet<StopReason> = new Set([
  'nothing-ready',
  'broken-tip',
  'red-base',
  'drift',
  'project-sessions',
  'iterations',
  'stale',
]);

/** Zero only when what was asked for happened and nobody is asked anything; what stopped the run is named before a question. */
export function getRunExitCode({ stopped, attempts, questions, ...rest }: RunEnd): number {
  const { handedOff, reopened = [], audit } = rest;
  if (audit?.ok === false) return EXIT_CODES.unproven;
  if (stopped === 'budget') return EXIT_CODES.budget;
  if (stopped === 'environment' || stopped === 'machine' || stopped === 'provider')
    return EXIT_CODES.environment;
  if (stopped === 'auth') return EXIT_CODES.auth;
  if (stopped === 'paused' || questions.length > 0) return EXIT_CODES.human;
  if (stopped === 'all-done' || stopped === 'released' || stopped === 'empty-backlog') return 0;
  if (attempts.some(end => end.outcome === 'needs-human')) return EXIT_CODES.human;
  const isAllLanded = attempts.every(({ outcome }) => outcome === 'landed' || outcome === 'tidy');
  if (!UNFINISHED.has(stopped) && reopened.length === 0 && isAllLanded) return 0;
  const isByHand = stopped === 'nothing-ready' && handedOff.length > 0;
  return isByHand ? EXIT_CODES.human : EXIT_CODES.unproven;
}

type RunEnd = Pick<RunResult, 'stopped' | 'attempts' | 'questions' | 'handedOff' | 'reopened' | 'audit'>;
