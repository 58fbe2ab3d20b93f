/** A line with the texts that it puts together from pieces put together: a word is a word, however it is spelled. */
export function getUnmasked(line: string): string {
  let text = line.replace(/\\x([0-9a-f]{2})|\\u([0-9a-f]{4})/gi, (_, x?: string, u?: string) =>
    String.fromCharCode(Number.parseInt(x ?? u ?? '', 16)),
  );
  for (let before = ''; before !== text && text.length < 10_000; ) {
    before = text;
    for (const [pattern, join] of JOINS) text = text.replace(pattern, join);
  }
  return text;
}

const PIECE = String.raw`(?:'[^'\\\n]*'|"[^"\\\n]*"|` + '`[^`\\\\$\\n]*`' + ')';
const LIST = String.raw`\s*(${PIECE}(?:\s*,\s*${PIECE})*)\s*,?\s*`;
const NOTHING = `(?:''|""|` + '``' + ')';

type Join = (match: string, ...parts: string[]) => string;

const JOINS: readonly (readonly [RegExp, Join])[] = [
  [new RegExp(`\\[${LIST}\\]\\s*\\.join\\(\\s*${NOTHING}\\s*\\)`, 'g'), (_, list) => quote(getPieces(list))],
  [new RegExp(`${NOTHING}\\.join\\(\\s*[[(]${LIST}[\\])]\\s*\\)`, 'g'), (_, list) => quote(getPieces(list))],
  [new RegExp(`(${PIECE})\\s*\\+\\s*(${PIECE})`, 'g'), (_, a, b) => quote([strip(a), strip(b)])],
  [new RegExp(`(${PIECE})\\.concat\\(\\s*(${PIECE})\\s*\\)`, 'g'), (_, a, b) => quote([strip(a), strip(b)])],
  [
    new RegExp(
      `(${PIECE})(?:\\.split\\(${NOTHING}\\)\\.reverse\\(\\)\\.join\\(${NOTHING}\\)|\\[::-1\\])`,
      'g',
    ),
    (_, text) => quote([...strip(text)].reverse()),
  ],
];

function getPieces(list = ''): readonly string[] {
  return (list.match(new RegExp(PIECE, 'g')) ?? []).map(strip);
}

function strip(piece = ''): string {
  return piece.slice(1, -1);
}

function quote(pieces: readonly string[]): string {
  return `'${pieces.join('').replaceAll("'", '"')}'`;
}
