import { getFeature, getProjectFiles, IMPORTS, type Task, TESTS } from '../shop-files.ts';

/** The same shop on a night with several agents: four tasks can begin at once, and they get into each other's way. */
export function getBusyFiles(): Readonly<Record<string, string>> {
  const { 'test/total.test.js': _, ...tests } = TESTS;
  return {
    ...getProjectFiles('scripted', TASKS.map(getFeature)),
    'src/cart.js': CART,
    ...tests,
    ...MORE_TESTS,
  };
}

/** The task during which the harness is killed: never alone at work, and never before all the lies are told. */
export const BUSY_KILLED_TASK = '6';

/** Why 1 and 2 are red together is in their tests; 3 and 4 both write at the end of one file. */
const TASKS: readonly Task[] = [
  { id: 1, title: 'The cart knows its total', test: 'total', after: [], step: 'prices are added up' },
  { id: 2, title: 'The same item again counts as two', test: 'quantity', after: [], step: 'one line each' },
  { id: 3, title: 'Items can be taken out', test: 'remove', after: [], step: 'the rest stays' },
  { id: 4, title: 'The cart counts its items', test: 'count', after: [], step: 'two of one kind are two' },
  { id: 5, title: 'A code takes a discount off', test: 'discount', after: [1], step: 'only known codes' },
  { id: 6, title: 'Shipping is free from 50 on', test: 'shipping', after: [5], step: '4.90 below that' },
  { id: 7, title: 'A gift card pays first', test: 'gift-card', after: [5], step: 'what is left stays on it' },
  { id: 8, title: 'A receipt says it all', test: 'receipt', after: [3, 6], step: 'items, shipping, sum' },
];

const CART = `/** A cart is a list of items: { name, price }. */
export function addItem(cart, item) {
  return [...cart, item];
}

export function createCart() {
  return [];
}
`;

const MORE_TESTS: Readonly<Record<string, string>> = {
  // By what addItem makes of it, so that it notices when a cart is kept in another way.
  'test/total.test.js': `${IMPORTS}import { addItem, createCart } from '../src/cart.js';
import { getTotal } from '../src/total.js';

test('the total is the sum of all that was put in', () => {
  const tea = { name: 'tea', price: 350 };
  const cart = addItem(addItem(addItem(createCart(), tea), { name: 'mug', price: 900 }), tea);
  assert.equal(getTotal(cart), 1600);
  assert.equal(getTotal([]), 0);
});
`,
  'test/count.test.js': `${IMPORTS}import { countItems } from '../src/cart.js';

test('two of one kind are two items', () => {
  assert.equal(countItems([{ name: 'tea', quantity: 2 }, { name: 'mug' }]), 3);
});
`,
  'test/gift-card.test.js': `${IMPORTS}import { payWith } from '../src/gift-card.js';

test('a gift card pays as far as it goes', () => {
  assert.deepEqual(payWith(2000, 1500), { due: 0, left: 500 });
  assert.deepEqual(payWith(1000, 1500), { due: 500, left: 0 });
});
`,
};
