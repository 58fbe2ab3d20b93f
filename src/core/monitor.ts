import type { AgentEvent } from './agent-event.ts';
import { type ContextWatch, createContextWatch, watchContext } from './monitor-context.ts';
import { createErrorWatch, type ErrorWatch, watchErrors } from './monitor-errors.ts';
import { createProgressWatch, type ProgressWatch, watchProgress } from './monitor-progress.ts';
import { createTimeWatch, type TimeWatch, watchTime } from './monitor-time.ts';

/** The limits a session is watched by. */
export interface MonitorRules {
  readonly contextTokens: number;
  readonly warnShare: number;
  readonly wrapUpShare: number;
  readonly checkEveryTokens: number;
  readonly stopAfterStuckChecks: number;
  readonly maxRepeatedErrors: number;
  readonly stuckWarning: string;
  readonly firstEventMs: number;
  readonly idleMs: number;
  readonly warnAtMs: number;
}

/** Something the agent did, or only the passing of time. */
export type Observation = { readonly atMs: number; readonly event: AgentEvent | null };

/** Why a session is ended before the agent ends it. */
export type StopCause = 'context' | 'stuck' | 'silent' | 'idle';

/** What should be done about what was seen; data, so that a test needs no agent. */
export type MonitorCommand =
  | { readonly type: 'inject'; readonly text: string; readonly why: string }
  | { readonly type: 'stop'; readonly cause: StopCause; readonly why: string };

/** Everything the monitors remember of a session. */
export interface MonitorState {
  readonly context: ContextWatch;
  readonly progress: ProgressWatch;
  readonly errors: ErrorWatch;
  readonly time: TimeWatch;
}

export function createMonitor(startedMs: number): MonitorState {
  return {
    context: createContextWatch(),
    progress: createProgressWatch(),
    errors: createErrorWatch(),
    time: createTimeWatch(startedMs),
  };
}

/** One observation through all monitors; each sees it once, and all their commands come back in order. */
export function monitor(
  state: MonitorState,
  seen: Observation,
  rules: MonitorRules,
): { readonly state: MonitorState; readonly commands: readonly MonitorCommand[] } {
  const context = watchContext(state.context, seen, rules);
  const progress = watchProgress(state.progress, seen, rules);
  const errors = watchErrors(state.errors, seen, rules);
  const time = watchTime(state.time, seen, rules);
  return {
    state: { context: context.state, progress: progress.state, errors: errors.state, time: time.state },
    commands: [...context.commands, ...progress.commands, ...errors.commands, ...time.commands],
  };
}
