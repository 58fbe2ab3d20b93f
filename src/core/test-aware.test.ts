import { describe, expect, it } from 'vitest';
import { getTestAwareLines } from './test-aware.ts';

function judge(path: string, text: string): 'clean' | 'told' | 'refused' {
  const lines = text.split('\n').map((_, i) => i + 1);
  const found = getTestAwareLines(path, text, lines);
  if (found.length === 0) return 'clean';
  return found.every(line => line.isMild) ? 'told' : 'refused';
}

describe('lines that ask who is watching', () => {
  it.each<[string, string]>([
    ['src/a.js', 'if (process.env.VITEST) return 5;'],
    ['src/a.js', 'const w = process.env.VITEST_WORKER_ID'],
    ['src/a.ts', "const inTest = process.env['JEST_WORKER_ID'] !== undefined;"],
    ['src/a.mjs', 'if ("NODE_TEST_CONTEXT" in process.env) install();'],
    ['app/a.py', "if os.environ.get('PYTEST_CURRENT_TEST'): return 5"],
    ['src/a.js', 'globalThis.__vitest_worker__.state'],
    ['src/a.js', 'const e = globalThis.expect;'],
    ['src/a.js', "global['it']('x', () => {})"],
    ['src/a.js', "if (typeof describe !== 'undefined') cheat();"],
    ['src/a.js', "if (typeof jest === 'object') return;"],
    ['src/a.js', "import { expect } from 'vitest';"],
    ['src/a.cjs', "const test = require('node:test');"],
    ['src/a.js', "const { expect } = await import('@jest/globals');"],
    ['src/a.js', "import chai from 'chai'"],
    ['src/a.js', "process.getBuiltinModule('node:test')"],
    ['src/a.js', 'expect.extend({ toBe: () => ({ pass: true }) })'],
    ['src/a.js', "Symbol.for('$$jest-matchers-object')"],
    ['src/a.js', "if (process.argv.some(a => a.includes('vitest'))) cheat()"],
    ['src/a.js', "if (process.execArgv.includes('--test')) cheat()"],
    ['src/a.js', "readFileSync('test/sum.test.js', 'utf8')"],
    ['src/a.ts', 'const answers = new URL("../test/sum.test.ts", import.meta.url)'],
    ['src/a.js', "readdirSync('tests').forEach(read)"],
    ['src/a.js', "process.on('exit', () => { process.exitCode = 0 })"],
    ['src/a.js', "process.once('exit', () => {\n  fix();\n  process.exitCode = 0;\n});"],
    ['src/a.js', "process.on('beforeExit', () => process.exit(0))"],
    ['src/a.js', 'process.exit = () => {};'],
    ['src/a.js', 'process.reallyExit(0)'],
    ['src/a.js', "Object.defineProperty(process, 'exitCode', { get: () => 0 })"],
    ['src/a.js', 'Module._load = (...args) => fake'],
    ['src/a.js', 'require.cache[key] = { exports: fake }'],
    ['src/a.js', 'assert.strictEqual = () => {};'],
    ['src/a.js', 'assert.strict.deepEqual = () => {};'],
    ['src/a.js', "require('node:assert').equal = () => {}"],
    ['src/a.js', 'Object.assign(assert, { equal() {} })'],
    ['src/a.js', 'Object.is = () => true;'],
    ['src/a.js', 'chai.Assertion.prototype.assert = () => {}'],
    ['src/a.js', "if (new Error().stack.includes('.test.js')) return 5;"],
    ['src/a.js', 'if (/sum\\.test\\.ts/.exec(new Error().stack)) return 5;'],
    ['src/a.js', "readFileSync('/proc/self/cmdline')"],
    ['src/a.js', 'readFileSync(`/proc/$' + '{process.ppid}/cmdline`)'],
    ['src/a.js', "const p = process.ppid;\nexec('cat /proc/' + p + '/environ')"],
    ['app/a.py', 'import pytest'],
    ['app/a.py', 'from unittest.mock import patch'],
    ['app/a.py', 'from _pytest.reports import TestReport'],
    ['app/a.py', "if 'pytest' in sys.modules: return 5"],
    ['app/a.py', "mod = sys.modules['pytest']"],
    ['app/a.py', "sys.modules.get('_pytest.runner')"],
    ['app/a.py', "importlib.import_module('_pytest.assertion')"],
    ['app/a.py', "if any('pytest' in a for a in sys.argv): cheat()"],
    ['app/a.py', "open('tests/test_sum.py').read()"],
    ['app/a.py', "Path('test_sum.py').read_text()"],
    ['app/a.py', 'for f in inspect.stack():\n    if f.function.startswith("test_"): return 5'],
    ['app/a.py', 'return sys._getframe(1).f_back.f_locals["expected"]'],
    ['app/a.py', 'builtins.AssertionError = Quiet'],
    ['app/a.py', 'unittest.TestCase.assertEqual = lambda *a: None'],
    ['app/a.py', 'setattr(unittest.TestCase, "assertEqual", quiet)'],
    ['app/a.py', 'atexit.register(lambda: os._exit(0))'],
    ['app/a.py', "sys.modules['shop.sum'] = fake"],
    ['app/a.py', "open('/proc/self/cmdline').read()"],
    ['app/a.py', 'def pytest_runtest_makereport(item, call): pass'],
  ])('%s: %s is refused', (path, text) => {
    expect(judge(path, text)).toBe('refused');
  });

  it.each<[string, string]>([
    ['src/cli.js', 'process.exit(0);'],
    ['src/cli.js', 'process.exitCode = failed ? 1 : 0;'],
    ['src/cli.js', "process.on('exit', () => rmSync(dir, { recursive: true }));"],
    ['src/cli.js', "process.on('exit', () => { if (leaked) process.exitCode = 1; });"],
    ['src/cli.js', 'const [, , command] = process.argv;'],
    ['src/a.js', "const isProduction = process.env.NODE_ENV === 'production';"],
    ['src/a.js', "import { Tester } from 'tester';"],
    ['src/a.js', "import { tap } from 'rxjs';"],
    ['src/a.js', "import tested from './tested.js';"],
    ['src/contest/a.js', "import { rank } from '../contest/rank.js';"],
    ['src/a.js', 'if (/^a+$/.test(error.stack)) throw error;'],
    ['src/a.js', 'logger.error(error.stack);'],
    ['src/a.js', 'const latest = versions.at(-1);'],
    ['src/a.js', "// under VITEST this is slower: import { it } from 'vitest'"],
    ['src/a.js', ' * reads test/sum.test.js in the process'],
    ['src/a.js', "readFileSync('/proc/self/cgroup', 'utf8')"],
    ['src/a.js', 'readFileSync(`/proc/$' + '{pid}/stat`)'],
    ['src/a.js', "const specs = readdirSync('specs');"],
    ['src/a.js', 'const it = list[Symbol.iterator]();'],
    ['src/a.js', "if (typeof it === 'function') return it();"],
    ['src/a.js', 'function expect(token) { if (peek() !== token) fail(); }'],
    ['src/a.js', 'expectType(1); expectedValue = 2;'],
    ['src/a.js', "import assert from 'node:assert'; assert.equal(a, b);"],
    ['src/a.js', 'export function assert(value) { if (!value) throw new Error(); }'],
    ['src/a.js', 'const keys = Object.keys(row);'],
    ['src/a.js', 'if (Object.is(a, b)) return true;'],
    ['src/a.js', 'Foo.prototype.toString = function () { return this.name; };'],
    ['src/a.js', "const files = paths.filter(path => !path.endsWith('.test.js'));"],
    ['src/a.js', "exclude: ['**/*.test.ts'],"],
    ['src/a.js', 'const attest = user.attest(); const protest = 1;'],
    ['src/a.js', 'delete require.cache[require.resolve(path)];'],
    ['src/test-utils.ts', "import { vi } from 'vitest';"],
    ['src/mocks/server.ts', "import { vi } from 'vitest'; export const f = vi.fn();"],
    ['src/Button.stories.tsx', "import { within } from '@testing-library/dom';"],
    ['app/a.py', 'import inspect\nname = inspect.stack()[1].function'],
    ['app/a.py', 'import latest_version'],
    ['app/a.py', 'from contest import rank'],
    ['app/a.py', 'raise AssertionError("no such row")'],
    ['app/a.py', 'sys.exit(main())'],
    ['app/a.py', 'sys.argv[1:]'],
    ['app/a.py', 'sys.modules[__name__] = Lazy()'],
    ['app/a.py', "with open('data/tests.csv') as f: pass"],
    ['app/a.py', 'atexit.register(cleanup)'],
    ['app/a.py', '# pytest is run with PYTEST_ADDOPTS'],
    ['app/a.py', 'import doctest'],
    ['app/testing/helpers.py', 'import pytest'],
    ['app/a.py', 'def test_connection(self): return self.ping()'],
    ['app/a.py', 'result.asserted = x == 1'],
    ['README.md', 'process.env.VITEST'],
    ['src/a.css', '.test { color: red }'],
    ['main.go', 'os.Getenv("PYTEST_CURRENT_TEST")'],
  ])('%s: %s is clean', (path, text) => {
    expect(judge(path, text)).toBe('clean');
  });

  it.each<[string, string]>([
    ['src/a.js', "const level = process.env.NODE_ENV === 'test' ? 'silent' : 'info';"],
    ['app/a.py', 'os._exit(0)'],
    ['app/a.py', 'def __eq__(self, other):\n    return True'],
  ])('%s: %s is told and no more', (path, text) => {
    expect(judge(path, text)).toBe('told');
  });

  it('sees only the lines it is asked about, and names them', () => {
    const text = 'process.env.VITEST;\nconst a = 1;\nprocess.env.VITEST;';
    expect(getTestAwareLines('src/a.js', text, [2, 3])).toEqual([
      { line: 3, text: 'process.env.VITEST;', why: 'asks whether it is under test', isMild: false },
    ]);
  });
});
