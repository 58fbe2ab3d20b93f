import type { Script } from '../night.ts';
import {
  CART_THAT_MUTATES,
  DISCOUNT,
  type Moves,
  RECEIPT,
  REMOVE,
  SHIPPING,
  test,
  WEAKENED_TEST,
  write,
} from '../shop-agent.ts';
import { HALF_DONE_FILE } from '../shop-files.ts';
import { BUSY_KILLED_TASK } from './busy-files.ts';

/**
 * The agents' part on the night of several. Two of them write in one place, and two are each right alone and wrong
 * together. Who of them is first is a matter of chance: whoever loses knows what to do with what is there by then.
 */
export function getBusyAgent(): Script {
  return {
    tasks: {
      '1': {
        attempts: [
          [{ say: 'This looks easy.' }, { lie: 'All done, the total works!' }],
          [write('src/total.js', TOTAL), test('total'), { claim: 'The total is in, this time for real.' }],
          withQuantities('Prices count as often as the item is there.'),
        ],
      },
      '2': {
        attempts: [
          [write('src/cart.js', CART_THAT_MUTATES), test('quantity'), { claim: 'Quantities work.' }],
          [write('src/cart.js', CART), test('quantity'), { claim: 'Quantities work, the old cart is left.' }],
          withQuantities('The total knows quantities now.'),
        ],
      },
      '3': [addToCart('removeItem', REMOVE), test('remove'), { claim: 'Items can be taken out.' }],
      '4': [addToCart('countItems', COUNT), test('count'), { claim: 'Items are counted.' }],
      '5': {
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
      [BUSY_KILLED_TASK]: {
        attempts: [
          [{ sleep: 1 }, write(HALF_DONE_FILE, '// TODO: free from 50 on\n'), { run: 'sleep 300' }],
          [
            write(HALF_DONE_FILE, SHIPPING),
            test('shipping'),
            { claim: 'I finished what was begun: shipping works.' },
          ],
        ],
      },
      '7': [
        { sleep: 2 },
        write('src/gift-card.js', GIFT_CARD),
        test('gift-card'),
        { claim: 'Gift cards pay.' },
      ],
      '8': [write('src/receipt.js', RECEIPT), test('receipt'), { claim: 'The receipt is ready.' }],
    },
  };
}

/** What makes both 1 and 2 green, whichever of them has landed. */
function withQuantities(words: string): Moves {
  return [write('src/total.js', TOTAL_WITH_QUANTITY), test('total'), test('quantity'), { claim: words }];
}

/** At the end of the file, as whoever adds something does; done twice, it is there once. */
function addToCart(name: string, text: string): Moves[number] {
  return { run: `grep -q ${name} src/cart.js || cat >> src/cart.js <<'END_OF_FILE'\n${text}END_OF_FILE` };
}

const TOTAL = `export function getTotal(cart) {
  return cart.reduce((sum, { price }) => sum + price, 0);
}
`;

const TOTAL_WITH_QUANTITY = `export function getTotal(cart) {
  return cart.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
}
`;

const CART = `/** A cart is a list of items: { name, price, quantity }. */
export function addItem(cart, item) {
  if (!cart.some(one => one.name === item.name)) return [...cart, { ...item, quantity: 1 }];
  return cart.map(one => (one.name === item.name ? { ...one, quantity: one.quantity + 1 } : one));
}

export function createCart() {
  return [];
}
`;

const COUNT = `
export function countItems(cart) {
  return cart.reduce((count, { quantity = 1 }) => count + quantity, 0);
}
`;

const GIFT_CARD = `export function payWith(card, total) {
  const paid = Math.min(card, total);
  return { due: total - paid, left: card - paid };
}
`;
