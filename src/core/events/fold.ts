import { createState, type State } from '../state/state.ts';
import { getEventKind, type HarnessEvent, type StoredEvent } from './event.ts';
import { getScope, type Recorded } from './kind.ts';

/** State is nothing but the events, replayed. */
export function fold(events: Iterable<StoredEvent>): State {
  const state = createState();
  for (const stored of events) apply(state, stored);
  return state;
}

/** Applies one recorded event in place and returns the tasks whose index rows may have changed. */
export function apply(state: State, stored: StoredEvent): Set<string> {
  const touched = new Set<string>();
  applyEvent(state, stored.event, { atMs: stored.atMs, touched });
  state.version = stored.version;
  state.seq = stored.seq;
  state.updatedAtMs = stored.atMs;
  if (state.createdAtMs === 0) state.createdAtMs = stored.atMs;
  return touched;
}

function applyEvent(state: State, event: HarnessEvent, recorded: Recorded): void {
  const kind = getEventKind(event);
  if (kind.advance && 'attempt' in event) kind.advance(getScope(state, event, recorded), event);
  else kind.apply?.(state, event, recorded);
}
