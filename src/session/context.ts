import type { Policy } from '../core/model/policy.ts';
import type { State } from '../core/state/state.ts';
import type { Ports } from '../ports/index.ts';

/** What the parts of a session look at; a step's context is one. */
export interface SessionContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly signal: AbortSignal;
}
