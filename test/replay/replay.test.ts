import { expect, inject, test } from 'vitest';
import { runPlainGit } from '../../demo/plain-git.ts';
import { applyEdits } from '../honest/project.ts';
import { makeTempDir } from '../support/git-fixture.ts';
import { type Changed, isGiven, rankTestFiles } from './commit.ts';
import type { Played } from './play-commit.ts';
import { type Replay, replayRepository } from './replay-repository.ts';
import { getBench, getSummary } from './summary.ts';
import { getWork, takeHunks } from './variants.ts';

const file = (path: string, addedLines = 1): Changed => ({ path, isGone: false, addedLines });

test('tests, what lies beside them and what is the owner’s are told from source by their paths', () => {
  const given = [
    'ip_test.go',
    'tests/tests.rs',
    'lib/__tests__/a.js',
    'test.js',
    'tests/data/a.toml',
    'go.sum',
  ];
  expect(given.filter(isGiven)).toEqual(given);
  const source = ['ip.go', 'src/lib.rs', 'lib/contest.js', 'latest.py', 'README.md', 'package.json'];
  expect(source.filter(isGiven)).toEqual([]);
});

test('the task names the test file with most new lines before the others, and none where only data was changed', () => {
  const given = [file('a_test.go', 3), file('b_test.go', 40), file('testdata/big.go', 400)];
  expect(rankTestFiles(given)).toEqual(['b_test.go', 'a_test.go']);
  expect(rankTestFiles([file('test/matter.js', 2), file('test/fixtures/x.js', 30)])).toEqual([
    'test/matter.js',
  ]);
  expect(rankTestFiles([file('tests/data/valid/x.toml', 9), file('yarn.lock')])).toEqual([]);
});

test('hunks are taken one by one, and all of them make the change', () => {
  const [before, after] = ['a\nb\nc\nd\ne\n', 'a\nB\nc\nd\nE\nf\n'];
  expect(takeHunks(before, after, () => true)).toEqual([after, 2]);
  expect(takeHunks(before, after, () => false)).toEqual([before, 2]);
  expect(takeHunks(before, after, at => at === 0)).toEqual(['a\nB\nc\nd\ne\n', 2]);
});

test('a change is broken in three ways, each as far as there is something to break', () => {
  const work = {
    before: new Map([['a.js', 'one()\ntwo()\n']]),
    after: new Map([['a.js', '// a === b\none(x === 1)\ntwo()\nthree()\n']]),
  };
  expect(getWork(work, 'whole')?.write['a.js']).toBe(work.after.get('a.js'));
  expect(getWork(work, 'halved')?.write['a.js']).toBe('// a === b\none(x === 1)\ntwo()\n');
  expect(getWork(work, 'flipped')?.write['a.js']).toContain('one(x !== 1)');
  expect(Object.keys(getWork(work, 'left out')?.write ?? {})).not.toContain('a.js');
  const plain = { before: new Map(), after: new Map([['a.md', 'a === b\n']]) };
  expect([getWork(plain, 'halved'), getWork(plain, 'flipped')]).toEqual([null, null]);
});

const PLAYED: Played = {
  ...{ how: 'whole', end: 'landed', check: null, reason: '', isCharged: false },
  ...{ baselineSeconds: 2, verdictSeconds: 4, runSeconds: 9 },
};
const REPLAY: Replay = {
  ...{ repository: 'r', commit: 'c', testFile: 't', isFirst: true, played: PLAYED, broken: [] },
  own: { isValid: true, command: 'npm test', reason: '', suiteSeconds: 2 },
};

test('whoever is charged or rejected for valid work is blamed wrongly, and only that', () => {
  const end = (more: object): Replay => ({ ...REPLAY, played: { ...PLAYED, end: 'rejected', ...more } });
  const summary = getSummary([
    REPLAY,
    end({}),
    end({ end: 'inconclusive', isCharged: true }),
    end({ end: 'needs-human' }),
    { ...end({}), own: { ...REPLAY.own, isValid: false } },
    { ...REPLAY, broken: [{ ...PLAYED, isWrong: true }] },
  ]);
  expect(summary).toMatchObject({ played: 6, valid: 5, landed: 2, wrongBlame: 2, brokenLanded: 1 });
});

test('the first task of a clone pays for the measuring of its base', () => {
  const bench = getBench([REPLAY, { ...REPLAY, isFirst: false }]);
  expect(bench).toMatchObject({ first: 3, later: 2 });
});

const WHO = ['-c', 'user.name=Owner', '-c', 'user.email=owner@example.org'];
const TESTS = "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n";

test('a commit is played, lands, and lands neither left out nor broken', async () => {
  const dir = makeTempDir();
  const commit = async (write: Record<string, string>): Promise<string> => {
    applyEdits(dir, { write, remove: [] });
    await runPlainGit(dir, ['add', '-A']);
    await runPlainGit(dir, [...WHO, 'commit', '-q', '-m', 'Work']);
    return (await runPlainGit(dir, ['rev-parse', 'HEAD'])).trim();
  };
  await runPlainGit(dir, ['init', '-q', '-b', 'main']);
  await commit({
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
    'sum.js': 'export const add = (a, b) => a + b;\n',
    'test/sum.test.js': `${TESTS}import { add } from '../sum.js'\ntest('adds', () => assert.equal(add(1, 2), 3))\n`,
  });
  const id = await commit({
    'sum.js':
      'export const add = (a, b) => a + b;\n\nexport function clamp(a, b) {\n  return a < b ? a : b;\n}\n',
    'test/sum.test.js': `${TESTS}import { add, clamp } from '../sum.js'\ntest('adds', () => assert.equal(add(1, 2), 3))\ntest('clamps', () => assert.equal(clamp(3, 2), 2))\n`,
  });
  const options = {
    root: makeTempDir(),
    program: inject('harnessProgram'),
    breaks: ['left out', 'flipped'] as const,
  };
  const [replay] = await replayRepository(dir, [id], options, () => undefined);
  expect(replay).toMatchObject({
    testFile: 'test/sum.test.js',
    own: { isValid: true, command: 'npm test' },
    played: { end: 'landed' },
    broken: [
      { how: 'left out', end: 'rejected' },
      { how: 'flipped', end: 'rejected', isWrong: false },
    ],
  });
}, 240_000);
