import type { Attempt } from './attempt.ts';

/** Proven, or a person's word that will be shown as such for good. */
export function mayLand(attempt: Attempt): boolean {
  if (attempt.isAuthor) return false;
  return isProven(attempt) || (attempt.candidate !== null && Boolean(attempt.takesUp?.override));
}

/** The one question landing hangs on: proven, and proven on exactly these bytes. */
export function isProven(attempt: Attempt): boolean {
  return (
    attempt.verdict?.word === 'proven' &&
    attempt.judged !== null &&
    attempt.judged.tree === attempt.candidate?.tree
  );
}
