import type { GateName } from '../core/model/facts.ts';

/** What a gate found at a commit. */
export interface GateAnswer {
  readonly gate: GateName;
  readonly commit: string;
  readonly tree: string;
  readonly passed: boolean;
  readonly drift: number | null;
  readonly summary: string;
  readonly report: string | null;
}

/** What is asked of the project as a whole; asked twice of the same commit, the answer is the same. */
export interface Gates {
  judge(gate: GateName, signal: AbortSignal): Promise<GateAnswer>;
  /** Takes back what whoever waits for a release was told. */
  withdraw(): Promise<void>;
}
