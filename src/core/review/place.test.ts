import { describe, expect, it } from 'vitest';
import { findPlace, hasWords } from './place.ts';

const TEXT = [
  'function one() {',
  '  return first + second;',
  '}',
  'function two() {',
  '  return other;',
  '}',
].join('\n');
const FAR = `${TEXT}\n${'\n'.repeat(60)}  return first + second;`;

describe('findPlace', () => {
  it.each<[string, string, number | null, string, number | null]>([
    ['where it says', TEXT, 2, 'return first + second;', 2],
    ['near the line', TEXT, 6, 'return first + second;', 2],
    ['blanks aside', TEXT, 2, 'return   first +\n second;', 2],
    ['over two lines', TEXT, 1, 'function one() {\n  return first', 1],
    ['at the only place there is', TEXT, 900, 'return first + second;', 2],
    ['of two the nearer', FAR, 66, 'return first + second;', 67],
    ['one of two without a line', FAR, null, 'return first + second;', null],
    ['nowhere', TEXT, 2, 'return first - second;', null],
    ['too short to mean anything', TEXT, 2, 'return', null],
  ])('%s', (_, text, line, quote, place) => {
    expect(findPlace(text, line, quote)).toBe(place);
  });
});

it('words are found across lines, and only whole', () => {
  expect(hasWords(TEXT, '} function two() {')).toBe(true);
  expect(hasWords(TEXT, 'function three')).toBe(false);
});
