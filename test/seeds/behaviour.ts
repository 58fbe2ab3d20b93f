import type { Stage } from './stage.ts';

/** One behaviour that somebody who comes from another harness is used to, and what shows that it is here. */
export interface Behaviour {
  /** The row of docs/coming-from.md that it belongs to, and a number of its own: `A7.2`. */
  readonly id: string;
  /** What was asked for, in brief. */
  readonly asked: string;
  /** What is run. */
  readonly command: string;
  /** What has to be seen. */
  readonly seen: string;
  /** Runs it and fails unless it is seen. */
  readonly show: (stage: Stage) => Promise<void>;
}

/** A behaviour that is not built yet, and the capability it comes with. */
export interface Later {
  readonly id: string;
  readonly asked: string;
  readonly later: LaterPart;
}

/** What is still to come, in the order it is planned. */
export type LaterPart = 'workers' | 'phases' | 'control room' | 'GitHub' | 'plugin';

export type Row = Behaviour | Later;

export function isLater(row: Row): row is Later {
  return 'later' in row;
}
