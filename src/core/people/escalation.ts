import type { AskedQuestion, QuestionKind, QuestionOption } from '../model/question.ts';

/** Everything a person can be asked, with what can be answered: one row per kind. */
const OPTIONS: Readonly<Record<QuestionKind, readonly QuestionOption[]>> = {
  stuck: [
    { key: 'retry', label: 'go on with fresh attempts', effect: 'retry' },
    { key: 'split', label: 'make smaller tasks of it', effect: 'split' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  rejected: [
    { key: 'retry', label: 'let an agent try again', effect: 'retry' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  regression: [
    {
      key: 'retry',
      label: 'let an agent make these tests pass again, before anything else',
      effect: 'repair',
    },
    { key: 'rollback', label: 'you undo what broke it: git revert', effect: 'wait' },
    { key: 'investigate', label: 'somebody looks into it: the next run looks again', effect: 'wait' },
    { key: 'manual', label: 'it is fixed by hand: look again', effect: 'wait' },
    { key: 'proceed', label: 'live with it: work goes on beside these tests', effect: 'proceed' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  attempts: [
    { key: 'retry', label: 'give it fresh attempts', effect: 'retry' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  sanity: [
    { key: 'retry', label: 'try again', effect: 'wait' },
    { key: 'rollback', label: 'drop the unfinished work and start from the base', effect: 'restart' },
    { key: 'manual', label: 'it is fixed by hand', effect: 'wait' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  reset: [
    { key: 'manual', label: 'the environment is fixed by hand', effect: 'wait' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  budget: [
    { key: 'increase', label: 'raise it by half, or to --text <dollars>', effect: 'raise' },
    { key: 'proceed', label: 'let the work go on in sessions under the same cap', effect: 'proceed' },
    { key: 'pause', label: 'wait until somebody resumes', effect: 'pause' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  cycle: [
    { key: 'edit', label: 'the backlog is fixed: look again', effect: 'wait' },
    { key: 'skip', label: 'leave these tasks out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  'all-done-red': [
    { key: 'reset', label: 'open the tasks again that were only marked as done', effect: 'reopen' },
    { key: 'retry', label: 'let an agent make these tests pass', effect: 'repair' },
    { key: 'investigate', label: 'somebody looks into it by hand', effect: 'wait' },
    { key: 'proceed', label: 'live with it: these tests are known to fail', effect: 'proceed' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  large: [
    { key: 'split', label: 'make smaller tasks of it', effect: 'split' },
    { key: 'proceed', label: 'do it as it is', effect: 'proceed' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
  ],
  agent: [
    { key: 'answer', label: 'tell the agent: --text "…"', effect: 'continue' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave the task out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  look: [
    { key: 'pass', label: 'approve: it lands', effect: 'pass' },
    { key: 'fail', label: 'it is not: --text "what is wrong"', effect: 'fail' },
    { key: 'skip', label: 'leave the task out', effect: 'skip' },
  ],
  approve: [
    { key: 'approve', label: 'you have read it, and it is right: let it land', effect: 'pass' },
    { key: 'send-back', label: 'it is not: --text "what is wrong"', effect: 'fail' },
    { key: 'retry', label: 'drop it: fresh attempts', effect: 'retry' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  impossible: [
    { key: 'retry', label: 'the task or its test is fixed: fresh attempts', effect: 'retry' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  unprovable: [
    { key: 'retry', label: 'it can be proven now: look again', effect: 'retry' },
    { key: 'manual', label: 'do it by hand', effect: 'handoff' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  satisfied: [
    { key: 'accept', label: 'the base does it already: count it as done, unproven', effect: 'accept' },
    { key: 'retry', label: 'what proves it is rewritten: look again', effect: 'retry' },
    { key: 'proceed', label: 'let an agent work all the same: nothing will prove it', effect: 'proceed' },
    { key: 'skip', label: 'leave it out', effect: 'skip' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  skipped: [
    { key: 'override', label: 'count it as done, unproven: what builds on it goes on', effect: 'override' },
    { key: 'retry', label: 'take it in again: fresh attempts', effect: 'retry' },
    { key: 'wait', label: 'let them wait: nothing may build on what is not there', effect: 'wait' },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
  drift: [
    { key: 'go-on', label: 'go on: you are asked again after as many landings', effect: 'proceed' },
    { key: 'raise', label: 'allow as much, or --text <of 100>', effect: 'allow' },
    {
      key: 'pause',
      label: 'rest until what is lacking is planned: harness plan --spec <file>',
      effect: 'pause',
    },
    { key: 'abort', label: 'stop every run', effect: 'abort' },
  ],
};

/** The same where the task has tests of its own. */
const SATISFIED_BY_TESTS: readonly QuestionOption[] = [
  { key: 'accept', label: 'the base does it already: its own tests stand for it', effect: 'accept' },
  { key: 'retry', label: 'its test is rewritten: look again', effect: 'retry' },
  {
    key: 'proceed',
    label: 'let an agent work all the same: what it changes no test sees',
    effect: 'proceed',
  },
  { key: 'skip', label: 'leave it out', effect: 'skip' },
  { key: 'abort', label: 'stop every run', effect: 'abort' },
];

type Words = Pick<AskedQuestion, 'title' | 'what' | 'why'> &
  Partial<Pick<AskedQuestion, 'steps' | 'check' | 'about' | 'repair' | 'sessionUsd' | 'isTested' | 'drift'>>;

/** Puts a question, with the options of its kind; `cause` tells it from the same question at another time. */
export function getEscalation(
  kind: QuestionKind,
  about: { readonly task: string | null; readonly cause: string | number },
  words: Words,
): AskedQuestion {
  const { task, cause } = about;
  const id = [kind, ...(task === null ? [] : [task]), cause].join('-');
  const offered = words.isTested ? SATISFIED_BY_TESTS : OPTIONS[kind];
  const options = offered.filter(({ effect }) => isPossible(kind, effect, words));
  return { steps: [], check: CHECKED[kind], ...words, id, kind, task, options };
}

/** What nothing follows from is not offered. */
function isPossible(
  kind: QuestionKind,
  effect: QuestionOption['effect'],
  { about = [], repair, sessionUsd, drift }: Words,
): boolean {
  if (effect === 'reopen') return about.length > 0;
  if (effect === 'allow') return drift !== undefined;
  if (kind === 'budget' && effect === 'proceed') return sessionUsd !== undefined;
  return effect !== 'repair' || repair !== undefined;
}

/** How it will be seen that the answer was true: nothing that people do lands unproven either. */
const CHECKED: Readonly<Record<QuestionKind, string>> = {
  stuck: 'the next attempt lands, or you are asked again',
  rejected: 'the same checks, on the next attempt',
  regression: 'the suite on the base, before the next session',
  attempts: 'the same checks, on the next attempt',
  sanity: 'the preflight of the next run',
  reset: 'the preflight of the next run',
  budget: 'what has been spent, before every session',
  cycle: 'the committed backlog, as soon as it changes',
  'all-done-red': 'the whole suite on the tip, at the end of the next run',
  large: 'nothing: it is your decision',
  agent: 'the agent goes on where it stopped',
  look: 'it lands only as the tree that you looked at',
  approve: 'every other check, once more; it lands only as the tree that you read',
  impossible: 'the same checks, on the next attempt',
  satisfied: 'the same command on the base, before the next attempt',
  drift: 'the same count by proofs, after further landings or by harness fidelity',
  skipped: 'the same checks, once it is taken in again; a word alone stays marked as unproven',
  unprovable:
    'the preflight, before anybody is paid; a task that is changed in the backlog goes on by itself',
};
