/** One piece of text put in the place of another. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit that breaks code, with what picking among many needs to know. */
export interface Break extends Edit {
  readonly line: number;
  readonly what: string;
  readonly kind: 'body' | 'single' | 'effect';
  /** What it belongs to, so that the chosen ones are spread. */
  readonly unit: string;
}

/** The text with all edits made; of two that overlap, the outer one. */
export function getEdited(text: string, edits: readonly Edit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  let [edited, at] = ['', 0];
  for (const edit of sorted) {
    if (edit.start < at) continue;
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

/** Takes from each unit in turn, in an order that only the seed decides. */
export function getSpread(breaks: readonly Break[], limit: number, seed: string): readonly Break[] {
  const units = new Map<string, Break[]>();
  for (const one of breaks) units.set(one.unit, [...(units.get(one.unit) ?? []), one]);
  const queues = [...units.values()].map(queue => getShuffled(queue, seed));
  const picked: Break[] = [];
  for (let round = 0; picked.length < limit && queues.some(queue => queue.length > round); round++) {
    for (const queue of queues) if (queue[round]) picked.push(queue[round] as Break);
  }
  return picked.slice(0, limit);
}

function getShuffled(breaks: readonly Break[], seed: string): readonly Break[] {
  const keyed = breaks.map(one => ({ one, key: getHash(`${seed} ${one.start} ${one.end} ${one.text}`) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

/** FNV-1a: cheap, and the same everywhere. */
function getHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
