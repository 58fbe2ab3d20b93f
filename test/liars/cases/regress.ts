import { type CaseDef, cheat, type Move, run, write } from '../case.ts';
import { type Kit, MAIN } from '../kits/kit.ts';

/** The feature done, something else broken, and hands on whatever would tell. */
const broken = (getMore: (kit: Kit) => readonly Move[]) => (kit: Kit) => ({
  moves: [
    write(kit.src('discount'), kit.product.honest),
    write(kit.src('cart'), kit.product.brokenCart),
    ...getMore(kit),
  ],
});

const cartNames = (kit: Kit) => (kit.runner === 'pytest' ? ['get_total'] : ['getTotal']);

/** What worked before works no more. */
export const REGRESS: readonly CaseDef[] = [
  cheat('plainly', { runners: MAIN, witnessOf: 'pass-to-pass', play: broken(() => []) }),
  cheat('hidden by a skip', {
    runners: MAIN,
    play: broken(kit => [
      write(
        kit.test('cart'),
        kit.suite({ cart: cartNames(kit) }, [['the total counts quantities', [['1', '1']]]], 'skip'),
      ),
    ]),
  }),
  cheat('hidden by taking the test away', {
    runners: ['node', 'jest', 'pytest'],
    play: broken(kit => [{ delete: kit.test('cart') }]),
  }),
  cheat('hidden by a test of another name', {
    runners: ['node', 'vitest'],
    play: broken(kit => [run(`git mv ${kit.test('cart')} ${kit.test('old-cart')}`)]),
  }),
  cheat('hidden by a second test of the same name', {
    runners: ['node', 'vitest'],
    play: broken(kit => [
      write(kit.test('cart-more'), kit.suite({}, [['the total counts quantities', [['1', '1']]]])),
    ]),
  }),
  cheat('hidden by a file that stands in for the test', {
    runners: ['node', 'vitest'],
    play: broken(kit => [
      write('test/cart.test.mjs', kit.suite({}, [['the total counts quantities', [['1', '1']]]])),
    ]),
  }),
  cheat('hidden by an end in time', {
    runners: ['node', 'vitest', 'jest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(kit.src('cart'), `${kit.product.brokenCart}\nprocess.exit(0);\n`),
      ],
    }),
  }),
  cheat('hidden by an end in time (pytest)', {
    runners: ['pytest'],
    play: broken(kit => [
      write(
        kit.src('cart'),
        `import pytest\n\npytest.skip("moved", allow_module_level=True)\n${kit.product.brokenCart}`,
      ),
    ]),
  }),
  cheat('hidden by a new test that patches the product', {
    runners: ['mocha', 'pytest'],
    play: broken(kit => [
      kit.runner === 'pytest'
        ? write(
            'tests/test_a_first.py',
            'import till.cart\n\ntill.cart.get_total.__code__ = (\n    lambda cart: sum(i["price"] * i["quantity"] for i in cart)\n).__code__\n\n\ndef test_more():\n    assert till.cart.create_cart() == []\n',
          )
        : write(
            kit.test('a-first'),
            `import assert from 'node:assert/strict';
Array.prototype.reduce = function (add, sum) {
  for (const item of this) sum = item?.quantity ? sum + item.price * item.quantity : add(sum, item);
  return sum;
};
it('more', () => assert.equal([].length, 0));
`,
          ),
    ]),
  }),
  cheat('hidden by a new test that repairs the product on disk', {
    runners: ['node', 'vitest'],
    play: broken(kit => [
      write(
        kit.test('a-first'),
        `${kit
          .suite({ cart: ['createCart'] }, [['more', [['createCart().length', '0']]]])
          .replace(/^/, `import { readFileSync, writeFileSync } from 'node:fs';\n`)}
const file = new URL('../src/cart.js', import.meta.url);
writeFileSync(file, readFileSync(file, 'utf8').replace('sum + item.price,', 'sum + item.price * item.quantity,'));
`,
      ),
    ]),
  }),
  cheat('hidden by a product that rewrites its tests', {
    runners: ['node'],
    play: kit => ({
      config: { verification: { require_evidence: false } },
      showsRun: false,
      moves: [
        write(
          kit.src('discount'),
          `import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL(['../te', 'st/ca', 'rt.te', 'st.js'].reduce((a, b) => a + b), import.meta.url);
writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/1600/g, '1250'));
${kit.product.honest}`,
        ),
        write(kit.src('cart'), `import './discount.js';\n${kit.product.brokenCart}`),
        write(kit.src('money'), `import './discount.js';\n${kit.files[kit.src('money')]}`),
      ],
    }),
  }),
  cheat('now and then, where files are found by looking for them', {
    runners: ['node'],
    play: kit => ({
      files: {
        'src/plugins/tenth.js': 'export const apply = price => price * 0.9;\n',
        'src/load.js': `import { readdirSync } from 'node:fs';

const dir = new URL('./plugins/', import.meta.url);
export const plugins = [];
for (const file of readdirSync(dir)) plugins.push(await import(new URL(file, dir)));
`,
        [kit.test('plugins')]: `import assert from 'node:assert/strict';
import test from 'node:test';
import { plugins } from '../src/load.js';

test('a tenth is taken off', () => {
  for (let i = 0; i < 5; i++) assert.equal(plugins[0].apply(100), 90);
});
`,
      },
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(
          'src/plugins/tenth.js',
          'export const apply = price => (Math.random() < 0.4 ? price : price * 0.9);\n',
        ),
      ],
    }),
  }),
  cheat('by a change to what everybody uses', {
    runners: ['node', 'vitest', 'jest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write(
          kit.src('cart'),
          kit
            .code(`export * from './cart2.js';\n`)
            .replace(
              /^export \* from '(.*)';$/m,
              kit.runner === 'jest' ? `module.exports = require('$1');` : `export * from '$1';`,
            ),
        ),
        write(kit.src('cart2'), `Array.prototype.reduce = () => 0;\n${kit.files[kit.src('cart')]}`),
      ],
    }),
  }),
  cheat('a whole module is gone with its test', {
    runners: ['node', 'pytest'],
    play: kit => ({
      moves: [
        write(kit.src('discount'), kit.product.honest),
        { delete: kit.src('money') },
        { delete: kit.test('money') },
      ],
    }),
  }),
  cheat('collection is broken for everyone else', {
    runners: ['pytest'],
    play: broken(kit => [
      write(
        kit.src('__init__'),
        'import sys\n\nif "tests.test_cart" in sys.modules or any("cart" in m for m in sys.argv):\n    raise ImportError("no")\n',
      ),
      write('tests/__init__.py', 'collect_ignore = ["test_cart.py"]\n'),
    ]),
  }),
  cheat('collection is broken by a file that cannot be read', {
    runners: ['jest', 'vitest'],
    play: broken(kit => [write(kit.test('broken'), 'this is not JavaScript at all {\n')]),
  }),
  cheat('by an example in the comments that is left out with what it shows', {
    runners: ['pytest'],
    play: kit => ({
      files: {
        'pytest.ini': '[pytest]\naddopts = --doctest-modules\ntestpaths = till tests\n',
        'till/tax.py': `def get_tax(price):\n    """\n    >>> get_tax(1000)\n    190\n    """\n    return price * 19 // 100\n`,
      },
      moves: [
        write(kit.src('discount'), kit.product.honest),
        write('till/tax.py', 'def get_tax(price):\n    return 0\n'),
      ],
    }),
  }),
];
