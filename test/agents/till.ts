/** What the scripted model writes for each task of the sample plan: its test and its code. */
export const TILL: Readonly<Record<string, string>> = {
  'src/price.js': `export function showPrice(cents) {
  return (cents / 100).toFixed(2);
}
`,
  'src/total.js': `export function getTotal(lines) {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0);
}
`,
  'src/discount.js': `export function takeOff(cents, percent) {
  return Math.floor((cents * (100 - percent)) / 100);
}
`,
  'src/vat.js': `export function getVat(gross) {
  return Math.round((gross * 19) / 119);
}
`,
  'src/print.js': `import { showPrice } from './price.js';
import { getTotal } from './total.js';

export function printReceipt(lines) {
  const rows = lines.map(line => \`\${line.name} \${showPrice(getTotal([line]))}\`);
  return [...rows, \`total \${showPrice(getTotal(lines))}\`].join('\\n');
}
`,
  'test/price.test.js': getTest("import { showPrice } from '../src/price.js';", [
    "assert.equal(showPrice(105), '1.05')",
    "assert.equal(showPrice(20000), '200.00')",
  ]),
  'test/total.test.js': getTest("import { getTotal } from '../src/total.js';", [
    'assert.equal(getTotal([{ price: 150, count: 2 }, { price: 99, count: 1 }]), 399)',
    'assert.equal(getTotal([]), 0)',
  ]),
  'test/discount.test.js': getTest("import { takeOff } from '../src/discount.js';", [
    'assert.equal(takeOff(399, 10), 359)',
    'assert.equal(takeOff(400, 25), 300)',
  ]),
  'test/vat.test.js': getTest("import { getVat } from '../src/vat.js';", [
    'assert.equal(getVat(119), 19)',
    'assert.equal(getVat(1000), 160)',
  ]),
  'test/print.test.js': getTest("import { printReceipt } from '../src/print.js';", [
    "assert.equal(printReceipt([{ name: 'tea', price: 150, count: 2 }]), 'tea 3.00\\ntotal 3.00')",
    "assert.equal(printReceipt([]), 'total 0.00')",
  ]),
};

function getTest(from: string, lines: readonly string[]): string {
  const tests = lines.map((line, i) => `test('case ${i + 1}', () => {\n  ${line};\n});\n`);
  return `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${from}\n\n${tests.join('\n')}`;
}
