/** A commit that touched files, in the order of the history. */
export interface Touching {
  readonly commit: string;
  readonly author: string;
  readonly paths: readonly string[];
}

/** What a landing was proven with. */
export interface ProvenTests {
  readonly task: string;
  readonly commit: string;
  /** Path to git's id of the content. */
  readonly tests: Readonly<Record<string, string>>;
}

/** A test file that is no longer what tasks were proven with, and who changed it. */
export interface ChangedTest {
  readonly path: string;
  /** The tasks that were proven with another content. */
  readonly tasks: readonly string[];
  readonly commit: string;
  readonly author: string;
  /** The task whose landing changed it; null for a commit that nobody has proven. */
  readonly byTask: string | null;
}

/**
 * Compares the tests of every proof with those at the tip. A landing that was proven itself may change
 * them; any other commit is named. `history` begins after the first landing.
 */
export function findChangedTests(
  proven: readonly ProvenTests[],
  history: readonly Touching[],
  tip: Readonly<Record<string, string>>,
): ChangedTest[] {
  const taskOf = new Map(proven.map(({ commit, task }) => [commit, task]));
  const places = new Map(history.map(({ commit }, at) => [commit, at]));
  const found = new Map<string, ChangedTest>();
  for (const { task, commit, tests } of proven) {
    const later = history.slice((places.get(commit) ?? -1) + 1);
    for (const [path, id] of Object.entries(tests)) {
      if (tip[path] === id) continue;
      for (const touching of findTouching(path, commit, later, history)) {
        const key = `${touching.commit} ${path}`;
        const tasks = [...(found.get(key)?.tasks ?? []), task];
        const byTask = taskOf.get(touching.commit) ?? null;
        found.set(key, { path, tasks, commit: touching.commit, author: touching.author, byTask });
      }
    }
  }
  return [...found.values()];
}

/** Whoever touched it since; a merge can put that anywhere in the order, and what differs was changed by somebody. */
function findTouching(
  path: string,
  landing: string,
  later: readonly Touching[],
  history: readonly Touching[],
): readonly Touching[] {
  const touches = ({ paths, commit }: Touching): boolean => paths.includes(path) && commit !== landing;
  const since = later.filter(touches);
  if (since.length > 0) return since;
  const ever = history.filter(touches);
  return ever.length > 0 ? ever : [{ commit: 'a merge', author: 'nobody by name', paths: [path] }];
}
