import type { CheckResult } from '../model/check.ts';
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
  readonly history: LandedQuality[];
  readonly fileSizes: Map<string, { lines: number; sessionAdded: number; linesWhenAdded: number }>;
}

/** Until a worker has said what its project thinks of that. */
const DEFAULT_MAX_FILE_LINES = 500;

export function createQuality(): Quality {
  return {
    maxFileLines: DEFAULT_MAX_FILE_LINES,
    oversized: 0,
    lines: 0,
    lint: null,
    history: [],
    fileSizes: new Map(),
  };
}

/** Takes the sizes of the landed files into account, and what lint said of them. */
export function addLandedQuality(quality: Quality, attempt: Attempt): void {
  const { fileSizes, history } = quality;
  let grownLines = 0;
  for (const [path, lines] of Object.entries(attempt.candidate?.lines ?? {})) {
    const known = fileSizes.get(path);
    if (known) grownLines += (lines ?? 0) - known.lines;
    count(quality, known?.lines ?? null, lines);
    if (lines === null) fileSizes.delete(path);
    else if (known) known.lines = lines;
    else fileSizes.set(path, { lines, sessionAdded: attempt.session, linesWhenAdded: lines });
  }
  const { session, task } = attempt;
  const lint = getLint(attempt.judged?.checks ?? []);
  quality.lint = lint ?? quality.lint;
  history.push({ session, task, lint, grownLines });
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
