import type { Attempt } from './attempt.ts';
import type { AttemptOutcome, ErrorCategory } from './event.ts';
import { getImpossible } from './impossible.ts';
import { isEmptyTurn } from './objective.ts';
import type { TaskState } from './state.ts';
import { isGroundFault } from './verdict.ts';

/** How an attempt that will not land comes to its end, and whether its work goes on. */
export interface Ending {
  readonly outcome: AttemptOutcome;
  readonly category: ErrorCategory | null;
  readonly reason: string;
  readonly findings: readonly string[];
  /** The next attempt goes on with this one's files instead of starting from the base. */
  readonly keepWork: boolean;
}

/** The end of an attempt as a pure function of what was recorded about it. */
export function getEnding(attempt: Attempt): Ending {
  if (attempt.preflightFailure) {
    const { reason, category, satisfied } = attempt.preflightFailure;
    const outcome = satisfied ? 'needs-human' : 'partial';
    return { outcome, category, reason, findings: [], keepWork: true };
  }
  const { verdict } = attempt;
  if (verdict) return attempt.left ? getEndingOfRecovered(attempt) : getEndingOfVerdict(attempt);
  const ending = getEndingOfSession(attempt);
  return ending.findings.length > 0 ? ending : { ...ending, findings: attempt.feedback?.findings ?? [] };
}

function getEndingOfSession(attempt: Attempt): Ending {
  const summary = attempt.sessionSummary;
  switch (attempt.sessionOutcome) {
    case 'interrupted':
      return partial('SESSION_TIMEOUT', 'the harness was stopped in the middle of the session');
    case 'timeout':
      return partial('SESSION_TIMEOUT', 'the session ran out of time');
    case 'budget':
      return partial('TASK_EXEC', 'the session went over its budget');
    case 'context':
      return partial('SESSION_TIMEOUT', 'the context of the agent was full');
    case 'stuck':
      return partial('TASK_EXEC', `the agent was stuck: ${summary}`);
    case 'asked':
      return {
        ...partial(null, getQuestion(attempt)),
        outcome: 'needs-human',
        findings: attempt.question?.steps ?? [],
      };
    case 'unavailable':
      return partial(null, `the provider could not be had: ${summary}`);
    case 'crashed':
      return partial('TASK_EXEC', `the agent crashed: ${summary}`);
    case 'not-done':
      // Who stops and says where things stand has left something to go on with.
      if (attempt.handoff?.by === 'agent')
        return partial('TASK_EXEC', `the agent stopped and left word: ${summary}`);
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
  const ending = getEnding(attempt);
  if (attempt.takesUp?.by !== undefined) return getEndingOfPerson(attempt.takesUp.by, ending);
  if (attempt.isAuthor) return getEndingOfAuthor(task, ending);
  if (task.def.kind === 'loop') return getEndingOfLoop(task, attempt, ending);
  if (ending.outcome !== 'rejected') return ending;
  const counted = task.attempts === 0 ? [] : task.history.filter(isRejected).slice(-task.attempts);
  const rejections = [...counted.flatMap(past => past.rejections), ...attempt.rejections];
  const impossible = getImpossible(rejections, task.attempts + 1 >= task.def.maxAttempts);
  if (!impossible) return ending;
  const findings = [...impossible.evidence, ...ending.findings];
  return { ...ending, outcome: 'needs-human', reason: `needs a person: ${impossible.reason}`, findings };
}

/** No agent is set on a person's own work: they are told what is wrong with it. */
function getEndingOfPerson(by: string, ending: Ending): Ending {
  const reason = `what ${by} handed in was not accepted: ${ending.reason}`;
  return { ...ending, outcome: 'needs-human', reason };
}

/** An objective is gone on with, in a fresh context, with the files of the last iteration and what was wrong. */
function getEndingOfLoop({ def }: TaskState, attempt: Attempt, ending: Ending): Ending {
  if (ending.outcome !== 'failed' && ending.outcome !== 'rejected') return ending;
  const kept = { ...ending, outcome: 'partial', keepWork: true } as const;
  if (attempt.sessionOutcome !== 'not-done') return kept;
  if (isEmptyTurn(def, attempt))
    return { ...kept, reason: 'the turn ended without a word: it does not count' };
  return { ...kept, reason: `the last words do not promise "${def.promise}": ${attempt.sessionSummary}` };
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

function getQuestion({ question }: Attempt): string {
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

function getEndingOfVerdict(attempt: Attempt): Ending {
  const verdict = attempt.verdict as NonNullable<Attempt['verdict']>;
  const reason = verdict.decidedBy ? `${verdict.decidedBy}: ${verdict.reason}` : verdict.reason;
  const { findings } = verdict;
  if (isGroundFault(verdict, attempt.checks)) return { ...partial('ENV_SETUP', reason), findings };
  switch (verdict.word) {
    case 'rejected':
      return { outcome: 'rejected', category: 'TEST_FAIL', reason, findings, keepWork: false };
    case 'needs-human':
      return { outcome: 'needs-human', category: null, reason, findings, keepWork: false };
    case 'inconclusive':
    case 'proven':
      return { outcome: 'failed', category: getCause(attempt), reason, findings, keepWork: false };
  }
}

/** Why a check could not be carried out: time, or the ground it stood on. */
function getCause({ verdict, checks }: Attempt): ErrorCategory {
  const decider = checks.find(({ check }) => check === verdict?.decidedBy);
  return (decider?.measures?.timedOut ?? 0) > 0 ? 'TIMEOUT' : 'ENV_SETUP';
}

/** Nobody said that it was done: that it is not counts against no one, and the work goes on. */
function getEndingOfRecovered({ verdict }: Attempt): Ending {
  const ending = partial(
    'SESSION_TIMEOUT',
    `the harness was stopped in the middle of the session; ${verdict?.reason}`,
  );
  return { ...ending, findings: verdict?.findings ?? [] };
}

/** Work that an interrupted attempt left and that the next one should go on with. */
export function getStartWip(
  history: readonly { readonly outcome: AttemptOutcome; readonly wip: string | null }[],
): string | null {
  const last = history.at(-1);
  return last?.outcome === 'partial' ? last.wip : null;
}
