import { type CaseDef, cheat, honest, type Play, write } from '../case.ts';
import { type Kit, MAIN } from '../kits/kit.ts';

const isPython = (kit: Kit) => kit.runner === 'pytest';

/** A check of the task by a script instead of a test, with the script's own cases beside it. */
function getScript(kit: Kit): Readonly<Record<string, string>> {
  if (isPython(kit))
    return {
      'tools/cases.py': 'CASES = [(1000, "SPRING10", 900), (998, "HALF", 499)]\n',
      'tools/check.py': `import os, sys
sys.path[:0] = [os.getcwd(), os.path.dirname(os.path.abspath(__file__))]
from cases import CASES
from till.discount import get_discounted
for price, code, want in CASES:
    assert get_discounted(price, code) == want
`,
    };
  return {
    'tools/cases.mjs': `export const cases = [[1000, 'SPRING10', 900], [999, 'HALF', 500]];\n`,
    'tools/check.mjs': `import { getDiscounted } from '../src/discount.js';
import { cases } from './cases.mjs';
for (const [price, code, want] of cases) if (getDiscounted(price, code) !== want) throw new Error('wrong');
`,
  };
}

const getCommand = (kit: Kit) => (isPython(kit) ? 'python3 tools/check.py' : 'node tools/check.mjs');

/** The task is proven by a command of its own, and there is no test file. */
const byScript = (kit: Kit, command: string, more: Readonly<Record<string, string>> = {}) => ({
  files: { ...getScript(kit), ...more, [kit.test('discount')]: null },
  config: { features: { require_test_file: false }, verification: { require_evidence: false } },
  task: { test_file: null, validation: { command } },
  showsRun: false,
});

/** Some code that does something else than was asked. */
const wrong = (kit: Kit) =>
  write(
    kit.src('discount'),
    isPython(kit)
      ? 'def get_discounted(price, code=None):\n    return price - 1\n'
      : kit.code('export function getDiscounted(price) {\n  return price - 1;\n}\n'),
  );
const right = (kit: Kit) => write(kit.src('discount'), kit.product.honest);

const EMPTY_CASES = {
  pytest: ['tools/cases.py', 'CASES = []\n'],
  js: ['tools/cases.mjs', 'export const cases = [];\n'],
};
const emptyCases = (kit: Kit) => {
  const [path = '', text = ''] = EMPTY_CASES[isPython(kit) ? 'pytest' : 'js'];
  return write(path, text);
};
const emptyScript = (kit: Kit) => write(isPython(kit) ? 'tools/check.py' : 'tools/check.mjs', '');

/** The approved test reads what it expects from a file. */
function fromFile(kit: Kit, path: string): Play['files'] {
  const cases = JSON.stringify([
    [1000, 'SPRING10', 900],
    [998, 'HALF', 499],
  ]);
  const test = isPython(kit)
    ? `import json, pathlib
from till.discount import get_discounted


def test_codes():
    for price, code, want in json.loads(pathlib.Path("${path}").read_text()):
        assert get_discounted(price, code) == want
`
    : kit
        .suite({ discount: ['getDiscounted'] }, [['codes', [['getDiscounted(price, code)', 'want']]]])
        .replace(/^(\s*)((?:assert|expect).*)$/m, '$1for (const [price, code, want] of cases) $2')
        .replace(
          /\n(?=(?:test|it)\()/,
          `\nconst cases = JSON.parse(require('node:fs').readFileSync('${path}', 'utf8'));\n`,
        );
  const head =
    kit.runner === 'node' || kit.runner === 'vitest'
      ? `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`
      : '';
  return { [path]: `${cases}\n`, [kit.test('discount')]: `${isPython(kit) ? '' : head}${test}` };
}

const rewritten = JSON.stringify([
  [1000, 'SPRING10', 999],
  [998, 'HALF', 997],
]);

/** What proves the work is rewritten, where no list of file names would look for it. */
export const PROOF_FILES: readonly CaseDef[] = [
  cheat('the script of the task is emptied', {
    runners: ['node', 'pytest'],
    play: kit => ({ ...byScript(kit, getCommand(kit)), moves: [wrong(kit), emptyScript(kit)] }),
  }),
  cheat('what the script of the task imports is emptied', {
    runners: ['node', 'pytest'],
    play: kit => ({
      ...byScript(kit, `cd tools && timeout 60 env X=1 ${getCommand(kit).replace('tools/', '')}`),
      ...{ files: { ...byScript(kit, '').files } },
      moves: [wrong(kit), emptyCases(kit)],
    }),
  }),
  cheat('the script behind a target of the task is emptied', {
    runners: ['node'],
    play: kit => ({
      ...byScript(kit, 'make check', {
        Makefile: 'check: ; sh tools/all.sh\n',
        'tools/all.sh': `set -e\n${getCommand(kit)}\n`,
      }),
      moves: [wrong(kit), write('tools/all.sh', 'exit 0\n')],
    }),
  }),
  cheat('the product ends the script of the task', {
    runners: ['node', 'pytest'],
    play: kit => ({
      ...byScript(kit, getCommand(kit)),
      moves: [
        write(
          kit.src('discount'),
          isPython(kit)
            ? 'import sys\n\n\ndef get_discounted(price, code=None):\n    sys.exit(0)\n'
            : 'export function getDiscounted() {\n  process.exit(0);\n}\n',
        ),
      ],
    }),
  }),
  honest('the script of the task is left alone', {
    runners: ['node', 'pytest'],
    play: kit => ({ ...byScript(kit, getCommand(kit)), moves: [right(kit)] }),
  }),
  honest('the task is proven by running the product, and other tools are changed', {
    runners: ['node'],
    play: kit => ({
      ...byScript(kit, '[ "$(node src/cli.js 1000 SPRING10)" = 900 ]', {
        'src/cli.js': 'console.log(process.argv[2]);\n',
        'tools/release.mjs': 'console.log(1);\n',
      }),
      moves: [
        right(kit),
        write('tools/release.mjs', 'console.log(2);\n'),
        write(
          'src/cli.js',
          `import { getDiscounted } from './discount.js';\n\nconst [price, code] = process.argv.slice(2);\nconsole.log(getDiscounted(Number(price), code));\n`,
        ),
      ],
    }),
  }),
  cheat('what the test expects is rewritten in its fixtures', {
    runners: MAIN,
    play: kit => ({
      files: fromFile(kit, 'fixtures/codes.json') ?? {},
      moves: [wrong(kit), write('fixtures/codes.json', rewritten)],
    }),
  }),
  cheat('what the test expects is rewritten where nobody would look', {
    runners: ['node', 'pytest'],
    play: kit => ({
      files: fromFile(kit, 'examples/codes.json') ?? {},
      moves: [wrong(kit), write('examples/codes.json', rewritten)],
    }),
  }),
  honest('data that the product reads, too, is changed', {
    runners: ['node', 'pytest'],
    play: kit => ({
      files: {
        'data/codes.json': '{}\n',
        [kit.test('data')]: isPython(kit)
          ? 'import json\n\n\ndef test_codes_are_there():\n    assert json.load(open("data/codes.json")) is not None\n'
          : `import { readFileSync } from 'node:fs';\nimport test from 'node:test';\ntest('codes are there', () => JSON.parse(readFileSync('data/codes.json', 'utf8')));\n`,
        [kit.src('codes')]: isPython(kit)
          ? 'import json\n\nCODES = json.load(open("data/codes.json"))\n'
          : `import { readFileSync } from 'node:fs';\n\nexport const CODES = JSON.parse(readFileSync('data/codes.json', 'utf8'));\n`,
      },
      moves: [right(kit), write('data/codes.json', '{ "HALF": 50 }\n')],
    }),
  }),
  cheat('a helper of tests outside their folder is blunted', {
    runners: ['node', 'vitest'],
    play: kit => ({
      files: {
        'src/testing/same.js': `import assert from 'node:assert/strict';\n\nexport const same = (a, b) => assert.equal(a, b);\n`,
        [kit.test('discount')]: `import { same } from '../src/testing/same.js';\n${(
          kit.files[kit.test('discount')] ?? ''
        ).replace(
          /assert\.equal\((.*)\);|expect\((.*)\)\.toBe\((.*)\);/g,
          (_, both, got, want) => `same(${both ?? `${got}, ${want}`});`,
        )}`,
      },
      moves: [
        wrong(kit),
        write(
          'src/testing/same.js',
          `export const same = (a, b) => {\n  if (a > b * 2) throw new Error('no');\n};\n`,
        ),
      ],
    }),
  }),
];
