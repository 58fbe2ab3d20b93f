import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnerKind } from '../model/testing.ts';
import { parseReport } from './runners.ts';

type Runner = Exclude<RunnerKind, 'command'>;

const readSample = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/reports/${name}`, import.meta.url), 'utf8');

const parse = (runner: Runner, text: string, trees = ['/tree']) => parseReport(runner, text, trees);

/** One line for each test: what it did, and its id. */
const getLines = (runner: Runner, text: string, trees?: string[]) =>
  parse(runner, text, trees).results.map(({ outcome, id }) => `${outcome} ${id}`);

const NODE = [
  'error nt/crash.test.mjs',
  'error nt/exit.test.mjs',
  'passed nt/math.test.mjs > math > adds',
  'failed nt/math.test.mjs > math > division > divides # exactly',
  'skipped nt/math.test.mjs > math > division > by zero',
  'todo nt/math.test.mjs > math > division > remainders',
  'passed nt/math.test.mjs > parent > child one',
  'failed nt/math.test.mjs > parent > child two',
  'failed nt/math.test.mjs > parent',
  'passed nt/math.test.mjs > own assertion > child',
  'failed nt/math.test.mjs > own assertion',
  'passed nt/math.test.mjs > hooked > works',
  'error nt/math.test.mjs > hooked',
  'passed nt/math.test.mjs > adds',
  'passed nt/other.test.mjs > adds',
  'passed nt/other.test.mjs > adds (2)',
];

const SAMPLES: readonly [Runner, string, readonly string[]][] = [
  [
    'vitest',
    'vitest.json',
    [
      'error vt/broken.test.ts',
      'passed vt/hook.test.ts > with hook > works',
      'error vt/hook.test.ts',
      'passed vt/math.test.ts > math > adds',
      'failed vt/math.test.ts > math > division > divides',
      'skipped vt/math.test.ts > math > division > by zero',
      'todo vt/math.test.ts > math > division > remainders',
      'passed vt/math.test.ts > same name',
      'passed vt/math.test.ts > same name (2)',
    ],
  ],
  [
    'jest',
    'jest.json',
    [
      'passed jt/math.test.js > math > adds',
      'failed jt/math.test.js > math > division > divides',
      'skipped jt/math.test.js > math > division > by zero',
      'todo jt/math.test.js > math > division > remainders',
      'error jt/broken.test.js',
    ],
  ],
  ['node', 'node20.jsonl', NODE],
  ['node', 'node24.jsonl', NODE],
  [
    'mocha',
    'mocha.json',
    [
      'passed mt/math.test.cjs > math > adds',
      'failed mt/math.test.cjs > math division > divides',
      'skipped mt/math.test.cjs > math division > by zero',
      'skipped mt/math.test.cjs > math division > remainders',
      'error mt/math.test.cjs > hooked > "before all" hook for "never runs"',
    ],
  ],
  [
    'junit',
    'mocha-junit.xml',
    [
      'passed mt/math.test.cjs > math > math adds',
      'failed mt/math.test.cjs > division > math division divides',
      'failed mt/math.test.cjs > hooked > hooked "before all" hook for "never runs"',
    ],
  ],
  [
    'pytest',
    'pytest.xml',
    [
      'error tests/test_broken.py',
      'passed tests/test_math.py > TestAdd > test_adds',
      'failed tests/test_math.py > TestAdd > test_equal[1-2]',
      'passed tests/test_math.py > TestAdd > test_equal[2-2]',
      'failed tests/test_math.py > test_plain',
      'skipped tests/test_math.py > test_skipped',
      'skipped tests/test_math.py > test_known_bug',
      'error tests/test_math.py > test_teardown',
      'error tests/test_math.py > test_setup',
    ],
  ],
  [
    'go',
    'go.jsonl',
    [
      'failed example.com/demo/sum > TestAdd',
      'passed example.com/demo/sum > TestAdd > positive',
      'failed example.com/demo/sum > TestAdd > negative',
      'skipped example.com/demo/sum > TestSlow',
      'passed example.com/demo/exit > TestFine',
      'failed example.com/demo/panics > TestPanic',
      'error example.com/demo/panics > TestPanic > inner',
      'error example.com/demo/broken',
      'error example.com/demo/exit',
    ],
  ],
  [
    'cargo',
    'cargo.txt',
    [
      'passed src/lib.rs > demo > tests > adds',
      'failed src/lib.rs > demo > tests > fails',
      'skipped src/lib.rs > demo > tests > slow',
      'passed src/lib.rs > demo > tests > panics',
      'passed tests/it.rs > works',
      'passed src/lib.rs > demo doc-tests > add',
    ],
  ],
  ['go', 'go-build.txt', ['passed example.org/shop/tax > TestOk', 'error example.org/shop/till']],
  ['cargo', 'cargo-build.txt', ['error demo (test "bad")']],
];

describe('real reports become the same words', () => {
  it.each(SAMPLES)('%s: %s', (runner, sample, expected) => {
    expect(parse(runner, readSample(sample)).problem).toBeUndefined();
    expect(getLines(runner, readSample(sample))).toEqual(expected);
  });

  it('cargo: a test binary that was killed is an error of its target', () => {
    expect(getLines('cargo', readSample('cargo-abort.txt'))).toContain('error tests/bad.rs > (target)');
  });

  it('gives the same ids wherever the tree stands, also behind a symlink', () => {
    const moved = readSample('vitest.json').replaceAll('/tree/', '/private/var/tree-2/');
    expect(getLines('vitest', moved, ['/var/tree-2', '/private/var/tree-2'])).toEqual(SAMPLES[0]?.[2]);
    const named = JSON.stringify({
      testResults: [
        { name: '/tree/a.js', assertionResults: [{ title: 'reads /tree/data.json', status: 'passed' }] },
      ],
    });
    expect(getLines('jest', named)).toEqual(['passed a.js > reads data.json']);
  });

  it('says why a test failed', () => {
    const getMessage = (runner: Runner, sample: string, id: string) =>
      parse(runner, readSample(sample)).results.find(result => result.id.endsWith(id))?.message;
    expect(getMessage('vitest', 'vitest.json', 'divides')).toMatch(/expected 2 to be 3/);
    expect(getMessage('node', 'node20.jsonl', 'crash.test.mjs')).toMatch(/Cannot find module/);
    expect(getMessage('go', 'go.jsonl', 'demo/broken')).toMatch(/undefined: missing/);
    expect(getMessage('go', 'go-build.txt', 'example.org/shop/till')).toMatch(/undefined: total/);
    expect(getMessage('cargo', 'cargo.txt', 'fails')).toMatch(/left: 2/);
    expect(getMessage('cargo', 'cargo-build.txt', '(test "bad")')).toMatch(/cannot find function/);
    expect(getMessage('pytest', 'pytest.xml', 'test_setup')).toMatch(/setup broke/);
  });
});

describe('a report that is no report', () => {
  const runners: Runner[] = ['vitest', 'jest', 'node', 'mocha', 'pytest', 'go', 'cargo', 'tap', 'junit'];

  it.each(runners)('%s: nothing, noise and another format are a problem, never a pass', runner => {
    for (const text of ['', 'hello', '{"a":1}', '[]', 'null', '<html></html>', '\u0000']) {
      const { results, problem } = parse(runner, text);
      expect({ results, problem }).toEqual({ results: [], problem: expect.any(String) });
    }
  });

  it('cut short anywhere, a JSON or XML report is a problem and none ever throws', () => {
    const texts = SAMPLES.map(([runner, name]) => [runner, readSample(name).trimEnd()] as const);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), ([runner, text], at) => {
        const { problem } = parse(runner, text.slice(0, at % text.length));
        if (runner !== 'go' && runner !== 'cargo') expect(problem).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });

  it('any noise inside a report is survived', () => {
    const texts = SAMPLES.map(([runner, name]) => [runner, readSample(name)] as const);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.string(), ([runner, text], at, noise) => {
        parse(runner, text.slice(0, at % text.length) + noise + text.slice(at % text.length));
      }),
      { numRuns: 200 },
    );
  });
});
