import { NOTHING_CHANGED } from '../model/check.ts';
import type { AttemptOutcome, ErrorCategory, Rejection } from '../model/facts.ts';
import type { CutOffRules, Policy } from '../model/policy.ts';
import { getDecider, isEnvironmentFault } from '../model/verdict.ts';
import { type Attempt, getWorkTree, isHeldUp, type PastAttempt } from '../state/attempt.ts';
import { isEmptyTurn } from '../state/objective.ts';
import type { TaskState } from '../state/task-state.ts';

/** How an attempt that will not land comes to its end, and whether its work goes on. */
export interface Ending {
  readonly outcome: AttemptOutcome;
  readonly category: ErrorCategory | null;
  readonly reason: string;
  readonly findings: readonly string[];
  /** The next attempt goes on with this one's files instead of starting from the base. */
  readonly keepWork: boolean;
}

/** What becomes of the work of a session that ran out of something; null for any other. */
export function getCutOff(
  { cutOff }: Pick<Policy, 'cutOff'>,
  { outcome }: Attempt['agent'],
): CutOffRules['timeout'] | null {
  return outcome === 'timeout' || outcome === 'context' ? cutOff[outcome] : null;
}

const CONTEXT_FULL = 'the context of the agent was full';

/** Whether an attempt ended because the context of its agent was full. */
export function isContextFull({ reason }: PastAttempt): boolean {
  return reason === CONTEXT_FULL;
}

/** Whether its agent said that it is done, and had left everything as it was. */
export function changedNothing({ reason }: PastAttempt): boolean {
  return reason === `claim: ${NOTHING_CHANGED}`;
}

/** The end of an attempt as a pure function of what was recorded about it. */
export function getEnding(attempt: Attempt): Ending {
  if (attempt.preflightFailure) {
    const { reason, category } = attempt.preflightFailure;
    const outcome = isHeldUp(attempt) ? 'needs-human' : 'partial';
    return { outcome, category, reason, findings: [], keepWork: true };
  }
  const { judged } = attempt;
  if (judged) return attempt.left ? getEndingOfRecovered(judged) : getEndingOfVerdict(judged);
  const ending = getEndingOfSession(attempt);
  return ending.findings.length > 0 ? ending : { ...ending, findings: attempt.feedback?.findings ?? [] };
}

function getEndingOfSession(attempt: Attempt): Ending {
  const summary = attempt.agent.summary;
  switch (attempt.agent.outcome) {
    case 'interrupted':
      return partial('SESSION_TIMEOUT', 'the harness was stopped in the middle of the session');
    case 'timeout':
      return partial('SESSION_TIMEOUT', 'the session ran out of time');
    case 'budget':
      return partial('TASK_EXEC', 'the session went over its budget');
    case 'context':
      return partial('SESSION_TIMEOUT', CONTEXT_FULL);
    case 'stuck':
      return partial('TASK_EXEC', `the agent was stuck: ${summary}`);
    case 'asked':
      return {
        ...partial(null, getQuestion(attempt.agent)),
        outcome: 'needs-human',
        findings: attempt.agent.question?.steps ?? [],
      };
    case 'unavailable':
      return partial(null, `the provider was unavailable: ${summary}`);
    case 'crashed':
      return partial('TASK_EXEC', `the agent crashed: ${summary}`);
    case 'not-done':
      // Who stops and says where things stand has left something to go on with.
      if (attempt.agent.sessionNote?.by === 'agent')
        return partial('TASK_EXEC', `the agent stopped and left a note: ${summary}`);
      return {
        ...partial('TASK_EXEC', `the agent stopped without a claim: ${summary}`),
        outcome: 'failed',
        keepWork: false,
      };
    case 'claimed':
    case null:
      return partial(null, 'the attempt was given up before it could be judged');
  }
}

/** The end of an attempt, seen with those before it: what cannot be done is not tried for ever. */
export function getEndingOfTask(task: TaskState, attempt: Attempt): Ending {
  if (isTidy(task, attempt)) return TIDY;
  const ending = getEnding(attempt);
  if (attempt.resumes?.by !== undefined) return getEndingOfPerson(attempt.resumes.by, ending);
  if (attempt.isAuthor) return getEndingOfAuthor(task, ending);
  if (task.def.kind === 'loop') return getEndingOfLoop(task, attempt, ending);
  if (ending.outcome !== 'rejected') return ending;
  const counted = task.attempts === 0 ? [] : task.history.filter(isRejected).slice(-task.attempts);
  const rejections = [...counted.flatMap(past => past.rejections), ...attempt.rejections];
  const contradictoryTests = getContradictoryTests(rejections, task.attempts + 1 >= task.def.maxAttempts);
  if (!contradictoryTests) return ending;
  const findings = [...contradictoryTests.evidence, ...ending.findings];
  return {
    ...ending,
    outcome: 'needs-human',
    reason: `needs a person: ${contradictoryTests.reason}`,
    findings,
  };
}

/** Whether a cleaner says that it is done and has left everything as it was. */
export function isTidy(task: TaskState | undefined, attempt: Attempt): boolean {
  const { agent, judged, baseTree } = attempt;
  const isClaimed = agent.outcome === 'claimed' && judged === null;
  return task?.def.kind === 'cleanup' && isClaimed && getWorkTree(attempt) === baseTree;
}

const TIDY: Ending = {
  ...{ outcome: 'tidy', category: null, reason: 'there was nothing to tidy' },
  ...{ findings: [], keepWork: false },
};

/** No agent is set on a person's own work: they are told what is wrong with it. */
function getEndingOfPerson(by: string, ending: Ending): Ending {
  const reason = `the work of ${by} was rejected: ${ending.reason}`;
  return { ...ending, outcome: 'needs-human', reason };
}

/** An objective is gone on with, in a fresh context, with the files of the last iteration and what was wrong. */
function getEndingOfLoop({ def }: TaskState, attempt: Attempt, ending: Ending): Ending {
  if (ending.outcome !== 'failed' && ending.outcome !== 'rejected') return ending;
  const kept = { ...ending, outcome: 'partial', keepWork: true } as const;
  if (attempt.agent.outcome !== 'not-done') return kept;
  if (isEmptyTurn(def, attempt.agent))
    return { ...kept, reason: 'the turn ended without a message: nothing was promised' };
  return { ...kept, reason: `the last words do not promise "${def.promise}": ${attempt.agent.summary}` };
}

/** Authors have as many attempts as coders; after that a person has to write the test, or the task. */
function getEndingOfAuthor(task: TaskState, ending: Ending): Ending {
  const isOver = ending.outcome === 'rejected' || ending.outcome === 'failed';
  if (!isOver || task.authorAttempts + 1 < task.def.maxAttempts) return ending;
  const reason = `needs a person: no test could be written for this task (${ending.reason})`;
  return { ...ending, outcome: 'needs-human', reason };
}

function isRejected({ outcome }: { readonly outcome: AttemptOutcome }): boolean {
  return outcome === 'rejected';
}

function getQuestion({ question }: Attempt['agent']): string {
  if (!question) return 'the agent asks for a person';
  const { question: what, why, check } = question;
  return [
    `I need: ${what}`,
    ...(why ? [`Because: ${why}`] : []),
    ...(check ? [`Checked by: ${check}`] : []),
  ].join(' ');
}

function partial(category: ErrorCategory | null, reason: string): Ending {
  return { outcome: 'partial', category, reason, findings: [], keepWork: true };
}

type Judged = NonNullable<Attempt['judged']>;

function getEndingOfVerdict(judged: Judged): Ending {
  const { verdict } = judged;
  const reason = verdict.decidedBy ? `${verdict.decidedBy}: ${verdict.reason}` : verdict.reason;
  const { findings } = verdict;
  if (isEnvironmentFault(judged)) return { ...partial('ENV_SETUP', reason), findings };
  switch (verdict.word) {
    case 'rejected':
      return { outcome: 'rejected', category: 'TEST_FAIL', reason, findings, keepWork: false };
    case 'needs-human':
      return { outcome: 'needs-human', category: null, reason, findings, keepWork: false };
    case 'inconclusive':
    case 'proven':
      return { outcome: 'failed', category: getCause(judged), reason, findings, keepWork: false };
  }
}

/** Why a check could not be carried out: time, or the ground it stood on. */
function getCause(judged: Judged): ErrorCategory {
  return (getDecider(judged)?.measures?.timedOut ?? 0) > 0 ? 'TIMEOUT' : 'ENV_SETUP';
}

/** Nobody said that it was done: that it is not counts against no one, and the work goes on. */
function getEndingOfRecovered({ verdict }: Judged): Ending {
  const reason = `the harness was stopped in the middle of the session; ${verdict.reason}`;
  return { ...partial('SESSION_TIMEOUT', reason), findings: verdict.findings };
}

/** Why nobody can do a task as it is written, for the person who wrote it. */
interface ContradictoryTests {
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** Fewer rejections than this can be bad luck, however they alternate. */
const MIN_ALTERNATING = 3;

/**
 * Reads what was rejected so far as a person would. Two tests of which now one fails and then the
 * other, never neither, contradict each other. And when no attempt is left: what never passed in any of
 * them is for a person, not for another run.
 */
export function getContradictoryTests(
  rejections: readonly Rejection[],
  isLast: boolean,
): ContradictoryTests | null {
  const judged = rejections.filter(({ failing }) => failing.length > 0);
  const pair = findPair(judged, isLast ? 1 : 2);
  if (pair && (isLast || judged.length >= MIN_ALTERNATING)) return getContradiction(judged, pair);
  const attempts = new Set(judged.map(({ attempt }) => attempt)).size;
  const [standing] = isLast && attempts > 1 ? getStanding(judged) : [];
  if (standing === undefined) return null;
  const isOlder = judged.some(({ kind, failing }) => kind === 'older' && failing.includes(standing));
  return {
    reason: isOlder
      ? `${standing} passed on the base and failed in all ${attempts} attempts once the task's own tests passed: the two look contradictory`
      : `${standing} failed in all ${attempts} attempts: it may ask for something that cannot be done`,
    evidence: judged.map(getLine),
  };
}

/** Two tests, one of which is red in every verdict, each at times alone, with so many changes from one to the other. */
function findPair(judged: readonly Rejection[], minSwitches: number): readonly [string, string] | null {
  const [first] = judged;
  if (!first) return null;
  const others = new Set(judged.flatMap(({ failing }) => failing));
  for (const one of first.failing) {
    for (const other of others) {
      if (one === other) continue;
      const sides = judged.map(({ failing }) => getSide(failing, one, other));
      if (sides.includes('neither')) continue;
      const alone = sides.filter(side => side !== 'both');
      const switches = alone.filter((side, i) => i > 0 && side !== alone[i - 1]).length;
      if (switches >= minSwitches) return [one, other];
    }
  }
  return null;
}

function getSide(
  failing: readonly string[],
  one: string,
  other: string,
): 'one' | 'other' | 'both' | 'neither' {
  if (failing.includes(one)) return failing.includes(other) ? 'both' : 'one';
  return failing.includes(other) ? 'other' : 'neither';
}

/** Red in every single verdict. */
function getStanding(judged: readonly Rejection[]): readonly string[] {
  return (judged[0]?.failing ?? []).filter(id => judged.every(({ failing }) => failing.includes(id)));
}

function getContradiction(
  judged: readonly Rejection[],
  [one, other]: readonly [string, string],
): ContradictoryTests {
  return {
    reason: `${one} and ${other} look contradictory: in ${judged.length} verdicts one of them failed whenever the other passed`,
    evidence: judged.map(getLine),
  };
}

function getLine({ attempt, failing }: Rejection): string {
  const more = failing.length > 3 ? ` and ${failing.length - 3} more` : '';
  return `attempt ${attempt}: ${failing.slice(0, 3).join(', ')}${more} failed`;
}
