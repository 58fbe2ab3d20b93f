import type { CheckContext } from './context.ts';

/** Asks a question once in a verification, however many checks want the answer. */
export function once<T>(
  { answers }: Pick<CheckContext, 'answers'>,
  question: string,
  ask: () => Promise<T>,
): Promise<T> {
  const answer = (answers?.get(question) as Promise<T> | undefined) ?? ask();
  answers?.set(question, answer);
  return answer;
}
