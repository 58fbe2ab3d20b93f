import { packState } from '../core/saved/pack-state.ts';
import { type ClosedPart, getMark, type SavedHead } from '../core/saved/saved-head.ts';
import { getPartNames, unpackState } from '../core/saved/unpack-state.ts';
import type { State } from '../core/state/state.ts';
import type { Store } from '../ports/index.ts';
import { pause } from './pause.ts';

/** A state as the store had it, and the parts of which it is still made. */
interface SavedState {
  readonly state: State;
  readonly parts: readonly ClosedPart[];
}

/** So many parts are asked for at once. */
const PARTS_AT_ONCE = 16;

/**
 * What was saved of a stream by the very same rules, no later than wanted, and ends with an event of this very log; null for anything else.
 * It is a cache: whatever is wrong with it, the log has it all.
 */
export async function readSavedState(
  store: Store,
  stream: string,
  { fold, upToSeq }: { readonly fold: string; readonly upToSeq: number },
): Promise<SavedState | null> {
  try {
    const bytes = await store.savedGet(stream);
    const head = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as SavedHead);
    if (head?.fold !== fold || head.seq > upToSeq) return null;
    const [last] = await store.read({ stream, fromSeq: head.seq, limit: 1 });
    if (!last || getMark(last) !== head.mark) return null;
    const unpacking = unpackState(head, await readParts(store, stream, getPartNames(head)));
    for (;;) {
      const step = unpacking.next();
      if (step.done) return { state: step.value, parts: head.closed };
      await pause();
    }
  } catch {
    return null;
  }
}

async function readParts(
  store: Store,
  stream: string,
  names: readonly string[],
): Promise<Map<string, () => Uint8Array>> {
  const bodies = new Map<string, () => Uint8Array>();
  for (let at = 0; at < names.length; at += PARTS_AT_ONCE) {
    const found = await store.partsGet(stream, names.slice(at, at + PARTS_AT_ONCE));
    for (const [name, body] of found) bodies.set(name, body);
    await pause();
  }
  return bodies;
}

/** Saves a state that nobody changes meanwhile, with pauses for everything else; the parts that it is made of now. */
export async function writeSavedState(
  store: Store,
  stream: string,
  { state, ...saved }: SavedState & Pick<SavedHead, 'fold' | 'mark'>,
): Promise<readonly ClosedPart[]> {
  try {
    const packing = packState(state, saved);
    for (let name = ''; ; await pause()) {
      const step = packing.next(name);
      if (!step.done) {
        name = await store.partPut(stream, new TextEncoder().encode(step.value));
        continue;
      }
      const head = new TextEncoder().encode(JSON.stringify(step.value));
      const isSaved = await store.savedPut(stream, head, getPartNames(step.value));
      return isSaved ? step.value.closed : saved.parts;
    }
  } catch {
    // Nothing is lost: the next one to open the project folds some more events.
    return saved.parts;
  }
}
