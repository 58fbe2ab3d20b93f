import type { SessionOutcome } from '../model/facts.ts';
import { REPAIR, type TaskDef, UNLISTED_TASK } from '../model/task.ts';
import type { Attempt } from './attempt.ts';
import type { State } from './state.ts';

/** What `harness loop` is asked for. */
export interface Objective {
  readonly text: string;
  readonly promise: string;
  /** Null where the promise alone is to count. */
  readonly check: string | null;
  readonly maxIterations: number;
  readonly timeoutSeconds: number;
}

/** An objective as a task of the record: the same pipeline, with a check for a test and a promise for a claim. */
export function createObjective(id: string, objective: Objective): TaskDef {
  const { text, promise, check, maxIterations, timeoutSeconds } = objective;
  const judged =
    check === null
      ? // As where a person decides: no tests of its own, and all the other checks.
        ({ verificationType: 'manual', manualChecks: [`${text} (nothing but the promise says so)`] } as const)
      : { validation: { command: check, timeoutSeconds } };
  return {
    ...UNLISTED_TASK,
    ...judged,
    id,
    title: text,
    category: 'loop',
    verificationSteps: [
      check === null
        ? 'Everything that succeeded before still does'
        : `\`${check}\` succeeds, and so does everything that did before`,
      `Only when that is so: the last message ends with this, alone on its line: ${promise}`,
    ],
    maxAttempts: maxIterations,
    kind: 'loop',
    promise,
  };
}

const REPAIR_ITERATIONS = 3;

/** An objective that puts a red base right; it goes before everything that builds on the base. */
export function createRepair(
  id: string,
  tests: readonly string[],
  { command, timeoutSeconds }: NonNullable<TaskDef['validation']>,
): TaskDef {
  const more = tests.length > 3 ? ` and ${tests.length - 3} more` : '';
  const text = `Make what a change to the base broke pass again: ${tests.slice(0, 3).join(', ')}${more}`;
  const objective = { text, promise: 'TASK_COMPLETE', check: command, maxIterations: REPAIR_ITERATIONS };
  return { ...createObjective(id, { ...objective, timeoutSeconds }), category: REPAIR };
}

/** The next id that nothing has. */
export function getLoopId({ tasks }: Pick<State, 'tasks'>): string {
  let number = 1;
  while (tasks.has(`loop-${number}`)) number++;
  return `loop-${number}`;
}

/** Where a promise is asked for, nothing else is a claim: it stands alone on a line of the last words. */
export function getPromisedOutcome(
  { promise }: Pick<TaskDef, 'promise'>,
  outcome: SessionOutcome,
  lastWords: string,
): SessionOutcome {
  if (promise === undefined || (outcome !== 'claimed' && outcome !== 'not-done')) return outcome;
  const isKept = lastWords.split('\n').some(line => line.trim() === promise);
  return isKept ? 'claimed' : 'not-done';
}

/** Whether an objective is to count as reached by the promise alone. */
export function isPromiseOnly({ kind, validation }: TaskDef): boolean {
  return kind === 'loop' && validation === null;
}

/** A turn that ended without a word promises nothing and claims nothing. It was paid for, and counts. */
export function isEmptyTurn(
  { kind }: Pick<TaskDef, 'kind'>,
  { outcome, summary }: Pick<Attempt['agent'], 'outcome' | 'summary'>,
): boolean {
  return kind === 'loop' && outcome === 'not-done' && summary.trim() === '';
}
