import { describe, expect, it } from 'vitest';
import { makeId, makeProof } from '../../../test/support/proofs.ts';
import { getSha256 } from '../../adapters/process/hasher.ts';
import { findChangedTests } from '../testing/changed-tests.ts';
import { auditLanding, type LandedFacts, type ProofCopy } from './audit.ts';
import { getProofText } from './proof.ts';
import { readProof } from './read-proof.ts';

const PROOF = makeProof();
const LANDED: LandedFacts = {
  task: '1',
  attempt: 1,
  commit: makeId('9'),
  tree: makeId('c'),
  base: { commit: makeId('a'), tree: makeId('b') },
  proof: PROOF.hash,
  record: PROOF.record_hash,
};
const RECORDED = {
  commit: LANDED.commit,
  proof: { path: 'p', sha256: getSha256(getProofText(PROOF)), hash: PROOF.hash },
};

function copy(where: string, text = getProofText(PROOF)): ProofCopy {
  return { where, text, sha256: getSha256(text), ...readProof(text, getSha256) };
}

describe('an audit of one landing', () => {
  it('finds it sound when everything agrees, also where there is only the note', () => {
    const sound = { status: 'sound', problems: [] };
    expect(auditLanding(LANDED, [copy('note'), copy('file')], RECORDED)).toEqual(sound);
    expect(auditLanding(LANDED, [copy('note')], null)).toEqual(sound);
  });

  it.each<[string, Partial<LandedFacts>, string]>([
    ['the tree', { tree: makeId('d') }, 'note: tree is'],
    ['the parent', { base: { commit: makeId('d'), tree: makeId('b') } }, 'note: parent is'],
    ['the parent’s tree', { base: { commit: makeId('a'), tree: makeId('d') } }, "note: parent's tree is"],
    ['the hash it names', { proof: 'f'.repeat(64) }, 'note: hash of the proof is'],
    ['the record it names', { record: 'f'.repeat(64) }, 'note: hash of the record is'],
    ['the task', { task: '2' }, 'note: task is 1'],
    ['the attempt', { attempt: 2 }, 'note: attempt is 1'],
  ])('finds %s changed', (_, change, problem) => {
    const { status, problems } = auditLanding({ ...LANDED, ...change }, [copy('note')], null);
    expect(status).toBe('broken');
    expect(problems.join('\n')).toContain(problem);
  });

  it('finds copies that differ, a journal that says otherwise, and a proof that proves nothing', () => {
    const other = getProofText(makeProof({ durationMs: 99 }));
    const find = (...args: Parameters<typeof auditLanding>) => auditLanding(...args).problems.join('\n');
    expect(find(LANDED, [copy('note'), copy('file', other)], null)).toContain('not the same');
    expect(find(LANDED, [copy('note')], { ...RECORDED, commit: 'x' })).toContain('recorded as landed as x');
    const proof = { ...RECORDED.proof, sha256: '0' };
    expect(find(LANDED, [copy('file')], { ...RECORDED, proof })).toContain('not the file that was recorded');
    const { proof: _, ...bare } = LANDED;
    expect(find(bare, [], RECORDED)).toContain('the commit names none');
  });

  it('calls what is not here absent, and what was never proven by its name', () => {
    const { proof: _, record: __, ...bare } = LANDED;
    expect(auditLanding(LANDED, [], null).status).toBe('absent');
    expect(auditLanding(bare, [], null).status).toBe('bare');
    const word = { ...bare, unproven: 'Ada: done by hand' };
    expect(auditLanding(word, [], { commit: word.commit, proof: null }).status).toBe('unproven');
    expect(auditLanding(word, [], { commit: 'x', proof: null }).status).toBe('broken');
  });

  it('says of what a person accepted that its own tests stand for it, unless somebody’s word alone does', () => {
    const { proof: _, record: __, ...bare } = LANDED;
    const accepted = { ...bare, accepted: 'Ada: it is there' };
    const problems = ['its own tests stand for it, as accepted by Ada: it is there'];
    expect(auditLanding(accepted, [], null)).toEqual({ status: 'accepted', problems });
    expect(auditLanding(accepted, [], { commit: 'x', proof: null }).status).toBe('broken');
    expect(auditLanding({ ...accepted, unproven: 'Ada' }, [], null).status).toBe('unproven');
  });
});

describe('tests that were changed since', () => {
  const proven = [
    { task: '1', commit: 'L1', tests: { a: '1', b: '1' } },
    { task: '2', commit: 'L2', tests: { a: '2', b: '1' } },
  ];
  const touch = (commit: string, ...paths: string[]) => ({ commit, author: 'Ada', paths });

  it('are fine when a proven landing changed them, which is named', () => {
    const found = findChangedTests(proven, [touch('L2', 'a')], { a: '2', b: '1' });
    expect(found).toEqual([{ path: 'a', tasks: ['1'], commit: 'L2', author: 'Ada', byTask: '2' }]);
  });

  it('are nobody’s business once they are back as they were', () => {
    const history = [touch('L2', 'a'), touch('X', 'b'), touch('Y', 'b')];
    expect(findChangedTests(proven, history, { a: '2', b: '1' }).map(({ commit }) => commit)).toEqual(['L2']);
  });

  it.each([
    ['wherever a merge put it', [touch('X', 'b'), touch('L2', 'a')]],
    ['after all of them', [touch('L2', 'a'), touch('X', 'b')]],
  ])('by anybody else are named: %s', (_, history) => {
    const found = findChangedTests(proven, history, { a: '2' });
    const tasks = ['1', '2'];
    expect(found).toContainEqual({ path: 'b', tasks, commit: 'X', author: 'Ada', byTask: null });
  });
});
