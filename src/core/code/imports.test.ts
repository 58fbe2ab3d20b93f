import { describe, expect, it } from 'vitest';
import { canScan, findTouched, getImportGraph, getImports } from './imports.ts';

/** Which test files a change of these files touches. */
function touch(files: Readonly<Record<string, string>>, ...changed: string[]): readonly string[] {
  const imports = new Map(
    Object.entries(files)
      .filter(([path]) => canScan(path))
      .map(([path, text]) => [path, getImports(path, text)]),
  );
  const graph = getImportGraph(imports, new Set(Object.keys(files)));
  const tests = Object.keys(files).filter(path => /test/.test(path));
  return [...findTouched(graph, tests, new Set(changed))];
}

const SCRIPTS = {
  'src/core.ts': 'export const core = 1;',
  'src/mid.ts': "import { core } from './core.js';",
  'src/lazy.js': "const it = await import('./mid');",
  'src/lib/index.ts': "export * from '../core.ts';",
  'src/far.ts': 'export const far = 1;',
  'test/core.test.ts': "import { core } from '../src/core';",
  'test/mid.test.ts': 'import type { x } from "../src/mid.ts";',
  'test/lazy.test.js': "const lazy = require('../src/lazy');",
  'test/lib.test.ts': "import '../src/lib';",
  'test/alias.test.ts': "import { x } from '@/mid';",
  'test/far.test.ts': "import { far } from '../src/far'; import { test } from 'node:test';",
};

describe('what a change touches', () => {
  it('is every test that imports it, however far away and in whatever way', () => {
    expect(touch(SCRIPTS, 'src/core.ts')).toEqual([
      'test/core.test.ts',
      'test/mid.test.ts',
      'test/lazy.test.js',
      'test/lib.test.ts',
      'test/alias.test.ts',
    ]);
  });

  it('is little where few use it, and nothing where nobody does', () => {
    expect(touch(SCRIPTS, 'src/far.ts')).toEqual(['test/far.test.ts']);
    expect(touch(SCRIPTS, 'README.md')).toEqual([]);
    expect(touch(SCRIPTS, 'test/far.test.ts')).toEqual(['test/far.test.ts']);
  });

  it('is everything that goes through names which only a setting can resolve', () => {
    const files = { ...SCRIPTS, 'test/hash.test.ts': "import x from '#lib';" };
    expect(touch(files, 'src/far.ts')).toEqual(['test/far.test.ts', 'test/hash.test.ts']);
  });

  it.each([
    ['a.js', 'for (const file of files) await import(new URL(file, dir));', true],
    ['a.js', 'module.exports = require(path.join(dir, name));', true],
    ['a.js', "const all = import.meta.glob('./plugins/*.js');", true],
    ['a.py', 'importlib.util.spec_from_file_location(name, path)', true],
    ['a.js', "const { a } = await import('./a.js'); require('b'); super.require();", false],
    ['a.ts', "type A = typeof import('./a.ts');", false],
  ])('could be anything where a module is chosen later: %s %s', (path, text, isWide) => {
    expect(getImports(path, text).isWide).toBe(isWide);
  });

  it('is every test that names the file in its text', () => {
    const files = {
      'src/main.js': '',
      'test/data/in.json': '',
      'test/a.test.js': "spawn('node', ['src/main.js'])",
      'test/b.test.js': "readFileSync(new URL('./data/in.json', import.meta.url))",
      'tests/test_c.py': 'open("test/data/in.json")',
    };
    const touchCode = (path: string) => touch(files, path).filter(canScan);
    expect(touchCode('src/main.js')).toEqual(['test/a.test.js']);
    expect(touchCode('test/data/in.json')).toEqual(['test/b.test.js', 'tests/test_c.py']);
  });

  it('is every test in a language that is not understood', () => {
    expect(touch({ 'a_test.go': '', 'a.go': '' }, 'b.go')).toEqual(['a_test.go']);
  });

  it('follows the modules of Python', () => {
    const files = {
      'app/__init__.py': '',
      'app/core.py': 'X = 1',
      'app/mid.py': 'from .core import X',
      'app/deep/__init__.py': '',
      'app/deep/leaf.py': 'from ..mid import (\n  X,\n)',
      'app/other.py': 'import os, json',
      'tests/test_core.py': 'from app import core',
      'tests/test_mid.py': 'import app.mid as m  # the middle',
      'tests/test_leaf.py': 'from app.deep.leaf import X',
      'tests/test_other.py': 'def test():\n    from app.other import y',
    };
    const all = ['tests/test_core.py', 'tests/test_mid.py', 'tests/test_leaf.py'];
    expect(touch(files, 'app/core.py')).toEqual(all);
    expect(touch(files, 'app/other.py')).toEqual(['tests/test_other.py']);
    expect(touch(files, 'app/__init__.py')).toEqual([...all, 'tests/test_other.py']);
  });

  it('goes round a circle once', () => {
    const files = { 'a.js': "import './b.js'", 'b.js': "import './a.js'", 'a.test.js': "import './b.js'" };
    expect(touch(files, 'a.js')).toEqual(['a.test.js']);
  });
});
