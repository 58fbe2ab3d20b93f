// biome-ignore-all lint/suspicious/noTemplateCurlyInString: programs of other languages
import type { Sample } from './sample.ts';

/** How one runner's tests look: one test of a function that is to be in `from`. */
type Render = (
  fn: string,
  cases: readonly (readonly [input: number, output: number])[],
  from: string,
) => string;

const CASES = {
  next: [
    [1, 2],
    [41, 42],
  ],
  double: [
    [2, 4],
    [7, 14],
    [-3, -6],
  ],
} as const;

const each = (
  fn: string,
  cases: Parameters<Render>[1],
  check: (call: string, output: number) => string,
): string => cases.map(([input, output]) => `  ${check(`${fn}(${input})`, output)}\n`).join('');

const assertEqual = (call: string, output: number) => `assert.equal(${call}, ${output})`;
const ASSERT = "import assert from 'node:assert/strict'\n";

const inNode: Render = (fn, cases, from) =>
  `${ASSERT}import { test } from 'node:test'\nimport { ${fn} } from '${from}'\n\ntest('${fn}', () => {\n${each(fn, cases, assertEqual)}})\n`;
const inMocha: Render = (fn, cases, from) =>
  `/* eslint-env mocha */\n${ASSERT}import { ${fn} } from '${from}'\n\nit('${fn}', () => {\n${each(fn, cases, assertEqual)}})\n`;
const inVitest: Render = (fn, cases, from) =>
  `import { expect, test } from 'vitest'\nimport { ${fn} } from '${from}'\n\ntest('${fn}', () => {\n${each(fn, cases, (call, output) => `expect(${call}).toBe(${output})`)}})\n`;
const inBun: Render = (...args) => inVitest(...args).replace("'vitest'", "'bun:test'");
const inPlaywright: Render = (...args) => inVitest(...args).replace("'vitest'", "'@playwright/test'");
const inJest: Render = (fn, cases, from) =>
  `const { ${fn} } = require('${from}')\n\ntest('${fn}', () => {\n${each(fn, cases, (call, output) => `expect(${call}).toBe(${output})`)}})\n`;
const inJasmine: Render = (fn, cases, from) =>
  `import { ${fn} } from '${from}'\n\ndescribe('${fn}', () => {\n  it('works', () => {\n${each(fn, cases, (call, output) => `expect(${call}).toBe(${output})`)}  })\n})\n`;
const inAva: Render = (fn, cases, from) =>
  `import test from 'ava';\nimport {${fn}} from '${from}';\n\ntest('${fn}', t => {\n${each(fn, cases, (call, output) => `t.is(${call}, ${output});`).replaceAll('  t.', '\tt.')}});\n`;
const inTape: Render = (fn, cases, from) =>
  `import test from 'tape'\nimport { ${fn} } from '${from}'\n\ntest('${fn}', t => {\n${each(fn, cases, (call, output) => `t.equal(${call}, ${output})`)}  t.end()\n})\n`;
const inTap: Render = (...args) =>
  inTape(...args).replace("import test from 'tape'", "import { test } from 'tap'");
const inUvu: Render = (fn, cases, from) =>
  `import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\nimport { ${fn} } from '${from}'\n\ntest('${fn}', () => {\n${each(fn, cases, (call, output) => `assert.is(${call}, ${output})`)}})\n\ntest.run()\n`;
const inDeno: Render = (fn, cases, from) =>
  `import { ${fn} } from '${from}';\n\nDeno.test('${fn}', () => {\n${each(fn, cases, (call, output) => `if (${call} !== ${output}) throw new Error('not ${output}');`)}});\n`;
const inScript: Render = (fn, cases, from) =>
  `${ASSERT}import { ${fn} } from '${from}'\n\n${each(fn, cases, assertEqual).replaceAll('  ', '')}`;

interface Shape {
  readonly render: Render;
  readonly manifest?: object | null;
  readonly testPath?: (fn: string) => string;
  readonly folder?: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly isCommonJs?: boolean;
  readonly needs?: readonly string[];
  readonly from?: string;
}

const getSource = (fn: string, body: string, isCommonJs: boolean): string =>
  isCommonJs
    ? `exports.${fn} = value => ${body}\n`
    : `export function ${fn} (value) {\n  return ${body}\n}\n`;

function make(name: string, shape: Shape): Sample {
  const {
    render,
    manifest,
    folder = '',
    more = {},
    isCommonJs = false,
    needs = ['npm --version'],
    from,
  } = shape;
  const getPath = shape.testPath ?? ((fn: string) => `test/${fn}.test.js`);
  const getImport = (fn: string) => `${'../'.repeat(getPath(fn).split('/').length - 1) || './'}src/${fn}.js`;
  const toTest = (fn: keyof typeof CASES) =>
    [`${folder}${getPath(fn)}`, render(fn, CASES[fn], getImport(fn))] as const;
  const [path, text] = toTest('next');
  const type = isCommonJs ? {} : { type: 'module' };
  const json =
    manifest && `${JSON.stringify({ name: 'till', version: '1.0.0', ...type, ...manifest }, null, 2)}\n`;
  return {
    name,
    needs,
    files: {
      ...(json ? { [`${folder}package.json`]: json } : {}),
      [`${folder}src/next.js`]: getSource('next', 'value + 1', isCommonJs),
      [path]: text,
      '.gitignore': 'node_modules/\n.nyc_output/\ncoverage/\n.tap/\n',
      ...more,
    },
    test: toTest('double'),
    work: { [`${folder}src/double.js`]: getSource('double', 'value * 2', isCommonJs) },
    ...(from === undefined ? {} : { from }),
  };
}

const dev = (test: string, devDependencies: Readonly<Record<string, string>>, scripts: object = {}) => ({
  scripts: { test, ...scripts },
  devDependencies,
});
const workflow = (...runs: readonly string[]): Readonly<Record<string, string>> => ({
  '.github/workflows/ci.yml': `on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n${runs.map(run => `      - run: ${run}\n`).join('')}`,
});
const spec = (folder: string) => (fn: string) => `${folder}/${fn}.spec.js`;

const DRIVER = `import Mocha from 'mocha'
import { readdirSync } from 'node:fs'

const mocha = new Mocha({ reporter: 'dot' })
for (const name of readdirSync('checks')) mocha.addFile(\`checks/\${name}\`)
await mocha.loadFilesAsync()
mocha.run(failures => { process.exitCode = failures > 0 ? 1 : 0 })
`;
const BUILD = `import { cpSync } from 'node:fs'

cpSync('src', 'dist', { recursive: true })
`;

/** JavaScript: every runner and package manager, builds before tests, workspaces and folders. */
export const NODE_SAMPLES: readonly Sample[] = [
  make('node-test', { render: inNode, manifest: { scripts: { test: 'node --test' } } }),
  make('node-pretest', {
    render: (fn, cases, from) => inNode(fn, cases, from.replace('src', 'dist')),
    manifest: { scripts: { pretest: 'node build.js', test: 'node --test test/*.js' } },
    more: { 'build.js': BUILD, '.gitignore': 'dist/\n' },
  }),
  make('node-script', {
    render: inScript,
    manifest: { scripts: { test: 'node test/all.js' } },
    more: {
      'test/all.js':
        "import { readdirSync } from 'node:fs'\n\nfor (const name of readdirSync('test')) if (name !== 'all.js') await import(`./${name}`)\n",
    },
  }),
  make('mocha', { render: inMocha, manifest: dev('mocha --recursive test', { mocha: '^10.0.0' }) }),
  make('mocha-nyc-standard', {
    render: inMocha,
    manifest: dev('standard && nyc --reporter=text mocha test/*.js', {
      mocha: '^10.0.0',
      nyc: '^17.0.0',
      standard: '^17.0.0',
    }),
  }),
  make('mocha-driven', {
    render: inMocha,
    manifest: dev('nyc node run.js', { mocha: '^10.0.0', nyc: '^17.0.0' }),
    testPath: fn => `checks/${fn}.js`,
    more: { 'run.js': DRIVER },
  }),
  make('mocha-yarn', {
    render: inMocha,
    manifest: { ...dev('mocha', { mocha: '^10.0.0' }), packageManager: 'yarn@1.22.22' },
    needs: ['yarn --version'],
  }),
  make('jest', { render: inJest, isCommonJs: true, manifest: dev('jest --coverage', { jest: '^29.0.0' }) }),
  make('vitest', { render: inVitest, manifest: dev('vitest', { vitest: '^3.0.0' }) }),
  make('vitest-pnpm-oxlint', {
    render: inVitest,
    manifest: {
      ...dev('vitest run', { vitest: '^3.0.0', oxlint: '^1.0.0' }, { lint: 'oxlint' }),
      packageManager: 'pnpm@9.0.0',
    },
    needs: ['pnpm --version'],
  }),
  make('ava-xo', { render: inAva, manifest: dev('xo && ava', { ava: '^6.0.0', xo: '^0.60.0' }) }),
  make('tap', { render: inTap, manifest: dev('tap --no-coverage test/*.js', { tap: '^16.0.0' }) }),
  make('tape', {
    render: inTape,
    manifest: dev('tape "test/*.js" | tap-spec', { tape: '^5.0.0', 'tap-spec': '^5.0.0' }),
  }),
  make('uvu', { render: inUvu, manifest: dev('uvu test', { uvu: '^0.5.0' }) }),
  make('jasmine', {
    render: inJasmine,
    manifest: dev('jasmine', { jasmine: '^5.0.0' }),
    testPath: spec('spec'),
    more: { 'spec/support/jasmine.json': '{ "spec_dir": "spec", "spec_files": ["**/*.spec.js"] }\n' },
  }),
  make('playwright', {
    render: inPlaywright,
    manifest: dev('playwright test', { '@playwright/test': '^1.40.0' }),
    testPath: spec('tests'),
  }),
  make('bun', { render: inBun, manifest: { scripts: { test: 'bun test' } }, needs: ['bun --version'] }),
  make('deno', {
    render: inDeno,
    manifest: null,
    testPath: fn => `test/${fn}_test.js`,
    more: { 'deno.json': '{ "tasks": { "test": "deno test" } }\n' },
    needs: ['deno --version'],
  }),
  make('biome-build', {
    render: inNode,
    manifest: dev(
      'node --test',
      { '@biomejs/biome': '^2.0.0' },
      { build: 'node build.js', typecheck: 'node --check src/next.js' },
    ),
    more: {
      'build.js': BUILD,
      '.gitignore': 'dist/\nnode_modules/\n',
      'biome.json': '{ "formatter": { "enabled": false } }\n',
    },
  }),
  make('workspaces', {
    render: inNode,
    folder: 'packages/one/',
    manifest: { scripts: { test: 'node --test' } },
    more: {
      'package.json':
        '{ "name": "all", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces --if-present" } }\n',
    },
  }),
  make('workspaces-mixed', {
    render: inNode,
    folder: 'packages/one/',
    manifest: { scripts: { test: 'node --test' } },
    more: {
      'package.json':
        '{ "name": "all", "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces --if-present" } }\n',
      'packages/two/package.json':
        '{ "name": "two", "version": "1.0.0", "scripts": { "test": "node check.js" } }\n',
      'packages/two/check.js': '',
    },
  }),
  make('folder', {
    render: inNode,
    folder: 'web/',
    manifest: { scripts: { test: 'node --test' } },
    from: 'web',
  }),
  make('pipeline-install', {
    render: inMocha,
    manifest: {
      ...dev('mocha', { mocha: '^10.0.0', 'react-dom': '17.0.2', react: '18.3.1' }),
    },
    more: workflow('npm install --legacy-peer-deps', 'npm test'),
  }),
];
