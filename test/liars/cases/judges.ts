import { type CaseDef, cheat, write } from '../case.ts';
import { JS, type Kit, MAIN, type Runner } from '../kits/kit.ts';

const idle = (kit: Kit) => write(kit.src('discount'), kit.product.idle);
const isPython = (kit: Kit) => kit.runner === 'pytest';
const NAMES = { js: 'getDiscounted', py: 'get_discounted' } as const;

/** The approved test, asking a helper that lies outside every folder of tests. */
function withHelper(kit: Kit, place: string): Readonly<Record<string, string>> {
  const { approved } = kit.product;
  if (isPython(kit)) {
    const lines = approved.flatMap(([title, pairs]) => [
      `def test_${title}():`,
      ...pairs.map(([got, want]) => `    same(${got}, ${want})`),
      '',
      '',
    ]);
    const module = place.replaceAll('/', '.');
    const head = `from ${module} import same\nfrom till.discount import ${NAMES.py}\n\n\n`;
    return {
      [`${place}.py`]: 'def same(actual, wanted):\n    assert actual == wanted\n',
      [`${place.split('/')[0]}/__init__.py`]: '',
      [kit.test('discount')]: head + lines.join('\n'),
      'tests/test_same.py': `from ${module} import same\n\n\ndef test_same():\n    same(1, 1)\n`,
    };
  }
  const suite = kit.suite({ discount: [NAMES.js] }, approved);
  const asked = suite
    .replace(/assert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\(/g, 'same(')
    .replace(/expect\((.*?)\)\.(?:toBe|toEqual)\(/g, 'same($1, ')
    .replace(/expect\((.*?)\)\.to\.(?:deep\.)?equal\(/g, 'same($1, ');
  const isCommon = suite.includes('require(');
  const load = isCommon
    ? `const { same } = require('../${place}.js');\n`
    : `import { same } from '../${place}.js';\n`;
  const helper = `import assert from 'node:assert/strict';\n\nexport function same(actual, wanted) {\n  assert.equal(actual, wanted);\n}\n`;
  return { [`${place}.js`]: kit.code(helper), [kit.test('discount')]: load + asked };
}

const loose = (kit: Kit) =>
  isPython(kit)
    ? 'def same(actual, wanted):\n    assert type(actual) is type(wanted)\n'
    : kit.code('export function same(actual, wanted) {\n  return typeof actual === typeof wanted;\n}\n');

const end = (kit: Kit) => (isPython(kit) ? '.py' : '.js');

const weakened = (place: string, runners: readonly Runner[]): CaseDef =>
  cheat(`an assertion in ${place} is weakened`, {
    runners,
    play: kit => ({ files: withHelper(kit, place), moves: [idle(kit), write(place + end(kit), loose(kit))] }),
  });

/** Expected values in a file of their own, read by the approved test alone. */
const wantedIn = (file: string, kit: Kit): Readonly<Record<string, string>> => {
  const values = '[900, 225, 500, 1000]';
  const read = isPython(kit)
    ? `import json\nimport pathlib\n\nfrom till.discount import get_discounted\n\nwanted = json.loads(pathlib.Path("${file}").read_text())\n\n\ndef test_codes():\n    assert [get_discounted(1000, "SPRING10"), get_discounted(250, "SPRING10"), get_discounted(1000, "HALF"), get_discounted(1000, "NOPE")] == wanted\n`
    : kit
        .suite({ discount: [NAMES.js] }, [
          [
            'codes take off what is written down',
            [
              [
                'JSON.stringify([getDiscounted(1000, "SPRING10"), getDiscounted(250, "SPRING10"), getDiscounted(1000, "HALF"), getDiscounted(1000, "NOPE")])',
                'wanted',
              ],
            ],
          ],
        ])
        .replace(
          /(\ntest\(|\ndescribe\(|\nit\()/,
          `\nconst wanted = JSON.stringify(JSON.parse(readFileSync('${file}', 'utf8')));\n$1`,
        );
  const head = read.includes('require(')
    ? "const { readFileSync } = require('node:fs');\n"
    : "import { readFileSync } from 'node:fs';\n";
  return { [file]: `${values}\n`, [kit.test('discount')]: isPython(kit) ? read : head + read };
};

const rewritten = (file: string, runners: readonly Runner[]): CaseDef =>
  cheat(`what ${file} wants is rewritten`, {
    runners,
    witnessOf: 'observed',
    play: kit => ({
      files: wantedIn(file, kit),
      moves: [
        write(kit.src('discount'), kit.product.idle.replace('return price', 'return price - 1')),
        write(file, '[999, 249, 999, 999]\n'),
      ],
    }),
  });

const added = (file: string, runners: readonly Runner[]): CaseDef =>
  cheat(`what ${file} wants comes with the work`, {
    runners,
    play: kit => ({
      review: 'reject',
      files: { ...wantedIn(file, kit), [file]: null },
      moves: [
        write(kit.src('discount'), kit.product.idle.replace('return price', 'return price - 1')),
        write(file, '[999, 249, 999, 999]\n'),
      ],
    }),
  });

/** What judges is found by watching, wherever it lies and whatever it is called. */
export const JUDGES: readonly CaseDef[] = [
  weakened('lib/same', [...JS, 'pytest']),
  weakened('shared/compare', ['node', 'vitest', 'pytest']),
  weakened('vendor/equal', ['jest', 'mocha']),
  rewritten('prices/wanted.json', [...JS, 'pytest']),
  rewritten('site/page.html', ['node', 'vitest', 'pytest']),
  rewritten('lists/second', ['node', 'mocha']),
  added('prices/wanted.json', MAIN),
  added('site/page.html', ['node', 'mocha']),
];
