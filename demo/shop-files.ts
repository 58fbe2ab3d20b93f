/** The sample project before the night: a cart that works, and tests that a person has approved. */
export function getShopFiles(agent: DemoAgent): Readonly<Record<string, string>> {
  return { ...getProjectFiles(agent, TASKS.map(getFeature)), 'src/cart.js': CART, ...TESTS };
}

/** What the shop has on any night, whatever its tasks are. */
export function getProjectFiles(
  agent: DemoAgent,
  features: readonly object[],
): Readonly<Record<string, string>> {
  return {
    'package.json': `${JSON.stringify({ name: 'shop', type: 'module', private: true }, null, 2)}\n`,
    'README.md': '# shop\n\nA shopping cart. Prices are in cents. Run the tests with `node --test`.\n',
    '.harness.yaml': getConfig(agent),
    'features.json': `${JSON.stringify({ project: 'shop', features }, null, 2)}\n`,
    'test/cart.test.js': CART_TEST,
  };
}

/** The task during which the harness is killed. */
export const KILLED_TASK = '5';

/** The file that the agent has half written by then. */
export const HALF_DONE_FILE = 'src/shipping.js';

function getConfig(agent: DemoAgent): string {
  const models = agent === 'codex' ? 'models: { default: gpt-6.1-sol }\n' : '';
  const script = agent === 'scripted' ? ', script: ../agent.json' : '';
  return `project: { name: shop }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: ${agent}${script} }
${models}`;
}

/** A task as the demo's backlogs have them. */
export interface Task {
  readonly id: number;
  readonly title: string;
  readonly test: string;
  readonly after: readonly number[];
  readonly step: string;
}

const TASKS: readonly Task[] = [
  { id: 1, title: 'The cart knows its total', test: 'total', after: [], step: 'prices are added up' },
  {
    id: 2,
    title: 'The same item again counts as two',
    test: 'quantity',
    after: [],
    step: 'one line per item',
  },
  { id: 3, title: 'Items can be taken out', test: 'remove', after: [2], step: 'the rest stays' },
  {
    id: 4,
    title: 'A code takes a discount off',
    test: 'discount',
    after: [1],
    step: 'unknown codes give nothing',
  },
  { id: 5, title: 'Shipping is free from 50 on', test: 'shipping', after: [4], step: '4.90 below that' },
  { id: 6, title: 'A receipt says it all', test: 'receipt', after: [3, 5], step: 'items, shipping, sum' },
];

/** Its entry in the backlog. */
export function getFeature({ id, title, test, after, step }: Task) {
  return {
    id,
    category: 'cart',
    description: title,
    test_file: `test/${test}.test.js`,
    depends_on: after,
    verification_steps: [step],
    size_estimate: 'small',
    passes: false,
  };
}

const CART = `/** A cart is a list of items: { name, price }. */
export function createCart() {
  return [];
}

export function addItem(cart, item) {
  return [...cart, item];
}
`;

/** The head of every test. */
export const IMPORTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

const CART_TEST = `${IMPORTS}import { addItem, createCart } from '../src/cart.js';

test('items stay in the order in which they came', () => {
  const cart = addItem(addItem(createCart(), { name: 'tea', price: 350 }), { name: 'mug', price: 900 });
  assert.deepEqual(cart.map(item => item.name), ['tea', 'mug']);
});

test('adding an item leaves the cart it was added to as it was', () => {
  const before = addItem(createCart(), { name: 'tea', price: 350 });
  addItem(before, { name: 'tea', price: 350 });
  assert.deepEqual(before, addItem(createCart(), { name: 'tea', price: 350 }));
});
`;

/** Each of these fails as long as its task is not done. */
export const TESTS: Readonly<Record<string, string>> = {
  'test/total.test.js': `${IMPORTS}import { getTotal } from '../src/total.js';

test('the total is the sum of all prices', () => {
  assert.equal(getTotal([]), 0);
  assert.equal(getTotal([{ price: 350 }, { price: 900 }]), 1250);
  assert.equal(getTotal([{ price: 350, quantity: 2 }]), 700);
});
`,
  'test/quantity.test.js': `${IMPORTS}import { addItem, createCart } from '../src/cart.js';

test('the same item again raises its quantity', () => {
  const tea = { name: 'tea', price: 350 };
  const cart = addItem(addItem(createCart(), tea), tea);
  assert.equal(cart.length, 1);
  assert.equal(cart[0].quantity, 2);
});
`,
  'test/remove.test.js': `${IMPORTS}import { removeItem } from '../src/cart.js';

test('an item that is taken out is gone, the others stay', () => {
  assert.deepEqual(removeItem([{ name: 'tea' }, { name: 'mug' }], 'tea'), [{ name: 'mug' }]);
});
`,
  'test/discount.test.js': `${IMPORTS}import { getDiscounted } from '../src/discount.js';

test('a known code takes its percentage off, an unknown one nothing', () => {
  assert.equal(getDiscounted(1000, 'SPRING10'), 900);
  assert.equal(getDiscounted(1000, 'SUMMER'), 1000);
});
`,
  'test/shipping.test.js': `${IMPORTS}import { getShipping } from '../src/shipping.js';

test('shipping costs 4.90 below 50 and nothing from there on', () => {
  assert.equal(getShipping(4999), 490);
  assert.equal(getShipping(5000), 0);
});
`,
  'test/receipt.test.js': `${IMPORTS}import { getReceipt } from '../src/receipt.js';

test('the receipt lists items, shipping and the sum', () => {
  const cart = [{ name: 'tea', price: 350, quantity: 2 }];
  assert.equal(getReceipt(cart), '2 x tea 7.00\\nshipping 4.90\\nsum 11.90');
});
`,
};

/** Agents whose model can be scripted, so that the real SDK plays the same night. */
export type DemoAgent = 'scripted' | 'claude' | 'codex';
