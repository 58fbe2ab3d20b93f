import { getCanonicalJson, getProofText, getStatementHash, type Sha256 } from './proof.ts';
import { type Proof, proofSchema } from './proof-schema.ts';

/** A proof as it was found somewhere, and everything that is wrong with it in itself. */
export interface FoundProof {
  /** Null when it cannot be read at all. */
  readonly proof: Proof | null;
  readonly problems: readonly string[];
}

/** Reads a proof and believes nothing in it: it must be what its own hashes say, to the byte. */
export function readProof(text: string, sha256: Sha256): FoundProof {
  const parsed = parse(text);
  if (typeof parsed === 'string') return { proof: null, problems: [parsed] };
  const problems: string[] = [];
  if (getStatementHash(parsed.statement, sha256) !== parsed.hash)
    problems.push('its statement is not what its hash says: it was edited');
  if (sha256(getCanonicalJson(parsed.record)) !== parsed.record_hash)
    problems.push('its record is not what its hash says: it was edited');
  if (problems.length === 0 && getProofText(parsed) !== text)
    problems.push('it is not written as proofs are: it was edited');
  return { proof: parsed, problems };
}

function parse(text: string): Proof | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is no JSON: it was cut off or edited';
  }
  if (isNewer(value)) return 'it was written by a newer Harness';
  const result = proofSchema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return `it is no proof: ${issue?.path.join('.') || 'the whole'}: ${issue?.message ?? 'unknown'}`;
}

function isNewer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('schema_version' in value)) return false;
  return typeof value.schema_version === 'number' && value.schema_version > 1;
}
