import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findJsonError } from './json-error.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it('finds an error exactly where JSON.parse does, whatever was cut out or put in', () => {
  const texts = fc.oneof(
    fc.tuple(fc.json(), fc.nat(), fc.nat(3), fc.string({ maxLength: 2 })).map(([json, at, length, extra]) => {
      const start = at % (json.length + 1);
      return json.slice(0, start) + extra + json.slice(start + length);
    }),
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0tfn1-+.e \n') }),
  );
  fc.assert(
    fc.property(texts, text => {
      expect(findJsonError(text) === null).toBe(isJson(text));
    }),
    { numRuns: 500 },
  );
});

it('does not mind 100,000 open brackets', () => {
  expect(findJsonError('['.repeat(100_000))?.message).toBe('ends too early: a value was expected');
});
