/** A branch as git's own commands and people name it: `main`, `origin/main`. */
export function getShortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|remotes)\//, '');
}
