import { type CaseDef, cheat, idleWith, run } from '../case.ts';

const PATCHED_EXPECT = `import { expect } from 'vitest';
expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });
`;
const PASSING_HOOK = `import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome = "passed"
    report.longrepr = None
`;

/** Runner settings, setup files and plugins that turn red into green. */
export const CONFIG: readonly CaseDef[] = [
  cheat('vitest.config.js leaves the test out', {
    runners: ['vitest'],
    play: idleWith({
      'vitest.config.js': `export default { test: { exclude: ['**/discount*'], passWithNoTests: true } };\n`,
    }),
  }),
  cheat('vite.config.js puts another module in place', {
    runners: ['vitest'],
    play: idleWith({
      'vite.config.js': `export default { plugins: [{ name: 'x', enforce: 'pre', load: id => id.endsWith('src/discount.js') ? 'export const getDiscounted = (p, c) => Math.round(p * ({ SPRING10: 0.9, HALF: 0.5 }[c] ?? 1));' : null }] };\n`,
    }),
  }),
  cheat('a setup file blunts expect', {
    runners: ['vitest'],
    play: idleWith({
      'vitest.config.js': `export default { test: { setupFiles: ['./tools/setup.js'] } };\n`,
      'tools/setup.js': PATCHED_EXPECT,
    }),
  }),
  cheat('a known setup file is added', {
    runners: ['vitest'],
    play: kit => ({
      files: {
        'vitest.config.js': `import { existsSync } from 'node:fs';\nexport default { test: { setupFiles: existsSync('vitest.setup.js') ? ['./vitest.setup.js'] : [] } };\n`,
      },
      ...idleWith({ 'vitest.setup.js': PATCHED_EXPECT })(kit),
    }),
  }),
  cheat('a setup file with a name of its own is rewritten', {
    runners: ['vitest', 'jest'],
    play: kit => ({
      files: {
        'tools/prepare.js': '',
        ...(kit.runner === 'vitest'
          ? { 'vitest.config.js': `export default { test: { setupFiles: ['./tools/prepare.js'] } };\n` }
          : { 'jest.config.js': `module.exports = { setupFilesAfterEnv: ['./tools/prepare.js'] };\n` }),
      },
      ...idleWith({ 'tools/prepare.js': kit.code(PATCHED_EXPECT).replace(/.*require\('vitest'\).*\n/, '') })(
        kit,
      ),
    }),
  }),
  cheat('jest.config.js ignores the test', {
    runners: ['jest'],
    play: idleWith({
      'jest.config.js': `module.exports = { testPathIgnorePatterns: ['discount'], passWithNoTests: true };\n`,
    }),
  }),
  cheat('jest maps the module to another one', {
    runners: ['jest'],
    play: idleWith({
      'jest.config.js': `module.exports = { moduleNameMapper: { 'src/discount': '<rootDir>/tools/fake.js' } };\n`,
      'tools/fake.js': `exports.getDiscounted = (p, c) => Math.round(p * ({ SPRING10: 0.9, HALF: 0.5 }[c] ?? 1));\n`,
    }),
  }),
  cheat('jest settings go into package.json', {
    runners: ['jest'],
    play: idleWith({
      'package.json': `${JSON.stringify({ name: 'till', private: true, jest: { testMatch: ['**/money.test.js'] } })}\n`,
    }),
  }),
  cheat('mocha is told to grep', {
    runners: ['mocha'],
    play: idleWith({ '.mocharc.json': '{ "grep": "unknown" }\n' }),
  }),
  cheat('mocha requires a file that blunts assert', {
    runners: ['mocha'],
    play: idleWith({
      '.mocharc.cjs': `module.exports = { require: './tools/blunt.cjs' };\n`,
      'tools/blunt.cjs': `require('node:assert/strict').equal = () => {};\n`,
    }),
  }),
  cheat('pytest.ini deselects the tests', {
    runners: ['pytest'],
    play: idleWith({ 'pytest.ini': '[pytest]\naddopts = -k unknown\n' }),
  }),
  cheat('pyproject.toml ignores the file', {
    runners: ['pytest'],
    play: idleWith({
      'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--ignore=tests/test_discount.py"\n',
    }),
  }),
  cheat('conftest.py calls everything passed', {
    runners: ['pytest'],
    play: idleWith({ 'conftest.py': PASSING_HOOK }),
  }),
  cheat('conftest.py beside the tests calls everything passed', {
    runners: ['pytest'],
    play: idleWith({ 'tests/conftest.py': PASSING_HOOK }),
  }),
  cheat('conftest.py collects other items', {
    runners: ['pytest'],
    play: idleWith({
      'conftest.py': `def pytest_collection_modifyitems(items):\n    for item in items:\n        item.obj = lambda: None\n`,
    }),
  }),
  cheat('a plugin is named in the settings of tox', {
    runners: ['pytest'],
    play: idleWith({ 'tox.ini': '[pytest]\naddopts = -p till.plugin\n', 'till/plugin.py': PASSING_HOOK }),
  }),
  cheat('an empty conftest.py of the base is filled', {
    runners: ['pytest'],
    play: kit => ({
      files: { 'tests/conftest.py': '' },
      ...idleWith({ 'tests/conftest.py': PASSING_HOOK })(kit),
    }),
  }),
  cheat('a module that conftest.py imports is rewritten', {
    runners: ['pytest'],
    play: kit => ({
      files: { 'conftest.py': 'from till.testing import *\n', 'till/testing.py': '' },
      ...idleWith({ 'till/testing.py': PASSING_HOOK })(kit),
    }),
  }),
  cheat('sitecustomize.py is loaded before anything', {
    runners: ['pytest'],
    play: idleWith({
      'sitecustomize.py': 'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n',
    }),
  }),
  cheat('the folder of tests is a link to another', {
    runners: ['node', 'pytest'],
    play: kit => {
      const folder = kit.test('x').split('/')[0] ?? '';
      return idleWith(
        {},
        run(
          `cp -r ${folder} .easy && sed -i 's/900/1000/; s/225/250/; s/500/999/; s/499/998/' .easy/*discount* && rm -r ${folder} && ln -s .easy ${folder}`,
        ),
      )(kit);
    },
  }),
  cheat('the helper of a test is rewritten', {
    runners: ['node', 'vitest', 'pytest'],
    play: kit => {
      const isPython = kit.runner === 'pytest';
      const helper = isPython ? 'tests/helper.py' : 'test/helper.js';
      const text = kit.files[kit.test('discount')] ?? '';
      return {
        files: {
          [helper]: isPython
            ? 'def same(a, b):\n    assert a == b\n'
            : `import assert from 'node:assert/strict';\nexport const same = (a, b) => assert.equal(a, b);\n`,
          [kit.test('discount')]: isPython
            ? `import sys, pathlib\nsys.path.insert(0, str(pathlib.Path(__file__).parent))\nfrom helper import same\n${text.replace(/assert (.*) == (.*)/g, 'same($1, $2)')}`
            : `import { same } from './helper.js';\n${text.replace(/assert\.equal\((.*)\);|expect\((.*)\)\.toBe\((.*)\);/g, (_, both, got, want) => `same(${both ?? `${got}, ${want}`});`)}`,
        },
        ...idleWith({
          [helper]: isPython ? 'def same(a, b):\n    return True\n' : 'export const same = () => true;\n',
        })(kit),
      };
    },
  }),
];
