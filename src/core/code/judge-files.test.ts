import { describe, expect, it } from 'vitest';
import { getImportGraph, getImports } from './imports.ts';
import { createJudgeFiles } from './judge-files.ts';

/** Files with what they import; those with `.test.` in their name are collected. */
function open(files: Readonly<Record<string, readonly string[]>>, entries: readonly string[] = []) {
  const texts = Object.entries(files).map(
    ([path, specs]) => [path, specs.map(spec => `import '${spec}';`).join('\n')] as const,
  );
  const imports = new Map(texts.map(([path, text]) => [path, getImports(path, text)]));
  const graph = getImportGraph(imports, new Set(Object.keys(files)));
  const tests = new Set(Object.keys(files).filter(path => path.includes('.test.')));
  return createJudgeFiles({ tests, graph, entries: new Set(entries) });
}

describe('what belongs to the tests', () => {
  it.each<[string, Record<string, readonly string[]>, string, boolean]>([
    [
      'a helper in a folder of tests',
      { 'test/a.test.js': ['../src/a.js', './kit.js'], 'test/kit.js': [], 'src/a.js': [] },
      'test/kit.js',
      true,
    ],
    [
      'a folder below it',
      { 'test/a.test.js': ['../src/a.js', './kit/one.js'], 'test/kit/one.js': [], 'src/a.js': [] },
      'test/kit/one.js',
      true,
    ],
    ['data below it', { 'test/a.test.js': ['../src/a.js'], 'src/a.js': [] }, 'test/data/a.json', true],
    ['what is tested, beside its test', { 'src/a.test.js': ['./a.js'], 'src/a.js': [] }, 'src/a.js', false],
    [
      'its neighbour',
      {
        'src/a.test.js': ['./a.js', '../env.js'],
        'src/a.js': [],
        'src/b.js': [],
        'env.js': [],
        'src/b.test.js': ['./b.js'],
      },
      'src/b.js',
      false,
    ],
    [
      'a folder that the product leans on',
      { 'spec/a.test.js': ['../src/a.js'], 'spec/api.js': [], 'src/a.js': ['../spec/api.js'] },
      'spec/api.js',
      false,
    ],
    [
      'one that it names by an alias',
      {
        'spec/a.test.js': ['../src/a.js'],
        'spec/api.js': [],
        'src/a.js': ['#spec/api'],
        'src/b.js': ['~shop/api'],
      },
      'spec/api.js',
      false,
    ],
    [
      'a folder without tests',
      { 'test/a.test.js': ['../src/a.js'], 'src/a.js': [], 'src/e2e/seal.js': [] },
      'src/e2e/seal.js',
      false,
    ],
    ['a Go test', {}, 'pkg/sum_test.go', true],
    ['a file of that name in another language', {}, 'src/ab_test.js', false],
  ])('%s', (_, files, path, isOfTests) => {
    expect(open(files).isOfTests(path)).toBe(isOfTests);
  });

  it('knows who leans on a file, at whatever distance', () => {
    const judge = open(
      {
        'test/a.test.js': ['../lib/same.js', '../src/index.js'],
        'lib/same.js': ['./deep.js'],
        'lib/deep.js': [],
        'src/index.js': ['./a.js'],
        'src/a.js': [],
        'src/main.js': ['./b.js'],
        'src/b.js': [],
      },
      ['src/index.js'],
    );
    expect(['lib/same.js', 'lib/deep.js', 'src/a.js', 'src/b.js', 'src/main.js'].map(judge.getUsers)).toEqual(
      [...['tests', 'tests', 'product', 'product', 'nobody']],
    );
    expect(judge.getTestsOf('lib/deep.js')).toEqual(['test/a.test.js']);
    expect([judge.getNamers('lib/deep.js').length > 0, judge.getNamers('lib/same.js').length > 0]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the tests of a file', () => {
  it.each<[string, Record<string, readonly string[]>, string, readonly string[]]>([
    [
      'by an alias',
      { 'a.test.js': ['~lib/tax.rules'], 'lib/tax.rules.js': [] },
      'lib/tax.rules.js',
      ['a.test.js'],
    ],
    [
      'not those that import the runner whose settings load it',
      { 'a.test.js': ['shop'], 'shop.config.js': ['./kit/set-up.js'], 'kit/set-up.js': [] },
      'kit/set-up.js',
      [],
    ],
  ])('%s', (_, files, path, tests) => {
    expect(open(files).getTestsOf(path)).toEqual(tests);
  });
});
