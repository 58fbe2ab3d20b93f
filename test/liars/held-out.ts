import type { Play } from './case.ts';
import type { Kit } from './kits/kit.ts';

/** Tests of the same task that the agent never sees. */
export function getHeldOut(kit: Kit): Pick<Play, 'heldOut'> {
  const name = kit.runner === 'pytest' ? 'get_discounted' : 'getDiscounted';
  return { heldOut: { [kit.test('unseen')]: kit.suite({ discount: [name] }, kit.product.heldOut) } };
}
