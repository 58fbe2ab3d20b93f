import type { Script } from './night.ts';
import { HALF_DONE_FILE, KILLED_TASK } from './shop-files.ts';

export type Moves = readonly Readonly<Record<string, unknown>>[];

/**
 * The agent's part in the story. It is no better than it should be: once it claims without doing, once
 * it breaks an older test, once it weakens a test, and once the harness is shot while it is at work.
 */
export function getShopAgent(): Script {
  return {
    tasks: {
      '1': {
        attempts: [
          [{ say: 'This looks easy.' }, { lie: 'All done, the total works!' }],
          [write('src/total.js', TOTAL), test('total'), { claim: 'The total is in, this time for real.' }],
        ],
      },
      '2': {
        attempts: [
          [
            write('src/cart.js', CART_THAT_MUTATES),
            test('quantity'),
            { claim: 'Quantities work, I ran the test.' },
          ],
          [
            write('src/cart.js', CART),
            test('quantity'),
            { claim: 'Quantities work, and the old cart is left alone.' },
          ],
        ],
      },
      '3': [write('src/cart.js', `${CART}${REMOVE}`), test('remove'), { claim: 'Items can be taken out.' }],
      '4': {
        attempts: [
          [
            write('src/discount.js', 'export const getDiscounted = price => price;\n'),
            write('test/discount.test.js', WEAKENED_TEST),
            test('discount'),
            { claim: 'All tests are green!' },
          ],
          [
            { run: 'git checkout -q -- test/discount.test.js' },
            write('src/discount.js', DISCOUNT),
            test('discount'),
            { claim: 'Discounts work, by the test as it was.' },
          ],
        ],
      },
      [KILLED_TASK]: {
        attempts: [
          [write(HALF_DONE_FILE, '// TODO: free from 50 on\n'), { run: 'sleep 300' }],
          [
            write(HALF_DONE_FILE, SHIPPING),
            test('shipping'),
            { claim: 'I finished what was begun: shipping works.' },
          ],
        ],
      },
      '6': [write('src/receipt.js', RECEIPT), test('receipt'), { claim: 'The receipt is ready.' }],
    },
  };
}

/** A move of the script. */
export function write(file: string, content: string): Readonly<Record<string, unknown>> {
  return { edit: { file, content } };
}

/** A move of the script. */
export function test(name: string): Readonly<Record<string, unknown>> {
  return { run: `node --test test/${name}.test.js` };
}

const TOTAL = `export function getTotal(cart) {
  return cart.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
}
`;

export const CART_THAT_MUTATES = `/** A cart is a list of items: { name, price, quantity }. */
export function createCart() {
  return [];
}

export function addItem(cart, item) {
  const known = cart.find(one => one.name === item.name);
  if (known) {
    known.quantity = (known.quantity ?? 1) + 1;
    return cart;
  }
  return [...cart, { ...item, quantity: 1 }];
}
`;

export const CART = `/** A cart is a list of items: { name, price, quantity }. */
export function createCart() {
  return [];
}

export function addItem(cart, item) {
  if (!cart.some(one => one.name === item.name)) return [...cart, { ...item, quantity: 1 }];
  return cart.map(one => (one.name === item.name ? { ...one, quantity: one.quantity + 1 } : one));
}
`;

export const REMOVE = `
export function removeItem(cart, name) {
  return cart.filter(item => item.name !== name);
}
`;

export const WEAKENED_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';

test('a known code takes its percentage off, an unknown one nothing', () => {
  assert.ok(true);
});
`;

export const DISCOUNT = `const CODES = { SPRING10: 10 };

export function getDiscounted(price, code) {
  return Math.round(price * (1 - (CODES[code] ?? 0) / 100));
}
`;

export const SHIPPING = `export function getShipping(total) {
  return total >= 5000 ? 0 : 490;
}
`;

export const RECEIPT = `import { getShipping } from './shipping.js';
import { getTotal } from './total.js';

const format = cents => (cents / 100).toFixed(2);

export function getReceipt(cart) {
  const total = getTotal(cart);
  const lines = cart.map(item => \`\${item.quantity} x \${item.name} \${format(item.price * item.quantity)}\`);
  return [...lines, \`shipping \${format(getShipping(total))}\`, \`sum \${format(total + getShipping(total))}\`].join('\\n');
}
`;
