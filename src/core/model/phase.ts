/** What a product goes through, in this order. */
export const PHASES = ['architecture', 'uiux', 'engineering', 'qa'] as const;

export type Phase = (typeof PHASES)[number];

/** The phase that a word names, in full or as ids of its tasks begin; undefined for any other word. */
export function findPhaseOf(word: unknown): Phase | undefined {
  return PHASES.find(phase => phase === word) ?? SHORT.get(word);
}

const SHORT: ReadonlyMap<unknown, Phase> = new Map([
  ['arch', 'architecture'],
  ['eng', 'engineering'],
]);

/** Phases whose work is read by people before it is built: no test can turn green by it. */
export function isDesign(phase: Phase | undefined): boolean {
  return phase === 'architecture' || phase === 'uiux';
}
