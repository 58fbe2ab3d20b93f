import type { ControlRequest } from '../model/facts.ts';
import type { OpenQuestion } from '../model/question.ts';

/** What people said about the project, what they are asked, and what they left. */
export interface People {
  /** What a person last said to the workers. */
  control: Control;
  /** What people are asked and have not answered, oldest first. */
  readonly questions: Map<string, OpenQuestion>;
  /** Tasks that came to a stop and that nobody has been asked about yet. */
  readonly unasked: Set<string>;
  /** Questions about the project that need not be asked again. */
  readonly waived: Set<string>;
  /** What a person lets the project cost, where that is more than the config says. */
  raisedToUsd: number;
  /** The same for each session. */
  raisedSessionToUsd: number;
  /** What people left and is known, by whom for and what it says. */
  readonly contextFiles: Set<string>;
}

/** What a person last said, and the workers who were there to hear it. */
interface Control extends ControlRequest {
  readonly workers: ReadonlySet<string>;
}

export function createPeople(): People {
  return {
    control: { mode: 'running', by: '', reason: '', workers: new Set() },
    questions: new Map(),
    unasked: new Set(),
    waived: new Set(),
    raisedToUsd: 0,
    raisedSessionToUsd: 0,
    contextFiles: new Set(),
  };
}

/** Takes away questions whose cause is gone. */
export function closeQuestions({ questions }: People, isOver: (question: OpenQuestion) => boolean): void {
  for (const question of questions.values()) if (isOver(question)) questions.delete(question.id);
}
