import { HarnessError } from './failure.ts';

interface Gap {
  readonly path: string;
  readonly why: string;
  readonly fix: string;
}

const MAX_NAMED = 5;

/** Why nothing is judged in a tree that is not whole, and what a person can do about it. */
export function getGapError(gaps: readonly Gap[]): HarnessError {
  const named = gaps.slice(0, MAX_NAMED).map(({ path, why }) => `${path} (${why})`);
  const more = gaps.length - named.length;
  const fixes = [...new Set(gaps.map(({ fix }) => fix))];
  const fix = `${fixes.join('; ')}; or have environment.install fill it, or accept it in environment.accept_unfilled (then every proof says so)`;
  return new HarnessError(
    'environment',
    `the tree to be judged is not whole: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. To fix it: ${fix}`,
    { field: 'environment.accept_unfilled', fix },
  );
}

/** What a proof says first when it was made without some of the files. */
export function getUnfilledText(paths: readonly string[] | undefined): string {
  if (!paths || paths.length === 0) return '';
  const more = paths.length - MAX_NAMED;
  return `, on a tree that was not whole: without ${paths.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
