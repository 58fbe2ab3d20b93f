import type { GateName } from '../model/facts.ts';

/** What the last look by a gate came to. */
export interface GateLook {
  readonly commit: string;
  readonly passed: boolean;
  /** Null where the gate gives no number. */
  readonly drift: number | null;
  readonly summary: string;
  readonly report: string | null;
  readonly atMs: number;
  /** Landings of the project by then. */
  readonly landings: number;
}

/** Who speaks when a gate pauses the project. */
export const GATE = 'the release gate';

export interface Gates {
  readonly last: Map<GateName, GateLook>;
  /** The drift that a person allows, as a share, where that is more than the configuration does. */
  raisedTo: number;
  /** The commit that can be released, until the tip moves. */
  released: string | null;
}

export function createGates(): Gates {
  return { last: new Map(), raisedTo: 0, released: null };
}
