import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNames } from '../../../adapters/artifacts/log-file.ts';
import { getSha256 } from '../../../adapters/process/hasher.ts';
import { getSafeName } from '../../../core/proof/commit-message.ts';
import { type FoundProof, readProof } from '../../../core/proof/read-proof.ts';
import type { Landed } from './landed.ts';

/** Where a proof was found: with its commit, or in the state directory. */
export interface LocatedProof extends FoundProof {
  readonly where: string;
  readonly text: string;
}

/** The proof that came with a landed commit; the file of this machine where the note was not fetched. */
export function findLandedProof(stateDir: string, landed: Landed): LocatedProof | null {
  if (landed.note !== null) return locate('the note on the commit', landed.note);
  return readProofFile(stateDir, landed.task, landed.attempt);
}

/** The proof of one attempt as a file, where there is one. */
export function readProofFile(stateDir: string, task: string, attempt: number): LocatedProof | null {
  const path = join('proofs', `task-${getSafeName(task)}-attempt-${attempt}.json`);
  try {
    return locate(path, readFileSync(join(stateDir, path), 'utf8'));
  } catch {
    return null;
  }
}

/** The newest proof of a task that has not landed. */
export function findLastProof(stateDir: string, task: string): LocatedProof | null {
  const prefix = `task-${getSafeName(task)}-attempt-`;
  const numbers = readNames(join(stateDir, 'proofs'))
    .filter(name => name.startsWith(prefix))
    .map(name => Number.parseInt(name.slice(prefix.length), 10))
    .filter(Number.isSafeInteger);
  return numbers.length === 0 ? null : readProofFile(stateDir, task, Math.max(...numbers));
}

function locate(where: string, text: string): LocatedProof {
  return { where, text, ...readProof(text, getSha256) };
}
