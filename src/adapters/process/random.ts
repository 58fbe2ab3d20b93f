import { randomBytes } from 'node:crypto';
import type { Random } from '../../ports/index.ts';

/** Chance from the operating system. */
export function createRandom(): Random {
  return { token: () => randomBytes(10).toString('hex') };
}
