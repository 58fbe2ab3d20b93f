import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createByteLines } from './stream.ts';

function split(chunks: readonly Uint8Array[], maxLineBytes = 1_000) {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = createByteLines(
    maxLineBytes,
    line => lines.push(line.toString('latin1')),
    () => tooLong++,
  );
  for (const chunk of chunks) splitter.push(chunk);
  return { lines, tooLong, rest: splitter.rest() };
}

test('lines are the same wherever the stream is cut', () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 });
  fc.assert(
    fc.property(parts, chunks => {
      const whole = Buffer.concat(chunks).toString('latin1').split('\n');
      const { lines, rest } = split(chunks);
      expect(lines).toEqual(whole.slice(0, -1).filter(line => line !== ''));
      expect(rest).toBe(whole.at(-1)?.length);
    }),
  );
});

test('a line that is too long is told once, and nothing is heard after it', () => {
  const chunks = ['ok\n', 'x'.repeat(60), 'x'.repeat(60), '\nmore\n', 'x'.repeat(200)].map(
    Buffer.from as never,
  );
  expect(split(chunks as Buffer[], 100)).toMatchObject({ lines: ['ok'], tooLong: 1 });
});

test('a line of exactly the limit is heard', () => {
  expect(split([Buffer.from('12345\n')], 5)).toMatchObject({ lines: ['12345'], tooLong: 0 });
  expect(split([Buffer.from('123456\n')], 5)).toMatchObject({ lines: [], tooLong: 1 });
});
