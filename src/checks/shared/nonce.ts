import type { CheckContext } from './context.ts';

/** A word that is nowhere in the project, the same for the same bytes, so that the run is remembered. */
export async function readNonce({ ports, candidate }: CheckContext): Promise<string> {
  const { store, random } = ports;
  const key = `canary-nonce:${candidate.tree}`;
  const token = () => random.token().replace(/[^a-z0-9]/gi, '');
  const nonce = (await store.cacheGet(key)) ?? `c${token().slice(0, 10)}`;
  await store.cachePut(key, nonce);
  return nonce;
}
