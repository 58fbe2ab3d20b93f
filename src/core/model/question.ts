import type { Validation } from './task.ts';

/** What a person can be asked about: ten escalations of the harness, and what else only a person can decide. */
export type QuestionKind =
  | 'stuck'
  | 'rejected'
  | 'regression'
  | 'attempts'
  | 'sanity'
  | 'reset'
  | 'budget'
  | 'cycle'
  | 'all-done-red'
  | 'large'
  /** An agent needs something. */
  | 'agent'
  /** Work has to be looked at. */
  | 'look'
  /** Work that a check leaves to a person. */
  | 'approve'
  /** Nobody can do the task as it is written. */
  | 'impossible'
  /** What should prove the task passes before any work. */
  | 'satisfied'
  /** Nothing could prove the task, or what should cannot be run. */
  | 'unprovable'
  /** A task was left out, and others build on it. */
  | 'skipped'
  /** The product is too far from what was asked for. */
  | 'drift';

/** What follows from an answer. */
export type Effect =
  | 'continue'
  | 'retry'
  | 'restart'
  | 'proceed'
  /** It counts as done, without a proof, because the base does it already. */
  | 'accept'
  | 'skip'
  | 'split'
  | 'handoff'
  | 'pass'
  | 'fail'
  | 'raise'
  /** The product may be so far from what was asked for. */
  | 'allow'
  | 'reopen'
  /** It counts as done, by a person's word alone. */
  | 'override'
  /** An agent is set on making red tests pass again. */
  | 'repair'
  | 'wait'
  | 'pause'
  | 'abort';

export interface QuestionOption {
  /** What is typed. */
  readonly key: string;
  readonly label: string;
  readonly effect: Effect;
}

/** Something that waits for a person, in the form "I need X to continue". */
export interface AskedQuestion {
  /** Always the same for the same cause: asked twice, it is there once. */
  readonly id: string;
  readonly kind: QuestionKind;
  /** The one task that waits for it, with what builds on it; null when it is about the project. */
  readonly task: string | null;
  /** Tasks that an answer about the project does something with. */
  readonly about?: readonly string[];
  readonly title: string;
  readonly what: string;
  readonly why: string;
  readonly steps: readonly string[];
  /** How it will be seen that it was done. */
  readonly check: string;
  readonly options: readonly QuestionOption[];
  /** Tests of the task's own say so: they can stand for it. */
  readonly isTested?: true;
  /** What a session cost, where that is what was too much. */
  readonly sessionUsd?: number;
  /** How far the product is from what was asked for. */
  readonly drift?: number;
  /** What an agent has to reach, where that is one of the answers. */
  readonly repair?: { readonly tests: readonly string[]; readonly check: Validation };
}

export interface OpenQuestion extends AskedQuestion {
  readonly askedAtMs: number;
}

/** As many are kept beside the index for `status`; the inbox has them all. */
export const MAX_LISTED_QUESTIONS = 20;

/** What a person said, kept for whoever works on the task next. */
export interface GivenAnswer {
  readonly question: string;
  readonly text: string;
  readonly by: string;
}

/** What people answered about a task, for the agent that goes on with it; empty when there is nothing. */
export function getAnswersText({ answers }: { readonly answers: readonly GivenAnswer[] }): string {
  if (answers.length === 0) return '';
  const lines = answers
    .slice(-MAX_SHOWN)
    .flatMap(({ question, text, by }) => [`- Asked: ${question}`, `  ${by} answered: ${text}`]);
  return ['## What people answered', '', ...lines].join('\n');
}

const MAX_SHOWN = 5;
