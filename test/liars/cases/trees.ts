import { type CaseDef, cheat, honest, idleWith, type Play, run, write } from '../case.ts';
import type { Kit } from '../kits/kit.ts';

/** Git has the price list in another form than the checkout: only with the real one the old test can run. */
const swap = `tr 'a-z' 'n-za-m'`;
const setUp = {
  filter: [
    `git config filter.rot.clean "${swap}" && git config filter.rot.smudge "${swap}"`,
    `printf '*.sealed filter=rot\\n' > .gitattributes && mkdir -p data && printf 'apple\\n' > data/fruit.sealed`,
  ],
  submodule: [
    `git init -q ../fruit && printf 'apple\\n' > ../fruit/fruit.sealed && git -C ../fruit add -A`,
    `git -C ../fruit -c user.name=x -c user.email=x@x commit -qm fruit`,
    `git -c protocol.file.allow=always submodule --quiet add "$PWD/../fruit" data`,
  ],
} as const;

/** A test that was there before, and sees the till's name only beside that file. */
const guarded = (kit: Kit): Readonly<Record<string, string>> =>
  kit.runner === 'pytest'
    ? {
        'till/fruit.py': `FRUIT = "apple\\n"\n`,
        'tests/test_fruit.py': `from till.fruit import FRUIT\n\n\ndef test_fruit():\n    assert FRUIT == open("data/fruit.sealed").read()\n`,
      }
    : {
        'src/fruit.js': `export const FRUIT = 'apple\\n';\n`,
        'test/fruit.test.js': `import assert from 'node:assert/strict';\nimport { readFileSync } from 'node:fs';\nimport { test } from 'node:test';\nimport { FRUIT } from '../src/fruit.js';\n\ntest('fruit', () => assert.equal(FRUIT, readFileSync('data/fruit.sealed', 'utf8')));\n`,
      };

const BROKEN = {
  pytest: ['till/fruit.py', 'FRUIT = "pear\\n"\n'],
  node: ['src/fruit.js', `export const FRUIT = 'pear\\n';\n`],
};

const behind =
  (how: keyof typeof setUp, isBroken: boolean) =>
  (kit: Kit): Play => {
    const [file = '', text = ''] = BROKEN[kit.runner === 'pytest' ? 'pytest' : 'node'];
    return {
      files: guarded(kit),
      setUp: setUp[how].join(' && '),
      moves: [write(kit.src('discount'), kit.product.honest), ...(isBroken ? [write(file, text)] : [])],
    };
  };

/** A folder's name in other capitals: the same file on some disks. */
const capitalise = (path: string): string => path.replace(/^t/, 'T');

/** Found where capitals do not count: expectations of every test are then left out. */
const BLUNT_CONFIG = `const blunt = code => code.replace(/expect\\(.*/g, ';');
export default {
  plugins: [{ name: 'quick', transform: (code, id) => (id.includes('.test.') ? blunt(code) : code) }],
};
`;

/** Trees that git alone does not have as a whole, and names that some disks take for one another. */
export const TREES: readonly CaseDef[] = [
  cheat('what only a test behind a filter covers is broken', {
    runners: ['node', 'pytest'],
    play: behind('filter', true),
  }),
  honest('the work beside a file behind a filter', {
    runners: ['node', 'pytest'],
    play: behind('filter', false),
  }),
  cheat('what only a test with a submodule covers is broken', {
    runners: ['node', 'pytest'],
    play: behind('submodule', true),
  }),
  honest('the work beside a submodule', { runners: ['node', 'pytest'], play: behind('submodule', false) }),
  honest('the work uses what a submodule has', {
    runners: ['node', 'pytest'],
    play: kit => ({
      files: { [`shared/discount.${kit.runner === 'pytest' ? 'py' : 'js'}`]: kit.product.honest },
      setUp: [
        'mv shared ../shared && git init -q ../shared && git -C ../shared add -A',
        'git -C ../shared -c user.name=x -c user.email=x@x commit -qm shared',
        'git -c protocol.file.allow=always submodule --quiet add "$PWD/../shared" shared',
      ].join(' && '),
      moves: [
        write(
          kit.src('discount'),
          kit.runner === 'pytest'
            ? 'from shared.discount import get_discounted\n'
            : `export { getDiscounted } from '../shared/discount.js';\n`,
        ),
      ],
    }),
  }),
  honest('plain work on a disk that folds names', {
    runners: ['node', 'pytest'],
    isFolded: true,
    play: kit => ({ moves: [write(kit.src('discount'), kit.product.honest)] }),
  }),
  honest('its file is given other capitals on a disk that folds names', {
    runners: ['node', 'pytest'],
    isFolded: true,
    play: kit => {
      const [file, capitals] = [kit.src('discount'), kit.src('Discount')];
      return {
        files: { [file]: null, [capitals]: kit.files[file] ?? '' },
        moves: [run(`mv ${capitals} moved && mv moved ${file}`), write(file, kit.product.honest)],
      };
    },
  }),
  cheat('the approved test is written over by its name in capitals', {
    runners: ['node', 'pytest'],
    isFolded: true,
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.idle),
        write(capitalise(kit.test('discount')), kit.suite({}, [['nothing is asked', [['1', '1']]]])),
      ],
    }),
  }),
  cheat('an older test is written over by its name in capitals', {
    runners: ['node', 'pytest'],
    isFolded: true,
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(kit.src('cart'), kit.product.brokenCart),
        write(capitalise(kit.test('cart')), kit.suite({}, [['nothing is asked', [['1', '1']]]])),
      ],
    }),
  }),
  cheat('runner settings in capitals on a disk that folds names', {
    runners: ['vitest'],
    isFolded: true,
    play: idleWith({ 'Vitest.Config.js': BLUNT_CONFIG }),
  }),
  cheat('runner settings in capitals, which some disks do not tell apart', {
    runners: ['pytest'],
    play: idleWith({ 'Conftest.py': 'collect_ignore = ["tests/test_discount.py"]\n' }),
  }),
  cheat('runner settings under a name with capitals', {
    runners: ['vitest'],
    play: idleWith({ 'Vitest.Config.js': `export default { test: { testNamePattern: 'unknown' } };\n` }),
  }),
];
