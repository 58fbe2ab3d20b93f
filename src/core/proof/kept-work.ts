import { getAttemptRef } from './commit-message.ts';

interface Kept {
  readonly name: string;
  readonly commit: string;
}

interface Candidate {
  readonly commit: string;
}

interface Attempt {
  readonly task: string;
  readonly number: number;
  readonly candidate: Candidate | null;
  readonly landing: string | null;
  readonly resumes: { readonly attempt: number | null } | null;
}

interface Task {
  readonly held: { readonly candidate: Candidate } | null;
}

/** What the records name of an attempt's work, and where it is kept: without it, nobody can go on with the attempt. */
export function getKeptWork(attempt: Attempt, { held }: Task): readonly Kept[] {
  const { task, number, candidate, landing, resumes } = attempt;
  const name = getAttemptRef(task, number);
  const own = [candidate?.commit, landing].flatMap(commit => commit ?? []).map(commit => ({ name, commit }));
  if (!held || typeof resumes?.attempt !== 'number') return own;
  return [...own, { name: getAttemptRef(task, resumes.attempt), commit: held.candidate.commit }];
}
