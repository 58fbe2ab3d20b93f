import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTask } from '../../../test/support/history.ts';
import {
  makeId as id,
  makeStatementInput as makeInput,
  makeProof,
  makeRun,
} from '../../../test/support/proofs.ts';
import { getSha256 as sha256 } from '../../adapters/process/hasher.ts';
import { getCanonicalJson, getProofText, getStatement, type StatementInput } from './proof.ts';

describe('canonical JSON', () => {
  it('spells equal values alike, in whatever order they were made', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(getCanonicalJson(turned)).toBe(getCanonicalJson(value));
        expect(JSON.parse(getCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('a statement', () => {
  it('names tests and protected files, and not the source or the backlog', () => {
    const { files } = getStatement(makeInput(), sha256);
    expect(files).toEqual({
      tests: { 'test/1': id('1') },
      protected: { 'package.json': id('2') },
      lockfiles: {},
    });
  });

  it('lists what came out before, and of the rest only what changed', () => {
    const runs = [
      makeRun('suite, base', [
        { id: 'b', outcome: 'passed' },
        { id: 'a', outcome: 'passed' },
        { id: 'gone', outcome: 'failed' },
      ]),
      makeRun('suite, candidate', [
        { id: 'a', outcome: 'passed' },
        { id: 'b', outcome: 'failed' },
        { id: 'new', outcome: 'passed' },
      ]),
    ];
    expect(getStatement(makeInput({ runs }), sha256).tests.suite).toEqual({
      before: { passed: ['a', 'b'], failed: ['gone'] },
      changes: [
        { id: 'b', before: 'passed', after: 'failed' },
        { id: 'gone', before: 'failed', after: null },
        { id: 'new', before: null, after: 'passed' },
      ],
    });
  });

  it('calls a test flaky when runs on the same bytes disagree', () => {
    const runs = (['passed', 'failed', 'passed'] as const).map(outcome =>
      makeRun('own tests, candidate', [{ id: 'x', outcome }]),
    );
    expect(getStatement(makeInput({ runs }), sha256).tests.own.after).toEqual({ flaky: ['x'] });
  });

  it('changes with what decides a task, and not with its place in the queue', () => {
    const state = (task: Partial<StatementInput['task']>) =>
      getStatement(makeInput({ task: { ...makeTask('1'), ...task } }), sha256).task.definition;
    expect(state({ priority: 7, size: 'large', maxAttempts: 9 })).toBe(state({}));
    expect(state({ tags: ['auth/login'] })).toBe(state({}));
    expect(state({ mayChange: ['**'] })).not.toBe(state({}));
  });
});

describe('a proof', () => {
  it('is known by the hash of its statement alone', () => {
    const proof = makeProof();
    expect(proof.hash).toBe(sha256(getCanonicalJson(proof.statement)));
    expect(getProofText(proof)).toBe(`${JSON.stringify(JSON.parse(getProofText(proof)), null, 2)}\n`);
  });

  it('keeps to itself what only people may know, and names what was looked at', () => {
    const told = {
      summary: 's',
      findings: ['hidden.test.js > x: failed'],
      commands: ['test hidden'],
      durationMs: 1,
    };
    const hashes = { 'hidden.test.js': '0' };
    const artifacts = [{ path: 'shot.png', sha256: 'f'.repeat(64) }];
    const checks = [
      { check: 'held-out', status: 'failed', ...told, hashes, private: true },
      { check: 'visual', status: 'passed', ...told, findings: [], artifacts },
    ] as const;
    const { record, statement } = makeProof({ checks });
    expect(record.checks[0]).toMatchObject({ findings: [], commands: [], hashes });
    expect(record.screenshots).toEqual(artifacts);
    expect(statement.checks).toEqual([]);
  });
});
