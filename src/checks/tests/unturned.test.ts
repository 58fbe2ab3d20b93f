import { describe, expect, it } from 'vitest';
import type { Files } from '../../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext } from '../../../test/support/check-bench.ts';
import type { TestRun } from '../../core/model/testing.ts';
import type { Mutant, Sources } from '../../ports/index.ts';
import { mutation } from '../mutation.ts';
import { readUnturned } from './unturned.ts';

/** The task's test is green from the start. */
const DONE: Files = { ...BASE, 'src/1': 'good' };
const { 'test/1': _, ...NO_TEST } = DONE;

/** Red where any file says `broken`, and on what a case adds. */
const answer = (_request: unknown, files: Files): Partial<TestRun> => {
  const outcome = Object.values(files).includes('broken') ? 'failed' : 'passed';
  return { results: [{ id: 'test/1', outcome }], opened: ['src/1', 'test/1'] };
};

const broken: Mutant = { kind: 'single', text: 'broken', line: 1, what: 'it broke' };
const ignored: Mutant = { kind: 'single', text: 'ignored', line: 1, what: 'nobody saw' };

async function judge(given: CheckCase, mutants: readonly Mutant[] | null, isSame = false) {
  const { ctx } = await createCheckContext({ answer, base: DONE, ...given });
  const sources: Sources = {
    alterTest: async () => null,
    readNames: async () => null,
    mutate: async () => mutants,
    isSameCode: async () => isSame,
  };
  const asked = { ...ctx, ports: { ...ctx.ports, sources } };
  return { kind: await readUnturned(asked), ...(await mutation(asked)) };
}

describe('a refactoring', () => {
  const given: CheckCase = { candidate: { ...DONE, 'src/1': 'other' } };

  it('is held where a test notices that what was changed is broken', async () => {
    expect(await judge(given, [ignored, broken])).toMatchObject({ kind: 'unchanged', status: 'passed' });
  });

  it('is put before a person where no test does, with the place', async () => {
    const result = await judge(given, [ignored]);
    expect(result).toMatchObject({ kind: 'unchanged', status: 'needs-human' });
    expect(result.findings).toEqual(['src/1:1 can be broken without a test that notices']);
  });

  it('needs no test where the code is the same in another layout', async () => {
    expect(await judge(given, [ignored], true)).toMatchObject({ status: 'passed' });
  });

  it('is for a person where nothing may be broken', async () => {
    const off = { ...given, policy: { mutation: { mutants: 0, budgetMs: 1 } } };
    expect(await judge(off, [broken])).toMatchObject({ status: 'needs-human' });
  });

  it('is none where a test was changed as well, or the task’s test was red before', async () => {
    const both: CheckCase = { candidate: { ...DONE, 'src/1': 'other', 'test/1': 'assert 2' } };
    expect((await judge(both, [broken])).kind).toBeNull();
    const red: CheckCase = { base: { ...DONE, 'src/1': 'broken' }, candidate: DONE };
    expect((await judge(red, [broken])).kind).toBeNull();
  });
});

describe('new tests for code that is there', () => {
  const given: CheckCase = { base: NO_TEST, candidate: { ...NO_TEST, 'test/1': "import '../src/1';" } };

  it('count where they notice that the code they use is broken', async () => {
    expect(await judge(given, [ignored, broken])).toMatchObject({ kind: 'tests', status: 'passed' });
  });

  it('are refused where they notice nothing', async () => {
    const result = await judge(given, [ignored]);
    expect(result).toMatchObject({ kind: 'tests', status: 'failed' });
    expect(result.findings).toEqual(['the tests still pass when in src/1:1 nobody saw']);
  });

  it('are for a person where nothing they use can be broken', async () => {
    expect(await judge(given, null)).toMatchObject({ kind: 'tests', status: 'needs-human' });
  });
});

it('tests alone prove no task that names none: what its validation runs cannot be asked what it notices', async () => {
  const validation = { command: 'test test/1', timeoutSeconds: 9 };
  const given: CheckCase = {
    base: NO_TEST,
    candidate: DONE,
    task: { testFile: null, validation },
    policy: { testsBy: 'coder' },
  };
  const { kind, status, summary } = await judge(given, [broken]);
  expect([kind, status]).toEqual(['tests', 'needs-human']);
  expect(summary).toContain('none of them can be run alone');
  const code: CheckCase = { ...given, candidate: { ...DONE, 'src/2': 'good' } };
  expect((await judge(code, [broken])).kind).toBeNull();
});
