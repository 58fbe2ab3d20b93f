/** Embeddings and isolates with what ends them; overrides turn even Latin letters around. */
const OPENS: Readonly<Record<string, string>> = {
  '\u202a': '\u202c',
  '\u202b': '\u202c',
  '\u2066': '\u2069',
  '\u2067': '\u2069',
  '\u2068': '\u2069',
};
const CONTROL = /[\u202a-\u202e\u2066-\u2069]/;
const OVERRIDE = /[\u202d\u202e]/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Letters without a shape, and texts in tags; a flag of a region is the one thing tags are for. */
const SHAPELESS =
  /[\u3164\uffa0\u115f\u1160]|(?<!\u{1f3f4}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u;

/** Why a line shows something else than it says; null for one that does not, right-to-left texts included. */
export function getHiddenText(line: string): string | null {
  if (SHAPELESS.test(line)) return 'characters that nobody sees';
  if (!CONTROL.test(line)) return null;
  const isText = RIGHT_TO_LEFT.test(line) && !OVERRIDE.test(line) && isClosed(line);
  return isText ? null : 'controls of direction, so that it reads in another order than it runs';
}

function isClosed(line: string): boolean {
  const open: string[] = [];
  for (const character of line) {
    const end = OPENS[character];
    if (end) open.push(end);
    else if (CONTROL.test(character) && open.pop() !== character) return false;
  }
  return open.length === 0;
}
