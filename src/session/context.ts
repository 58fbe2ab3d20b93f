import type { Policy } from '../core/model/policy.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { State } from '../core/state/state.ts';
import type { Ports } from '../ports/index.ts';

/** What the parts of a session look at; a step's context is one. */
export interface SessionContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly state: State;
  readonly signal: AbortSignal;
}

/** How events name a session. */
export function getSessionRef({ task, number, session }: Attempt) {
  return { task, attempt: number, session };
}
