/** A text without what a terminal would act upon instead of showing it, on one line. */
export function getShown(text: string): string {
  return text.replace(SILENT, '').replace(ACTED_UPON, ' ').replace(UNSEEN, '').trim();
}

/** How many cells of a terminal a text takes. */
export function getCells(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of getLetters(text)) cells += getLetterCells(segment);
  return cells;
}

/** As much of a text as so many cells can show, with a mark where something is missing. */
export function cutToCells(text: string, most: number): string {
  if (text.length <= most / 2 || getCells(text) <= most) return text;
  let shown = '';
  let left = most - 1;
  for (const { segment } of getLetters(text)) {
    left -= getLetterCells(segment);
    if (left < 0) break;
    shown += segment;
  }
  return most < 1 ? '' : `${shown}…`;
}

/** A text that takes at least so many cells. */
export function padToCells(text: string, least: number, side: 'left' | 'right' = 'right'): string {
  const padding = ' '.repeat(Math.max(0, least - getCells(text)));
  return side === 'right' ? text + padding : padding + text;
}

const PLAIN = /^[ -~]*$/;
let segmenter: Intl.Segmenter | undefined;

function getLetters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

function getLetterCells(letter: string): number {
  if (WIDE.test(letter)) return 2;
  return SHAPELESS.test(letter) ? 0 : 1;
}

/** East Asian letters that are drawn double, and pictures. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;

const SHAPELESS = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const ESC = '\\u001b';
/** Colours, and what has no place on the screen: titles, links. */
const SILENT = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007${ESC}\\u009c]*(?:\\u0007|${ESC}\\\\|\\u009c)?`,
    `(?:${ESC}\\[|\\u009b)[0-9;:]*m`,
  ].join('|'),
  'g',
);

/** Movements of the cursor, and what is left of control characters: tabs and ends of lines, too. */
const ACTED_UPON = new RegExp(
  `(?:(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|${ESC}[ -/]*[0-~]?|[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029])+`,
  'g',
);

/** What turns the order of letters around, or has no shape and no part in another one's. */
const UNSEEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
