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
  readonly history: LandedQuality[];
}

/** The part of the state that is about quality. */
export interface QualityState {
  readonly quality: Quality;
  readonly fileSizes: Map<string, { lines: number; sessionAdded: number; linesWhenAdded: number }>;
}

/** Takes the sizes of the landed files into account, and what lint said of them. */
export function addLandedQuality(state: QualityState, attempt: Attempt): void {
  let grownLines = 0;
  for (const [path, lines] of Object.entries(attempt.candidate?.lines ?? {})) {
    const known = state.fileSizes.get(path);
    if (known) grownLines += (lines ?? 0) - known.lines;
    count(state, known?.lines ?? null, lines);
    if (lines === null) state.fileSizes.delete(path);
    else if (known) known.lines = lines;
    else state.fileSizes.set(path, { lines, sessionAdded: attempt.session, linesWhenAdded: lines });
  }
  const { session, task } = attempt;
  state.quality.history.push({ session, task, lint: getLint(attempt.checks), grownLines });
}

/** Another limit makes other files too long. */
export function setMaxFileLines(state: QualityState, maxFileLines: number): void {
  if (maxFileLines === state.quality.maxFileLines) return;
  state.quality.maxFileLines = maxFileLines;
  const sizes = [...state.fileSizes.values()];
  state.quality.oversized = sizes.filter(({ lines }) => lines > maxFileLines).length;
}

function count({ quality }: QualityState, before: number | null, after: number | null): void {
  const isLong = (lines: number | null) => Number(lines !== null && lines > quality.maxFileLines);
  quality.lines += (after ?? 0) - (before ?? 0);
  quality.oversized += isLong(after) - isLong(before);
}

function getLint(checks: readonly CheckResult[]): LandedQuality['lint'] {
  const { errors, warnings = 0 } = checks.find(({ check }) => check === 'lint')?.measures ?? {};
  return errors === undefined ? null : { errors, warnings };
}
