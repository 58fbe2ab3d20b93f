import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToCells, getCells, getShown, padToCells } from './cells.ts';

describe('cells of a terminal', () => {
  it.each<[string, string, number]>([
    ['plain letters', 'land', 4],
    ['Chinese', '修复税', 6],
    ['Hangul', '한글', 4],
    ['full-width letters', 'Ａ', 2],
    ['pictures', '🚀!', 3],
    ['a picture of several characters', '👩‍💻', 2],
    ['a flag', '🇨🇭', 2],
    ['an accent of its own', 'e\u0301', 1],
    ['the marks of our own lines', '▶✔✘…', 4],
    ['nothing', '', 0],
  ])('%s', (_, text, cells) => {
    expect(getCells(text)).toBe(cells);
  });

  it.each<[string, number, string]>([
    ['edit src/tax.ts', 15, 'edit src/tax.ts'],
    ['edit src/tax.ts', 8, 'edit sr…'],
    ['修复税率', 8, '修复税率'],
    ['修复税率', 7, '修复税…'],
    ['修复税率', 6, '修复…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('"%s" in %i cells is "%s"', (text, most, shown) => {
    expect(cutToCells(text, most)).toBe(shown);
  });

  it('nothing that is cut takes more cells than there are, and nothing that is padded fewer', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 30 }), (text, cells) => {
        expect(getCells(cutToCells(text, cells))).toBeLessThanOrEqual(cells);
        expect(getCells(padToCells(text, cells))).toBeGreaterThanOrEqual(cells);
      }),
    );
  });
});

describe('what an agent printed, on our screen', () => {
  it.each<[string, string, string]>([
    ['colours', '\u001b[32mgreen\u001b[0m', 'green'],
    ['a cursor that moves up', 'a\u001b[3Ab', 'a b'],
    ['a title for the window', '\u001b]0;gone\u0007here', 'here'],
    ['a link', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['a title that never ends', 'here\u001b]0;gone', 'here'],
    ['commands of one byte', '\u009b2Jhere\u0085there', 'here there'],
    ['a reset', '\u001bchere', 'here'],
    ['ends of lines, tabs and backspaces', 'a\r\nb\tc\b', 'a b c'],
    ['a change of direction', 'a\u202eb', 'ab'],
    ['pictures of several characters', '👩‍💻 works', '👩‍💻 works'],
  ])('%s', (_, printed, shown) => {
    expect(getShown(printed)).toBe(shown);
  });

  it('has nothing left that a terminal would act upon', () => {
    const units = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '3',
      ';',
      'A',
      '\u0007',
      '\u009b',
      '\\',
      'x',
      '\n',
      'P',
    );
    fc.assert(
      fc.property(fc.string({ unit: units }), printed => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(getShown(printed)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
