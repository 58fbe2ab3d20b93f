import type { MonitorCommand, MonitorRules, Observation } from './monitor.ts';

/** When the session began, and when the agent was last heard of. */
export interface TimeWatch {
  readonly startedMs: number;
  readonly heardMs: number | null;
  readonly warned: boolean;
  readonly stopped: boolean;
}

export function createTimeWatch(startedMs: number): TimeWatch {
  return { startedMs, heardMs: null, warned: false, stopped: false };
}

/** A silent agent is stopped; a slow one that is heard of now and then is left alone until its time is up. */
export function watchTime(
  state: TimeWatch,
  { event, atMs }: Observation,
  rules: MonitorRules,
): { state: TimeWatch; commands: readonly MonitorCommand[] } {
  if (state.stopped) return { state, commands: [] };
  const heard = event === null ? state : { ...state, heardMs: atMs };
  const silence = getSilence(heard, atMs, rules);
  if (silence) return { state: { ...heard, stopped: true }, commands: [silence] };
  if (!heard.warned && atMs - heard.startedMs >= rules.warnAtMs) {
    const text =
      'The time for this session is nearly up. Bring what you are doing to an end that somebody else can go on from.';
    return {
      state: { ...heard, warned: true },
      commands: [{ type: 'inject', text, why: 'time is nearly up' }],
    };
  }
  return { state: heard, commands: [] };
}

function getSilence(
  { heardMs, startedMs }: TimeWatch,
  atMs: number,
  rules: MonitorRules,
): MonitorCommand | null {
  if (heardMs === null && atMs - startedMs >= rules.firstEventMs) {
    return {
      type: 'stop',
      cause: 'silent',
      why: `nothing was heard in the first ${toSeconds(rules.firstEventMs)} s`,
    };
  }
  if (heardMs !== null && atMs - heardMs >= rules.idleMs) {
    return { type: 'stop', cause: 'idle', why: `nothing was heard for ${toSeconds(rules.idleMs)} s` };
  }
  return null;
}

function toSeconds(ms: number): number {
  return Math.round(ms / 1_000);
}

/** How long until time alone could change anything; null when it cannot. */
export function getNextLookMs(state: TimeWatch, nowMs: number, rules: MonitorRules): number | null {
  const silenceMs =
    state.heardMs === null ? state.startedMs + rules.firstEventMs : state.heardMs + rules.idleMs;
  const warnMs = state.warned ? Number.POSITIVE_INFINITY : state.startedMs + rules.warnAtMs;
  const nextMs = Math.min(silenceMs, warnMs);
  return state.stopped || nextMs === Number.POSITIVE_INFINITY ? null : Math.max(nextMs - nowMs, 50);
}
