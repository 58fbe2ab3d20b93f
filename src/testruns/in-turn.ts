/** What has been asked already in one verification, by question. */
export interface Answers {
  readonly answers?: Map<string, Promise<unknown>> | undefined;
}

/** Asks a question once in a verification, however many checks want the answer. */
export function once<T>({ answers }: Answers, question: string, ask: () => Promise<T>): Promise<T> {
  const answer = (answers?.get(question) as Promise<T> | undefined) ?? ask();
  answers?.set(question, answer);
  return answer;
}

/** Joins whoever is asking the same at this moment; what was answered is asked anew. */
export function join<T>({ answers }: Answers, question: string, ask: () => Promise<T>): Promise<T> {
  const asked = answers?.get(question) as Promise<T> | undefined;
  if (asked !== undefined) return asked;
  const answer = ask().finally(() => answers?.delete(question));
  answers?.set(question, answer);
  return answer;
}

/** One after another for each name. */
export function inTurn<T>({ answers }: Answers, name: string, act: () => Promise<T>): Promise<T> {
  const before = answers?.get(name) ?? Promise.resolve();
  const mine = before.then(act);
  answers?.set(
    name,
    mine.catch(() => undefined),
  );
  return mine;
}
