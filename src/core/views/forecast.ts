import type { State } from '../state/state.ts';

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
