import { packState } from '../../src/core/saved/pack-state.ts';
import type { ClosedPart, SavedHead } from '../../src/core/saved/saved-head.ts';
import { unpackState } from '../../src/core/saved/unpack-state.ts';
import type { State } from '../../src/core/state/state.ts';

export interface Saved {
  readonly head: SavedHead;
  readonly bodies: Map<string, Uint8Array>;
  /** The parts that were written for it; the others were there. */
  readonly written: readonly string[];
}

/** Saves a state in memory, in parts of a few tasks: what comes back has been through JSON and bytes. */
export function saveState(
  state: State,
  before: Pick<Saved, 'bodies'> & { parts: readonly ClosedPart[] },
): Saved {
  const bodies = new Map(before.bodies);
  const written: string[] = [];
  const packing = packState(state, { fold: 'test', mark: 'm', parts: before.parts, rows: 2 });
  let step = packing.next();
  while (!step.done) {
    const body = step.value;
    const name = `part of ${body}`;
    if (!bodies.has(name)) written.push(name);
    bodies.set(name, new TextEncoder().encode(body));
    step = packing.next(name);
  }
  return { head: JSON.parse(JSON.stringify(step.value)), bodies, written };
}

export function restoreState({ head, bodies }: Pick<Saved, 'head' | 'bodies'>): State {
  const lazy = new Map([...bodies].map(([name, body]) => [name, () => body]));
  const unpacking = unpackState(structuredClone(head), lazy);
  let step = unpacking.next();
  while (!step.done) step = unpacking.next();
  return step.value;
}
