/** Where a value stands in a text: `text.slice(start, end)` is the value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Member {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Span;
}

/** The first value's place in a JSON text, behind blanks and a byte order mark. */
export function getRootStart(text: string): number {
  return skipBlanks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
}

/**
 * The members of the object that starts at `start`, with their places, so that one value can be
 * edited and every other byte kept. For text that JSON.parse has accepted; looks only one level deep.
 */
export function getMembers(text: string, start: number): readonly Member[] {
  const members: Member[] = [];
  let at = skipBlanks(text, start + 1);
  while (text[at] === '"') {
    const keySpan = { start: at, end: getStringEnd(text, at) };
    const valueStart = skipBlanks(text, skipBlanks(text, keySpan.end) + 1);
    const value = { start: valueStart, end: getValueEnd(text, valueStart) };
    members.push({ key: getKey(text, keySpan), keySpan, value });
    at = skipBlanks(text, value.end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return members;
}

/** The elements of the array that starts at `start`, with their places. */
export function getElements(text: string, start: number): readonly Span[] {
  const elements: Span[] = [];
  let at = skipBlanks(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const span = { start: at, end: getValueEnd(text, at) };
    elements.push(span);
    at = skipBlanks(text, span.end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return elements;
}

/** The member that counts where a key is written twice: the last, as for JSON.parse. */
export function getMember(members: readonly Member[], key: string): Member | null {
  return members.findLast(member => member.key === key) ?? null;
}

function skipBlanks(text: string, at: number): number {
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function getKey(text: string, { start, end }: Span): string {
  const key = text.slice(start + 1, end - 1);
  return key.includes('\\') ? JSON.parse(`"${key}"`) : key;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function getValueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return getStringEnd(text, start);
  if (first !== '{' && first !== '[') return getScalarEnd(text, start);
  let depth = 0;
  BRACKETS.lastIndex = start;
  for (let match = BRACKETS.exec(text); match; match = BRACKETS.exec(text)) {
    if (match[0] === '"') BRACKETS.lastIndex = getStringEnd(text, match.index);
    else if (match[0] === '{' || match[0] === '[') depth++;
    else if (--depth === 0) return match.index + 1;
  }
  return text.length;
}

const BRACKETS = /["{}[\]]/g;

/** Numbers and literals hold letters, digits, signs and dots only. */
function getScalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isBlank(text.charCodeAt(at)) && !',]}'.includes(text[at] as string)) at++;
  return Math.max(at, start + 1);
}

function getStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
