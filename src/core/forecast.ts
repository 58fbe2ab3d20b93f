import type { State } from './state.ts';

/** What the money left may still buy, from what has been spent so far. */
export interface Forecast {
  readonly leftUsd: number;
  readonly costPerTaskUsd: number | null;
  /** How many more tasks the money lasts for; null before the first landing. */
  readonly tasksLeft: number | null;
  /** When the remaining tasks will be done at the pace so far; null when nothing is known or left. */
  readonly etaMs: number | null;
}

/** An honest guess: mean cost and mean time per landed task, nothing cleverer. */
export function getForecast(state: State, totalUsd: number): Forecast {
  const leftUsd = Math.max(0, totalUsd - state.usage.costUsd);
  const landed = [...state.tasks.values()].filter(task => task.landed?.commit);
  if (landed.length === 0) return { leftUsd, costPerTaskUsd: null, tasksLeft: null, etaMs: null };
  const costPerTaskUsd = state.usage.costUsd / landed.length;
  const open = state.counts.pending + state.counts.retry + state.counts.active;
  const spentMs = state.updatedAtMs - state.createdAtMs;
  return {
    leftUsd,
    costPerTaskUsd,
    tasksLeft: costPerTaskUsd > 0 ? Math.floor(leftUsd / costPerTaskUsd) : null,
    etaMs: open === 0 ? null : Math.round((spentMs / landed.length) * open),
  };
}
