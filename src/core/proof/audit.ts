import type { ProofRef } from '../model/facts.ts';
import type { FoundProof } from './read-proof.ts';

/** A landed commit as the history has it. */
export interface LandedFacts {
  readonly task: string;
  readonly attempt: number;
  readonly commit: string;
  readonly tree: string;
  readonly base: { readonly commit: string; readonly tree: string } | null;
  readonly proof?: string;
  readonly record?: string;
  readonly unproven?: string;
  readonly accepted?: string;
}

/** One copy of a proof. */
export interface ProofCopy extends FoundProof {
  readonly where: string;
  readonly text: string;
  readonly sha256: string;
}

/** What this machine has recorded of a landing; the journal of another clone knows nothing of it. */
export interface RecordedLanding {
  readonly commit: string;
  readonly proof: ProofRef | null;
}

export interface Audited {
  /**
   * `sound`: all copies are what the commit says. `broken`: something was edited. `absent`: the proof is
   * not here to be looked at. `unproven`: landed by a person's word, and says so. `accepted`: its own tests stand
   * for it, which passed before any work, and a person said so. `bare`: landed without a proof and without anybody's word.
   */
  readonly status: 'sound' | 'broken' | 'absent' | 'unproven' | 'accepted' | 'bare';
  readonly problems: readonly string[];
}

/** Holds a landed commit, the copies of its proof and the journal against each other. */
export function auditLanding(
  landed: LandedFacts,
  copies: readonly ProofCopy[],
  recorded: RecordedLanding | null,
): Audited {
  const { unproven, accepted, proof } = landed;
  if (proof === undefined && (unproven ?? accepted) !== undefined) {
    const edited = getCommitProblems(landed, recorded);
    if (edited.length > 0) return { status: 'broken', problems: edited };
    // Whoever wrote both says less with the word alone.
    if (unproven !== undefined) return { status: 'unproven', problems: [`by the word of ${unproven}`] };
    return { status: 'accepted', problems: [`its own tests stand for it, as accepted by ${accepted}`] };
  }
  const problems = [
    ...copies.flatMap(copy => getCopyProblems(landed, copy)),
    ...getDisagreements(copies),
    ...getJournalProblems(landed, copies, recorded),
  ];
  if (problems.length > 0) return { status: 'broken', problems };
  if (proof === undefined) return { status: 'bare', problems: ['its commit names no proof'] };
  if (copies.length > 0) return { status: 'sound', problems };
  return { status: 'absent', problems: [`the proof ${landed.proof} is not here`] };
}

/** Whether a landing without a proof says openly that a person vouched for it. */
export function isVouched({ status }: Pick<Audited, 'status'>): boolean {
  return status === 'unproven' || status === 'accepted';
}

function getCopyProblems(landed: LandedFacts, { where, proof, problems }: ProofCopy): string[] {
  const own = problems.map(problem => `${where}: ${problem}`);
  if (proof === null || own.length > 0) return own;
  const { statement, record } = proof;
  const facts: readonly (readonly [string, string | number | undefined, string | number | undefined])[] = [
    ['hash of the proof', landed.proof, proof.hash],
    ['hash of the record', landed.record, proof.record_hash],
    ['task', landed.task, statement.task.id],
    ['attempt', landed.attempt, record.attempt],
    ['tree', landed.tree, statement.candidate.tree],
    ['parent', landed.base?.commit, statement.base.commit],
    ["parent's tree", landed.base?.tree, statement.base.tree],
    ['verdict', 'proven', statement.verdict.word],
  ];
  return facts
    .filter(([, expected, found]) => expected !== found)
    .map(
      ([name, expected, found]) =>
        `${where}: ${name} is ${found}, the landed commit has ${expected ?? 'none'}`,
    );
}

function getDisagreements(copies: readonly ProofCopy[]): string[] {
  const [first, ...others] = copies;
  return others
    .filter(other => other.text !== first?.text)
    .map(other => `${first?.where} and ${other.where} are not the same`);
}

function getJournalProblems(
  landed: LandedFacts,
  copies: readonly ProofCopy[],
  recorded: RecordedLanding | null,
): string[] {
  const problems = getCommitProblems(landed, recorded);
  const proof = recorded?.proof ?? null;
  if (proof === null) return problems;
  if (proof.hash !== landed.proof)
    problems.push(
      `proof ${proof.hash ?? 'without a hash'} was recorded, the commit names ${landed.proof ?? 'none'}`,
    );
  for (const copy of copies)
    if (copy.sha256 !== proof.sha256) problems.push(`${copy.where}: it is not the file that was recorded`);
  return problems;
}

function getCommitProblems(landed: LandedFacts, recorded: RecordedLanding | null): string[] {
  if (recorded === null || recorded.commit === landed.commit) return [];
  return [`it was recorded as landed as ${recorded.commit}, the history has ${landed.commit}`];
}
