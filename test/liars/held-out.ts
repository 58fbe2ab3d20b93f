import type { Play } from './case.ts';
import type { Kit } from './kits/kit.ts';

/** Tests of the same task that the agent never sees. */
export function getHeldOut(_kit: Kit): Partial<Play> {
  return {};
}
