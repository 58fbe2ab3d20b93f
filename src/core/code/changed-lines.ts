/** How many line pairs are compared at most; beyond that, all that differs counts as changed. */
const MAX_PAIRS = 4_000_000;

/** The numbers (from 1) of the lines of `after` that `before` does not have in that place. */
export function getChangedLines(before: string | null, after: string): readonly number[] {
  const now = after.split('\n');
  if (before === null) return now.map((_, i) => i + 1).filter(n => n < now.length || now[n - 1] !== '');
  const was = before.split('\n');
  let start = 0;
  while (start < was.length && start < now.length && was[start] === now[start]) start++;
  let [wasEnd, nowEnd] = [was.length, now.length];
  while (wasEnd > start && nowEnd > start && was[wasEnd - 1] === now[nowEnd - 1]) {
    wasEnd--;
    nowEnd--;
  }
  const kept = getKept(was.slice(start, wasEnd), now.slice(start, nowEnd));
  const changed: number[] = [];
  for (let i = start; i < nowEnd; i++) if (!kept.has(i - start)) changed.push(i + 1);
  return changed;
}

/** The same without lines that were only set in or out; all of them where nothing else was changed. */
export function getReworded(before: string | null, after: string): readonly number[] {
  const reworded = getChangedLines(before === null ? null : getFlat(before), getFlat(after));
  return reworded.length > 0 ? reworded : getChangedLines(before, after);
}

function getFlat(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim())
    .join('\n');
}

/** The indexes of the lines of `now` that are part of a longest common run of lines. */
function getKept(was: readonly string[], now: readonly string[]): ReadonlySet<number> {
  const kept = new Set<number>();
  if (was.length * now.length > MAX_PAIRS) return kept;
  const width = now.length + 1;
  const lengths = new Uint32Array((was.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = was.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        was[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < was.length && j < now.length) {
    if (was[i] === now[j]) {
      kept.add(j);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}
