/** The candidate a mistyped name most likely meant; spelling style does not count. */
export function getNearest(name: string, candidates: readonly string[]): string | null {
  const wanted = getBareName(name);
  const limit = wanted.length < 4 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  let best: string | null = null;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    const distance = getDistance(wanted, getBareName(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A name without its style: perSessionUsd, per-session-usd and per_session_usd are one. */
export function getBareName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '');
}

function getDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
