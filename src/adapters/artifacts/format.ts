import type { HarnessEvent } from '../../core/events/event.ts';
import type { State } from '../../core/state/state.ts';

/** An id as the backlog file spells it: features.json has numbers. */
export function getFeatureId(id: string): string | number {
  return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}

/** A time for people: whole seconds, UTC. */
export function getIsoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Dollars without the dust of adding floating-point numbers. */
export function getUsd(value: number): number {
  return Number(value.toFixed(6));
}

export function getJsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The session an event belongs to; events of no attempt belong to the newest. */
export function getSession(state: State, event: HarnessEvent): number {
  if ('session' in event) return event.session;
  if (!('attempt' in event)) return state.sessions;
  const active = state.active.get(event.task);
  if (active?.number === event.attempt) return active.session;
  const past = state.tasks.get(event.task)?.history.findLast(a => a.number === event.attempt);
  return past?.session ?? state.sessions;
}
