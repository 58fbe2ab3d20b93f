/** A count with its word, in the number it needs. */
export function getCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** A share of a whole, for people: 0.255 is 25.5 %. */
export function getPercent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
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

/**
 * The line of a failed command's output that says most about why: its first error, not the warnings and the
 * headlines before it; without any, the last thing it said.
 */
export function getUsefulLine(output: string): string {
  const lines = output
    .replace(COLOURS, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !NOISE.test(line));
  const telling = lines.find(line => TELLING.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return telling.length > MAX_CHARS ? `${telling.slice(0, MAX_CHARS)}…` : telling;
}

const MAX_CHARS = 200;
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/** Warnings, stack frames, and lines that only announce the one that tells. */
const NOISE =
  /^npm (?:warn|notice)\b|^npm (?:error|ERR!) *(?:$|code |errno |syscall |path |A complete log)|^at |^> |^\[(?:INFO|WARNING)\]|^\W*$|^(?:Traceback|During handling)|^(?:warning|WARN|DeprecationWarning)\b/i;

const TELLING =
  /\berr(?:or)?\b|\bERR!|\bfatal\b|\bfail(?:ed|ure)\b|\bcannot\b|\bcould not\b|\bnot found\b|\bno such\b|\bno module\b|\bmissing\b|\bE[A-Z]{4,}\b|\bnot installed\b|Error:/i;

export function getSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
