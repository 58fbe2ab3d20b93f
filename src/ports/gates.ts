import type { GateAnswer, GateName } from '../core/model/facts.ts';

/** What is asked of the project as a whole; asked twice of the same commit, the answer is the same. */
export interface Gates {
  judge(gate: GateName, signal: AbortSignal): Promise<GateAnswer>;
  /** Takes back what whoever waits for a release was told. */
  withdraw(): Promise<void>;
}
