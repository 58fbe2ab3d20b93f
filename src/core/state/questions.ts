import type { OpenQuestion } from '../model/question.ts';
import type { State } from './state.ts';

/** Takes away questions whose cause is gone. */
export function closeQuestions(state: State, isOver: (question: OpenQuestion) => boolean): void {
  for (const question of state.questions.values()) if (isOver(question)) state.questions.delete(question.id);
}
