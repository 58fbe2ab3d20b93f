/** How much a linter or a type checker found. */
export interface ProblemCount {
  readonly errors: number;
  readonly warnings: number;
}

/**
 * Reads the count from what the tool printed: its own last word where it has one, its lines otherwise.
 * Null when neither is known, or when the beginning is missing and lines cannot be counted.
 */
export function countProblems(output: string, isWhole = true): ProblemCount | null {
  for (const read of SUMMARIES) {
    const found = read(output);
    if (found) return found;
  }
  return isWhole ? countLines(output) : null;
}

/** Whether the second count is worse than the first: errors weigh before warnings. */
export function isWorse(before: ProblemCount, after: ProblemCount): boolean {
  if (after.errors !== before.errors) return after.errors > before.errors;
  return after.warnings > before.warnings;
}

const MAX_NEW_LINES = 20;

/** Lines of the second output that the first does not have, wherever in a file they now point. */
export function getNewLines(before: string, after: string): readonly string[] {
  const known = new Map<string, number>();
  for (const line of getLines(before)) known.set(getShape(line), (known.get(getShape(line)) ?? 0) + 1);
  const fresh = getLines(after).filter(line => {
    const left = known.get(getShape(line)) ?? 0;
    known.set(getShape(line), left - 1);
    return left <= 0;
  });
  return fresh.slice(0, MAX_NEW_LINES);
}

type ReadSummary = (text: string) => ProblemCount | null;

/** The last word of each tool, most particular first. */
const SUMMARIES: readonly ReadSummary[] = [
  readPair(/^\W*\d+ problems? \((\d+) errors?, (\d+) warnings?\)/gm),
  readPair(/^(\d+) errors?, (\d+) warnings?(?:, \d+ informations?)?\s*$/gm),
  readFound,
  readNothing,
];

/** ESLint and Pyright. */
function readPair(pattern: RegExp): ReadSummary {
  return text => {
    const last = [...text.matchAll(pattern)].at(-1);
    return last ? { errors: Number(last[1]), warnings: Number(last[2]) } : null;
  };
}

/** Biome, Ruff, mypy, and tsc where it is pretty. */
function readFound(text: string): ProblemCount | null {
  const found = [...text.matchAll(/^Found (\d+) (error|warning)s?\b/gm)];
  if (found.length === 0) return null;
  const get = (kind: string) => Number(found.findLast(match => match[2] === kind)?.[1] ?? 0);
  return { errors: get('error'), warnings: get('warning') };
}

function readNothing(text: string): ProblemCount | null {
  const isClean = /^(All checks passed!|Success: no issues found)/m.test(text);
  return isClean ? { errors: 0, warnings: 0 } : null;
}

/** `file:line:column: …` and tsc's `file(line,column): …`; null when there is no such line. */
function countLines(text: string): ProblemCount | null {
  const lines = text.split('\n').filter(line => /^\S[^\n]*?(?::\d+(?::\d+)?:|\(\d+,\d+\):) \S/.test(line));
  if (lines.length === 0) return null;
  const warnings = lines.filter(line => /:\s*(?:warning|note)\b/i.test(line)).length;
  return { errors: lines.length - warnings, warnings };
}

/** A line without the numbers in it, since what stands above moves them. */
function getShape(line: string): string {
  return line.replace(/\d+/g, '0').replace(/\s+/g, ' ').trim();
}

function getLines(output: string): string[] {
  return output
    .split('\n')
    .map(line => line.trimEnd())
    .filter(line => line.trim() !== '');
}
