/** What a project has of another harness, to be used where it lies. */
export interface TakenUp {
  /** The backlog, and others that are there beside it. */
  readonly backlog: string | null;
  readonly others: readonly string[];
  /** Where plans of that backlog lie once they are done. */
  readonly completed: string | null;
  /** Whether some lie there. */
  readonly hasCompleted: boolean;
  /** The scripts that bring the project up and back. */
  readonly init: string | null;
  readonly reset: string | null;
  /** What nothing here reads. */
  readonly unused: readonly string[];
}

/** The first that is there is the backlog; the state directory may hide one from git. */
const BACKLOGS = ['features.json', 'harness-tasks.json', '.harness/tasks.json', 'tasks.json'];
const INIT_SCRIPTS = ['harness-init.sh', 'init.sh'];

/** Files of other harnesses that have no part here, each with what has it. */
export const UNUSED: Readonly<Record<string, string>> = {
  '.harness/config.json': 'the settings are those of <config>',
  '.harness-active': 'a run needs no marker',
  'harness-progress.txt': 'the log is .harness/logs/harness-progress.txt',
  'progress.md': 'set paths.progress in <config> to it, and every landing adds an entry',
};

/** Paths to look for beside what git lists. */
export const HIDDEN_FILES = [...BACKLOGS, ...Object.keys(UNUSED)].filter(path => path.startsWith('.'));

/** What is there by its name, so that `init` writes no second backlog beside the one that is used. */
export function getTakenUp(files: readonly string[]): TakenUp {
  const there = new Set(files);
  const [backlog = null, ...others] = [...BACKLOGS.filter(path => there.has(path)), ...getPlanFolders(files)];
  return {
    backlog,
    others,
    ...getCompleted(backlog, files),
    init: INIT_SCRIPTS.find(path => there.has(path)) ?? null,
    reset: there.has('reset.sh') ? 'reset.sh' : null,
    unused: Object.keys(UNUSED).filter(path => there.has(path)),
  };
}

/** Folders of `NNNN-slug.md`; decisions are numbered alike, so the folder has to say that it holds plans. */
function getPlanFolders(files: readonly string[]): readonly string[] {
  const folders = files.flatMap(
    path => /^((?:.*\/)?[^/]*plans?(?:\/active)?)\/\d{4}-[^/]+\.md$/.exec(path)?.[1] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Beside `active`, where git keeps none as long as it is empty; or in the folder that has the plans itself. */
function getCompleted(
  backlog: string | null,
  files: readonly string[],
): Pick<TakenUp, 'completed' | 'hasCompleted'> {
  const folder = `${backlog?.replace(/\/active$/, '')}/completed`;
  const hasCompleted = backlog !== null && files.some(path => path.startsWith(`${folder}/`));
  return { completed: hasCompleted || backlog?.endsWith('/active') ? folder : null, hasCompleted };
}
