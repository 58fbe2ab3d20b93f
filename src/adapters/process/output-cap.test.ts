import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter, createOutputCap } from './read-output.ts';

/** The bytes of a text, cut at random places. */
function getChunks(text: string, sizes: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const anyText = fc.string({ unit: fc.constantFrom('a', 'ü', '€', '😀', '\n') });
const anySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });

test('an output within its limits comes back unchanged, however it was cut', () => {
  fc.assert(
    fc.property(anyText, anySizes, (text, sizes) => {
      const cap = createOutputCap({ headBytes: 7, tailBytes: 4 * text.length });
      for (const chunk of getChunks(text, sizes)) cap.push(chunk);
      expect(cap.text()).toBe(text);
      expect(cap.droppedBytes()).toBe(0);
    }),
  );
});

test('an output over its limits keeps head and tail without a broken character, and counts the rest', () => {
  fc.assert(
    fc.property(anyText, anySizes, fc.integer({ min: 0, max: 9 }), (text, sizes, limit) => {
      const cap = createOutputCap({ headBytes: limit, tailBytes: limit });
      for (const chunk of getChunks(text, sizes)) cap.push(chunk);
      const size = Buffer.byteLength(text);
      expect(cap.droppedBytes()).toBe(Math.max(0, size - 2 * limit));
      if (size <= 2 * limit) return;
      const [head, tail] = cap.text().split(/\n\[… \d+ bytes left out …\]\n/);
      expect(text.startsWith(head ?? '?')).toBe(true);
      expect(text.endsWith(tail ?? '?')).toBe(true);
    }),
  );
});

test('a hundred thousand tiny writes stay within the limits', () => {
  const cap = createOutputCap({ headBytes: 2, tailBytes: 2 });
  for (let at = 0; at < 100_000; at++) cap.push(Buffer.from('x'));
  expect(cap.text()).toBe('xx\n[… 99996 bytes left out …]\nxx');
});

test('lines are the same however the bytes were cut', () => {
  fc.assert(
    fc.property(anyText, anySizes, (text, sizes) => {
      const lines: string[] = [];
      const splitter = createLineSplitter(1_000, line => lines.push(line));
      for (const chunk of getChunks(text, sizes)) splitter.push(chunk);
      splitter.end();
      const expected = text.split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(lines).toEqual(expected);
    }),
  );
});

test('a line that is too long is cut and marked, and the next one is whole', () => {
  const lines: string[] = [];
  const splitter = createLineSplitter(3, line => lines.push(line));
  splitter.push(Buffer.from('abcdefgh'));
  splitter.push(Buffer.from('ij\r\nab\r\nabc\n'));
  splitter.end();
  expect(lines).toEqual(['abc…', 'ab', 'abc']);
});
