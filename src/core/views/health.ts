import { isMarked } from '../state/regression.ts';
import type { State } from '../state/state.ts';
import { isQuarantined, type MarkedRed } from '../state/suite.ts';
import { getTotal } from '../state/task-moves.ts';

/** Figures, and when they were taken. */
export type Measured<T> = T & { readonly session?: number; readonly atMs?: number };

/** What the score is made of; null where nothing has been measured yet. */
export interface HealthInput {
  readonly tasks: { readonly landed: number; readonly total: number };
  readonly tests: Measured<{ readonly passing: number; readonly failing: number }> | null;
  readonly lint: { readonly errors: number; readonly lines: number } | null;
  readonly files: { readonly oversized: number; readonly total: number } | null;
  /** Tasks that count as landed by somebody's word, and whose own tests failed at the last look. */
  readonly undone?: readonly MarkedRed[];
}

export interface HealthScore {
  /** 0 to 100; null as long as there is nothing to weigh. */
  readonly score: number | null;
  readonly status: 'GOOD' | 'FAIR' | 'POOR' | 'UNKNOWN';
  /** Each part from 0 to 1, or null while it is unknown. */
  readonly parts: Readonly<Record<'tasks' | 'tests' | 'lint' | 'files', number | null>>;
}

const WEIGHTS = { tasks: 0.4, tests: 0.3, lint: 0.2, files: 0.1 } as const;

/**
 * Tasks landed, tests passing, lint errors per line and long files, weighed; the unknown weighs nothing. What counts
 * as done while its own tests fail is not landed here, and nothing is good beside it.
 */
export function getHealthScore({ tasks, tests, lint, files, undone = [] }: HealthInput): HealthScore {
  const parts = {
    tasks: getShare(Math.max(0, tasks.landed - undone.length), tasks.total),
    tests: tests && getShare(tests.passing, tests.passing + tests.failing),
    lint: lint && 1 - Math.min(1, lint.errors / Math.max(1, lint.lines)),
    files: files && 1 - Math.min(1, files.oversized / Math.max(1, files.total)),
  };
  let sum = 0;
  let weights = 0;
  for (const [name, weight] of Object.entries(WEIGHTS)) {
    const part = parts[name as keyof typeof parts];
    if (part === null) continue;
    sum += part * weight;
    weights += weight;
  }
  // Adding shares leaves dust that would tip a project over a border it stands on.
  if (weights === 0) return { score: null, status: 'UNKNOWN', parts };
  const overall = Number((sum / weights).toFixed(9));
  const status = overall > 0.8 && undone.length === 0 ? 'GOOD' : overall > 0.6 ? 'FAIR' : 'POOR';
  return { score: Math.round(100 * overall), status, parts };
}

/** Null where there is nothing to take a share of. */
function getShare(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(1, part / whole);
}

/** What the record knows of a project's health. */
export function getHealth(state: State): HealthScore & HealthInput {
  const { counts, quality } = state;
  const { fileSizes } = quality;
  const input: HealthInput = {
    tasks: { landed: counts.landed, total: getTotal(state) },
    tests: getTestCounts(state),
    lint: quality.lint && { errors: quality.lint.errors, lines: quality.lines },
    files: fileSizes.size === 0 ? null : { oversized: quality.oversized, total: fileSizes.size },
    undone: getUndone(state),
  };
  return { ...input, ...getHealthScore(input) };
}

function getUndone({ suite, tasks }: State): readonly MarkedRed[] {
  const marked = suite.checked?.marked ?? [];
  return marked.filter(({ task: id }) => {
    const task = tasks.get(id);
    return task !== undefined && isMarked(task);
  });
}

/** How many tests passed at the last look, and when that was. */
export function getTestCounts({ suite }: Pick<State, 'suite'>): HealthInput['tests'] {
  const { baseline } = suite;
  if (!baseline) return null;
  const { passing, failing, session, atMs } = baseline;
  return { passing: passing.length, failing: failing.length, session, atMs };
}

/** A file that people should look at before it gets out of hand. */
export interface WatchedFile {
  readonly path: string;
  readonly lines: number;
  /** Lines per session since it was first seen. */
  readonly growth: number;
  readonly isOversized: boolean;
  readonly growsFast: boolean;
}

const FAST_GROWTH = 50;

/** The longest files first, with how fast they grow. */
export function getLargestFiles({ sessions, quality }: State, limit: number): WatchedFile[] {
  return [...quality.fileSizes]
    .map(([path, { lines, sessionAdded, linesWhenAdded }]) => {
      const elapsed = sessions - sessionAdded;
      const growth = elapsed > 0 ? Math.round((10 * (lines - linesWhenAdded)) / elapsed) / 10 : 0;
      const isOversized = lines > quality.maxFileLines;
      return { path, lines, growth, isOversized, growsFast: growth > FAST_GROWTH };
    })
    .sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

/** Tests in quarantine now, by id. */
export function getFlakyTests({ suite }: State): string[] {
  const { quarantine } = suite;
  return [...quarantine.keys()].filter(id => isQuarantined(quarantine, id)).sort();
}

/** After how many more landed tasks the code is due for a clean-up; null where there are none. */
export function getTasksUntilCleanup(
  { landings, cleanup }: Pick<State, 'landings' | 'cleanup'>,
  interval: number,
): number | null {
  return interval === 0 ? null : Math.max(0, interval - (landings - cleanup.landings));
}

/** What the money left may still buy, from what has been spent so far. */
export interface Forecast {
  readonly leftUsd: number;
  /** How many more tasks the money lasts for; null while nothing is known. */
  readonly tasksLeft: number | null;
  /** How long the remaining tasks will take at the pace so far; null when nothing is known or left. */
  readonly etaMs: number | null;
}

/** An honest guess: mean cost and mean time per landed task, nothing cleverer. */
export function getForecast(state: State): Forecast | null {
  if (state.costs.budgetUsd === null) return null;
  const leftUsd = Math.max(0, state.costs.budgetUsd - state.costs.usage.costUsd);
  if (state.landings === 0) return { leftUsd, tasksLeft: null, etaMs: null };
  const perTaskUsd = state.costs.usage.costUsd / state.landings;
  const perTaskMs = (state.updatedAtMs - state.createdAtMs) / state.landings;
  const open = state.counts.pending + state.counts.retry + state.counts.active;
  return {
    leftUsd,
    tasksLeft: perTaskUsd > 0 ? Math.floor(leftUsd / perTaskUsd) : null,
    etaMs: open === 0 ? null : Math.round(perTaskMs * open),
  };
}
