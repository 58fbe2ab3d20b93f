import type { ControlWord, HarnessEvent } from './event.ts';
import type { State } from './state.ts';

/** What a person last said, and the workers who were there to hear it. */
export interface Control extends ControlWord {
  readonly workers: ReadonlySet<string>;
}

export function applyControl(
  state: State,
  { mode, by, reason }: Extract<HarnessEvent, { type: 'control.changed' }>,
): void {
  state.control = { mode, by, reason, workers: new Set(state.workers.keys()) };
}
