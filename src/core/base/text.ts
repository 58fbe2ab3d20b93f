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
