/** What a project has of another harness, to be used where it lies. */
export interface TakenUp {
  /** The backlog, and others that are there beside it. */
  readonly backlog: string | null;
  readonly others: readonly string[];
  /** The scripts that bring the project up and back. */
  readonly init: string | null;
  readonly reset: string | null;
}

/** The first that is there is the backlog; the state directory may hide one from git. */
const BACKLOGS = ['features.json', 'harness-tasks.json', '.harness/tasks.json', 'tasks.json'];
const INIT_SCRIPTS = ['harness-init.sh', 'init.sh'];

/** Paths to look for beside what git lists. */
export const HIDDEN_BACKLOGS = BACKLOGS.filter(path => path.startsWith('.'));

/** What is there by its name, so that `init` writes no second backlog beside the one that is used. */
export function getTakenUp(files: readonly string[]): TakenUp {
  const there = new Set(files);
  const [backlog = null, ...others] = [...BACKLOGS.filter(path => there.has(path)), ...getPlanFolders(files)];
  return {
    backlog,
    others,
    init: INIT_SCRIPTS.find(path => there.has(path)) ?? null,
    reset: there.has('reset.sh') ? 'reset.sh' : null,
  };
}

/** Folders of `NNNN-slug.md`; decisions are numbered alike, so the folder has to say that it holds plans. */
function getPlanFolders(files: readonly string[]): readonly string[] {
  const folders = files.flatMap(
    path => /^((?:.*\/)?[^/]*plans?(?:\/active)?)\/\d{4}-[^/]+\.md$/.exec(path)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}
