import type { SeedProject } from '../seeds/stage.ts';

export type Files = Readonly<Record<string, string | null>>;

/** One setting that is changed, and what tells it: seen with one of the two values and not with the other. */
export interface Change {
  /** Left out when absent. */
  readonly from?: unknown;
  readonly to: unknown;
  readonly tells: RegExp;
}

/** Two runs of the built program in the same small project that differ in these settings alone. */
export interface Probe {
  /** By the setting's path in the schema; several at once, where each is told by something of its own. */
  readonly change: Readonly<Record<string, Change>>;
  /** Settings that both runs have, besides those of the sample project. */
  readonly with?: object;
  readonly files?: Files;
  readonly env?: Readonly<Record<string, string>>;
  /** What is run, one after the other; `harness run` when absent. */
  readonly run?: readonly (readonly string[])[];
  /** What has to be there, or to happen, first. */
  prepare?(project: SeedProject): void | Promise<void>;
  /** What is looked at besides what the commands print. */
  look?(project: SeedProject): string | Promise<string>;
}
