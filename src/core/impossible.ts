/** One verdict that said no because of tests. */
export interface Rejection {
  readonly attempt: number;
  /** `own`: the task's tests; `older`: they all passed, and tests that passed on the base did not. */
  readonly kind: 'own' | 'older';
  /** Ids of the tests that were red. */
  readonly failing: readonly string[];
}

/** Why nobody can do a task as it is written, for the person who wrote it. */
export interface Impossible {
  readonly reason: string;
  readonly evidence: readonly string[];
}

/** Fewer rejections than this can be bad luck, however they alternate. */
const MIN_ALTERNATING = 3;

/**
 * Reads what was rejected so far as a person would. Two tests of which now one fails and then the
 * other, never neither, contradict each other. And when no attempt is left: what never passed in any of
 * them is for a person, not for another night.
 */
export function getImpossible(rejections: readonly Rejection[], isLast: boolean): Impossible | null {
  const judged = rejections.filter(({ failing }) => failing.length > 0);
  const pair = findPair(judged, isLast ? 1 : 2);
  if (pair && (isLast || judged.length >= MIN_ALTERNATING)) return getContradiction(judged, pair);
  const attempts = new Set(judged.map(({ attempt }) => attempt)).size;
  const [standing] = isLast && attempts > 1 ? getStanding(judged) : [];
  if (standing === undefined) return null;
  const isOlder = judged.some(({ kind, failing }) => kind === 'older' && failing.includes(standing));
  return {
    reason: isOlder
      ? `${standing} passed on the base and failed in all ${attempts} attempts once the task's own tests passed: the two look contradictory`
      : `${standing} failed in all ${attempts} attempts: it may ask for something that cannot be done`,
    evidence: judged.map(getLine),
  };
}

/** Two tests, one of which is red in every verdict, each at times alone, with so many changes from one to the other. */
function findPair(judged: readonly Rejection[], minSwitches: number): readonly [string, string] | null {
  const [first] = judged;
  if (!first) return null;
  const others = new Set(judged.flatMap(({ failing }) => failing));
  for (const one of first.failing) {
    for (const other of others) {
      if (one === other) continue;
      const sides = judged.map(({ failing }) => getSide(failing, one, other));
      if (sides.includes('neither')) continue;
      const alone = sides.filter(side => side !== 'both');
      const switches = alone.filter((side, i) => i > 0 && side !== alone[i - 1]).length;
      if (switches >= minSwitches) return [one, other];
    }
  }
  return null;
}

function getSide(
  failing: readonly string[],
  one: string,
  other: string,
): 'one' | 'other' | 'both' | 'neither' {
  if (failing.includes(one)) return failing.includes(other) ? 'both' : 'one';
  return failing.includes(other) ? 'other' : 'neither';
}

/** Red in every single verdict. */
function getStanding(judged: readonly Rejection[]): readonly string[] {
  return (judged[0]?.failing ?? []).filter(id => judged.every(({ failing }) => failing.includes(id)));
}

function getContradiction(judged: readonly Rejection[], [one, other]: readonly [string, string]): Impossible {
  return {
    reason: `${one} and ${other} look contradictory: in ${judged.length} verdicts one of them failed whenever the other passed`,
    evidence: judged.map(getLine),
  };
}

function getLine({ attempt, failing }: Rejection): string {
  const more = failing.length > 3 ? ` and ${failing.length - 3} more` : '';
  return `attempt ${attempt}: ${failing.slice(0, 3).join(', ')}${more} failed`;
}
