import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import type { CheckCase } from '../../test/support/check-bench.ts';
import { judgeForReal } from '../../test/support/real-checks.ts';
import { check, SHOP } from '../../test/support/surface-case.ts';
import { CHECK_NAMES } from '../core/model/check.ts';

const USERS = {
  'app.py': 'from shop import to_csv\n',
  'src/all.js': "import * as csv from './csv.js';\nexport const all = rows => csv.toCsv(rows);\n",
};

describe('what tests need not look at', () => {
  it.each<[string, string, string, Readonly<Record<string, string | null>>]>([
    [
      'a file that no longer parses',
      'failed',
      'src/csv.js cannot be parsed',
      { 'src/csv.js': 'export const toCsv = rows => (;\n' },
    ],
    ['a new file that does not parse', 'failed', 'cannot be parsed', { 'src/new.js': 'const = 1;\n' }],
    ['settings that do not parse', 'failed', 'cannot be parsed', { 'data/rates.json': '{ "de": 19,, }\n' }],
    ['Python that does not parse', 'failed', 'cannot be parsed', { 'tools/x.py': 'def f(:\n  pass\n' }],
    ['a file that others need', 'failed', 'imports', { 'src/csv.js': null }],
    [
      'a package that is still imported and no longer asked for',
      'failed',
      'src/left.js imports left, which package.json no longer names',
      {
        'package.json': JSON.stringify({
          name: 'shop',
          type: 'module',
          exports: './src/index.js',
          bin: { shop: 'bin/shop' },
        }),
        'src/left.js': "import left from 'left';\nexport const pad = left;\n",
      },
    ],
    [
      'a target that is no longer published',
      'failed',
      'no longer among "files"',
      {
        'package.json': JSON.stringify({
          name: 'shop',
          type: 'module',
          exports: './src/index.js',
          bin: { shop: 'bin/shop' },
          files: ['bin'],
          dependencies: { left: '1' },
        }),
      },
    ],
    [
      'a command that does not parse, though it looks like a template',
      'failed',
      'bin/new.js cannot be parsed',
      { 'package.json': '{ "bin": { "new": "bin/new.js" } }\n', 'bin/new.js': 'const a = {{ b };\n' },
    ],
    [
      'a name that a program needs',
      'failed',
      'bin/shop:2 imports toCsv',
      { 'src/index.js': "export { format } from './price.js';\n" },
    ],
    [
      'a Python name that others need',
      'failed',
      'does not have it',
      { 'shop/csv.py': 'def to_tsv():\n    pass\n' },
    ],
    [
      'what a Python package gave',
      'failed',
      'shop/report.py:3 imports to_csv from shop',
      { 'shop/__init__.py': null },
    ],
    [
      'a whole Python package that others need',
      'failed',
      'app.py:1 imports shop, which is not there',
      { 'shop/__init__.py': null, 'shop/csv.py': null, 'shop/report.py': null },
    ],
    ['a Python module that others need', 'failed', 'imports', { 'shop/csv.py': null }],
    [
      'an import of nothing',
      'failed',
      './rates.js, which is not there',
      { 'src/new.js': "import { a } from './rates.js';\n" },
    ],
    [
      'an import of a name that is not there',
      'failed',
      'does not export it',
      { 'src/new.js': "import { nope } from './price.js';\n" },
    ],
    [
      'a package that nobody declares',
      'failed',
      'right, which no package.json names',
      { 'src/new.js': "import { a } from 'right/sub';\n" },
    ],
    [
      'an entry that is gone',
      'failed',
      'is gone',
      { 'src/index.js': null, 'bin/shop': '#!/usr/bin/env node\n' },
    ],
    [
      'an import of nothing that the change itself ignores',
      'failed',
      './rates.js, which is not there',
      { 'src/new.js': "import { a } from './rates.js';\n", '.gitignore': 'src/rates.js\n*.js\n' },
    ],
    [
      'a name that others take from the whole module',
      'failed',
      'src/all.js:2 uses toCsv of ./csv.js',
      {
        'src/csv.js': 'export const toTsv = rows => rows;\n',
        'src/index.js':
          "export { format } from './price.js';\nexport * from './csv.js';\nexport const toCsv = 1;\n",
      },
    ],
    [
      'a name that the package gave',
      'needs-human',
      'no longer gives format',
      { 'src/index.js': "export * from './csv.js';\n" },
    ],
  ])('%s: %s', async (_, status, text, change) => {
    expect(await check(change, USERS)).toMatchObject({
      status,
      summary: expect.stringContaining(text),
    });
  });

  it.each<[string, Readonly<Record<string, string | null>>, Files?]>([
    [
      'a new module',
      {
        'src/new.js':
          "import fs from 'fs';\nimport { a } from 'left';\nimport { format } from './price.js';\n",
      },
    ],
    [
      'a file that moved with what imports it',
      {
        'src/csv.js': null,
        'src/out/csv.js': "export const toCsv = rows => rows.join(';');\n",
        'src/index.js': "export { format } from './price.js';\nexport * from './out/csv.js';\n",
      },
    ],
    [
      'one more export',
      {
        'src/index.js':
          "export { format } from './price.js';\nexport * from './csv.js';\nexport const more = 1;\n",
      },
    ],
    ['a name that nobody outside had', { 'src/price.js': 'export const format = cents => String(cents);\n' }],
    ['a picture', { 'assets/logo.png': '\x89PNG\r\n\x1a\n\0' }],
    [
      'TypeScript',
      {
        'src/a.ts':
          "import type { B } from './b.js';\nexport enum C { D }\nexport const f = <T,>(a: T): T => a!;\n",
        'src/b.ts': 'export interface B { a: 1 }\n',
      },
    ],
    [
      'names of types',
      { 'src/a.ts': "import { B } from './b';\nexport let b: B;\n", 'src/b.ts': 'export type B = 1;\n' },
    ],
    ['JSX and decorators', { 'src/a.tsx': '@dec export class A { @dec() b = <div style={{ a: 1 }} />; }\n' }],
    [
      'CommonJS',
      {
        'tools/a.cjs': "const { b } = require('./b.cjs');\nif (!b) return;\n",
        'tools/b.cjs': 'module.exports = { b: 1 };\n',
      },
    ],
    [
      'something optional',
      { 'src/a.js': "let x;\ntry { x = require('fast-thing'); require('./native'); } catch {}\n" },
    ],
    [
      'what git ignores',
      {
        'src/a.js': "import { version } from './version.js';\nimport { b } from './made/b.js';\n",
        'shop/a.py': 'from shop._version import version\nfrom shop import _version\n',
      },
      { '.gitignore': 'src/version.js\nmade/\n_version.py\n', 'src/made/.keep': '' },
    ],
    ['what is built', { 'src/a.ts': "import { client } from '../generated/client.js';\n" }],
    [
      'a package of the same workspace',
      { 'src/a.js': "import { b } from '@shop/b';\n" },
      { 'packages/b/package.json': '{ "name": "@shop/b" }' },
    ],
    ['a bundle', { 'tools/all.js': "load({ 1: [function (require, module) { require('./common'); }] });\n" }],
    ['a template', { 'templates/x.js': 'export const {{ name }} = 1;\n' }],
    ['a template in YAML', { 'chart/x.yaml': '{{- if .Values.a }}\na: 1\n{{- end }}\n' }],
    [
      'an old fault',
      { 'src/broken.js': 'const = 2;\n', 'src/lost.js': "import './nowhere.js';\nexport const a = 2;\n" },
      { 'src/broken.js': 'const = 1;\n', 'src/lost.js': "import './nowhere.js';\n" },
    ],
    [
      'conditions',
      { 'p/index.cjs': 'exports.a = 1; exports.b = 2;\n' },
      {
        'p/package.json': JSON.stringify({
          exports: { '.': { types: './index.d.ts', import: './index.mjs', require: './index.cjs' } },
        }),
        'p/index.cjs': 'exports.a = 1;\n',
        'p/index.mjs': 'export const a = 1;\n',
      },
    ],
    [
      'more Python',
      {
        'shop/csv.py': 'to_csv, more = list, 1\n',
        'shop/new.py':
          'import numpy\nfrom . import report\nfrom .report import csv\nfrom shop.csv import more\ntry:\n    from ._fast import go\nexcept ImportError:\n    pass\n',
      },
    ],
    [
      'a Python package that gave nothing',
      { 'lib/__init__.py': null, 'lib/b.py': 'c = 1\n' },
      {
        'lib/__init__.py': '',
        'lib/a.py': 'from lib import b\nfrom lib.b import c\n',
        'lib/b.py': 'c = 2\n',
      },
    ],
    [
      'a Python package that moved',
      {
        'shop/__init__.py': null,
        'shop/csv.py': null,
        'shop/report.py': null,
        'py/shop/__init__.py': SHOP['shop/__init__.py'] ?? '',
        'py/shop/csv.py': SHOP['shop/csv.py'] ?? '',
        'py/shop/report.py': SHOP['shop/report.py'] ?? '',
      },
    ],
    [
      'Python and YAML',
      { 'tools/x.py': 'def f(a: int) -> int:\n    return a\n', 'ci/x.yaml': 'a: [1, 2]\n---\nb: !Ref x\n' },
    ],
  ])('lets %s be', async (_, change, was) => {
    const { status, findings } = await check(change, was);
    expect([
      status,
      findings.filter(text => !/no test uses|built|template|parsed|generated/.test(text)),
    ]).toEqual([expect.stringMatching(/passed|warned/), []]);
  });
});

it('a file that git held although it ignores its folder is missed', async () => {
  const was = { '.gitignore': 'made/\n', 'src/made/a.js': '1;\n', 'src/b.js': "import './made/a.js';\n" };
  expect(await check({ 'src/made/a.js': null }, was)).toMatchObject({ status: 'failed' });
});

describe('code that no test uses', () => {
  const TEST = { 'test/price.test.js': "import { format } from '../src/price.js';\n" };

  it('is named, and holds nothing back', async () => {
    const answer: CheckCase['answer'] = () => ({ opened: ['test/price.test.js', 'src/price.js'] });
    const change = {
      'src/price.js': 'export const format = 1;\n',
      'src/csv.js': 'export const toCsv = 1;\n',
    };
    expect(await check(change, TEST, { answer })).toMatchObject({
      status: 'warned',
      findings: ['src/csv.js was changed, and no test opens it'],
    });
  });
});

describe('loading', () => {
  const without = CHECK_NAMES.filter(name => name !== 'surface');
  const base = {
    ...SHOP,
    'lib/package.json': '{ "main": "a.js" }',
    'lib/a.js': 'const names = ["b", "c"];\nfor (const name of names) exports[name] = 1;\n',
  };
  const judge = async (change: Files) =>
    (await judgeForReal({ base, change, testFile: 'test/1', without })).results[0];

  it('finds what throws, and names that only come to be when it runs', async () => {
    expect(await judge({ 'src/price.js': 'export const format = undefined();\n' })).toMatchObject({
      status: 'failed',
      summary: expect.stringContaining('no longer loads'),
    });
    expect(
      await judge({ 'lib/a.js': 'const names = ["b"];\nfor (const name of names) exports[name] = 1;\n' }),
    ).toMatchObject({
      status: 'needs-human',
      summary: expect.stringContaining('no longer gives c'),
    });
    expect(
      await judge({
        'src/price.js':
          'export const format = cents => String(cents) + 1;\nconsole.log("hi");\nsetInterval(() => 1, 1e6);\n',
      }),
    ).toMatchObject({ status: 'passed' });
  }, 60_000);

  it('asks no more of an entry that ends the process than it did before', async () => {
    const exits = { ...base, 'src/price.js': 'process.exit(3);\nexport const format = 1;\n' };
    const change = { 'src/price.js': 'process.exit(4);\nexport const format = 1;\n' };
    const { results } = await judgeForReal({ base: exits, change, testFile: 'test/1', without });
    expect(results[0]).toMatchObject({ status: 'passed' });
  }, 60_000);
});
