import { isIn } from '../base/random-value.ts';
import { getExtension } from '../base/tree-path.ts';
import { canScan } from './imports.ts';
import { isCompiled } from './source-files.ts';

/** Languages whose comments begin so; the others have two slashes. */
const HASH: ReadonlySet<string> = new Set(
  'sh bash zsh fish ps1 py pyi rb pl pm r jl ex exs nim tcl'.split(' '),
);

/** What begins a comment in a file of code; null for what is no code. */
export function getCommentMark(path: string, text: string): '#' | '//' | null {
  const extension = getExtension(path);
  if (HASH.has(extension)) return '#';
  if (canScan(path) || isCompiled(path)) return '//';
  if (!text.startsWith('#!')) return null;
  return text.split('\n', 1)[0]?.includes('node') ? '//' : '#';
}

/** Why a line of code is other code than it shows; null for one that is not. */
export function getHiddenCode(line: string, comment: '#' | '//'): string | null {
  const shown = line.trimEnd();
  if (['\r', '\u2028', '\u2029'].some(end => shown.includes(end)))
    return 'ends of lines that editors do not show';
  if (isAscii(line)) return null;
  const letters = [...line];
  const isJoined = (at: number) => isLatin(letters[at - 1] ?? '') && isLatin(letters[at + 1] ?? '');
  if (letters.some((letter, at) => (letter === '\u200c' || letter === '\u200d') && isJoined(at)))
    return 'joiners that nobody sees inside of a name';
  const words = getWords(getCode(line, comment));
  const foreign = words.filter(word => ![...word].some(isLatin)).length;
  // A line of a long comment or text, of which the line alone does not tell that it is one.
  if (foreign * 2 > words.length) return null;
  return words.some(isMixed) ? 'letters of another script that look like Latin ones' : null;
}

function isAscii(line: string): boolean {
  for (let at = 0; at < line.length; at++) if (line.charCodeAt(at) > 127) return false;
  return true;
}

function isLatin(letter: string): boolean {
  return letter.length === 1 && (isIn(letter, 'az') || isIn(letter, 'AZ'));
}

/** What is left of a line without its comments and the texts in quotes. */
function getCode(line: string, comment: string): string {
  let code = '';
  for (let at = 0; at < line.length; at++) {
    if (line.startsWith(comment, at) || (code.trim() === '' && line.charAt(at) === '*')) return code;
    const mark = line.startsWith('/*', at) ? '*/' : line.charAt(at);
    const end = mark === '*/' || QUOTES.includes(mark) ? line.indexOf(mark, at + 1) : -1;
    const isText = end > 0 && (mark !== '`' || !line.slice(at, end).includes('${'));
    code += isText ? ' ' : line.charAt(at);
    if (isText) at = end + mark.length - 1;
  }
  return code;
}

const QUOTES: readonly string[] = ['"', "'", '`'];

function getWords(code: string): readonly string[] {
  const letters = [...code].map(letter => (letter.toLowerCase() === letter.toUpperCase() ? ' ' : letter));
  return letters
    .join('')
    .split(' ')
    .filter(word => word !== '');
}

const CYRILLIC = 'АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ';
const GREEK = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο';
/** Symbols of formulas too, which stand before or after a name: `ρw`, `sinα`. */
const SYMBOLS = 'αγικνρυχ';

/** Whether a word has Latin letters and such as only look like them, and no others that would tell. */
function isMixed(word: string): boolean {
  const letters = [...word];
  const others = letters.filter(letter => !isLatin(letter));
  const isLike = (letter: string) => (CYRILLIC + GREEK + SYMBOLS).includes(letter);
  if (others.length === 0 || others.length === letters.length || !others.every(isLike)) return false;
  return letters.some(
    (letter, at) =>
      (CYRILLIC + GREEK).includes(letter) ||
      (SYMBOLS.includes(letter) && isLatin(letters[at - 1] ?? '') && isLatin(letters[at + 1] ?? '')),
  );
}
