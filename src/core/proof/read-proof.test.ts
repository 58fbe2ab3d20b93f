import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeProof } from '../../../test/support/proofs.ts';
import { getSha256 } from '../../adapters/process/hasher.ts';
import { getProofText } from './proof.ts';
import { readProof } from './read-proof.ts';

const TEXT = getProofText(makeProof());

describe('reading a proof', () => {
  it('finds nothing wrong with one that was left alone', () => {
    expect(readProof(TEXT, getSha256)).toEqual({ proof: makeProof(), problems: [] });
  });

  it('finds any byte that was changed, wherever it is', () => {
    const bytes = Buffer.from(TEXT);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const edited = Buffer.from(bytes);
        edited[at] = (edited[at] ?? 0) ^ flip;
        expect(readProof(edited.toString('utf8'), getSha256).problems).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('finds anything added or cut off', () => {
    fc.assert(
      fc.property(fc.nat(TEXT.length), fc.string({ minLength: 1, maxLength: 3 }), (at, more) => {
        const longer = TEXT.slice(0, at) + more + TEXT.slice(at);
        if (longer !== TEXT) expect(readProof(longer, getSha256).problems).not.toEqual([]);
        if (at < TEXT.length) expect(readProof(TEXT.slice(0, at), getSha256).problems).not.toEqual([]);
      }),
    );
  });

  it('is not taken in by a statement with a hash to match, only by the commit', () => {
    const proof = makeProof();
    const forged = { ...proof, record: { ...proof.record, attempt: 2 } };
    expect(readProof(getProofText(forged), getSha256).problems).toEqual([
      'its record is not what its hash says: it was edited',
    ]);
  });

  it.each([
    ['', 'it is no JSON: it was cut off or edited'],
    ['{"schema_version":2}', 'it was written by a newer Harness'],
    ['{"schema_version":1}', expect.stringContaining('it is no proof')],
  ])('says of %j what it is', (text, problem) => {
    expect(readProof(text, getSha256)).toEqual({ proof: null, problems: [problem] });
  });
});
