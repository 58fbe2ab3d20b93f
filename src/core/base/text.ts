/** A count with its word, in the number it needs. */
export function getCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export function getFirstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** A commit as people read it where there is little room. */
export function getShortCommit(commit: string): string {
  return commit.slice(0, 7);
}

/** What may be absent, as the end of a line. */
export function getInBrackets(text: string): string {
  return text ? ` (${text})` : '';
}

/** The first line, at most so long, with a mark where something is missing. */
export function getShort(text: string, most = 100): string {
  return getCut(getFirstLine(text), most);
}

/** All of it on one line, at most so long. */
export function getOneLine(text: string, most: number): string {
  return getCut(text.replace(/\s+/g, ' ').trim(), most);
}

function getCut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
