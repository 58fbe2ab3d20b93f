import type { CheckResult } from '../model/check.ts';
import { isLockfile } from '../model/policy.ts';
import type { Attempt } from './attempt.ts';

/** What one landing did to the code besides its purpose. */
export interface LandedQuality {
  readonly session: number;
  readonly task: string;
  /** What the linter counted on it; null where it was not asked or cannot be counted. */
  readonly lint: { readonly errors: number; readonly warnings: number } | null;
  /** Lines that files known before have gained or lost. */
  readonly grownLines: number;
}

/** Quality as it goes, so that nothing has to be counted again. */
export interface Quality {
  maxFileLines: number;
  oversized: number;
  lines: number;
  /** What was counted last: asked with every event, so it is not looked for. */
  lint: LandedQuality['lint'];
  /** Of the last landings; a trend needs no more. */
  readonly history: LandedQuality[];
  /** Whose files are measured; null before the first look. */
  tree: string | null;
  readonly fileSizes: Map<string, { lines: number; sessionAdded: number; linesWhenAdded: number }>;
}

const MAX_HISTORY = 100;

/** Until a worker has said what its project thinks of that. */
const DEFAULT_MAX_FILE_LINES = 500;

export function createQuality(): Quality {
  return {
    maxFileLines: DEFAULT_MAX_FILE_LINES,
    oversized: 0,
    lines: 0,
    lint: null,
    history: [],
    tree: null,
    fileSizes: new Map(),
  };
}

/** Takes the sizes of the landed files into account, and what lint said of them. */
export function addLandedQuality(quality: Quality, attempt: Attempt): void {
  const { fileSizes, history } = quality;
  const { session, task, candidate } = attempt;
  let grownLines = 0;
  for (const [path, lines] of Object.entries(candidate?.lines ?? {})) {
    const known = fileSizes.get(path);
    if (known) grownLines += (lines ?? 0) - known.lines;
    if (!isLockfile(path)) setSize(quality, path, lines, session);
  }
  // Until there was a first look, what is known is what was worked on.
  if (quality.tree !== null) quality.tree = candidate?.tree ?? quality.tree;
  const lint = getLint(attempt.judged?.checks ?? []);
  quality.lint = lint ?? quality.lint;
  history.push({ session, task, lint, grownLines });
  if (history.length > MAX_HISTORY) history.shift();
}

/** What a look at all files found new: those of the first one were there before any session. */
export function setSizes(
  quality: Quality,
  seen: {
    readonly tree: string;
    readonly lines: Readonly<Record<string, number | null>>;
    readonly session: number;
  },
): void {
  const session = quality.tree === null ? 0 : seen.session;
  for (const [path, lines] of Object.entries(seen.lines)) setSize(quality, path, lines, session);
  quality.tree = seen.tree;
}

/** Which files are not as long as is known: null for those that are gone. */
export function getNewSizes(
  { fileSizes }: Pick<Quality, 'fileSizes'>,
  lines: Readonly<Record<string, number>>,
): Record<string, number | null> {
  const fresh = Object.entries(lines).filter(([path, count]) => fileSizes.get(path)?.lines !== count);
  const gone = [...fileSizes].flatMap(([path, known]) =>
    known.lines > 0 && lines[path] === undefined ? [path] : [],
  );
  return { ...Object.fromEntries(fresh), ...Object.fromEntries(gone.map(path => [path, null])) };
}

function setSize(quality: Quality, path: string, lines: number | null, session: number): void {
  const { fileSizes } = quality;
  const known = fileSizes.get(path);
  count(quality, known?.lines ?? null, lines);
  if (lines === null) fileSizes.delete(path);
  else if (known) known.lines = lines;
  else fileSizes.set(path, { lines, sessionAdded: session, linesWhenAdded: lines });
}

/** Another limit makes other files too long. */
export function setMaxFileLines(quality: Quality, maxFileLines: number): void {
  if (maxFileLines === quality.maxFileLines) return;
  quality.maxFileLines = maxFileLines;
  quality.oversized = [...quality.fileSizes.values()].filter(({ lines }) => lines > maxFileLines).length;
}

function count(quality: Quality, before: number | null, after: number | null): void {
  const isLong = (lines: number | null) => Number(lines !== null && lines > quality.maxFileLines);
  quality.lines += (after ?? 0) - (before ?? 0);
  quality.oversized += isLong(after) - isLong(before);
}

function getLint(checks: readonly CheckResult[]): LandedQuality['lint'] {
  const { errors, warnings = 0 } = checks.find(({ check }) => check === 'lint')?.measures ?? {};
  return errors === undefined ? null : { errors, warnings };
}
