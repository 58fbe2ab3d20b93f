import { relative, resolve } from 'node:path';
import { getDialect, isPlanFolder } from '../../backlog/codec.ts';
import { parseRoot } from '../../backlog/read/parse-tasks.ts';
import { BacklogError, type Problem } from '../../backlog/read/problem.ts';
import { findCycles } from '../../core/base/graph.ts';
import { getBasis } from '../../core/model/task.ts';
import type { Backlog, BacklogTask } from '../../ports/index.ts';
import { type Checkout, openCheckout, type Where } from './open-checkout.ts';
import { readPlansOnDisk, readTasksFile } from './plans-on-disk.ts';

export interface Validated {
  readonly ok: boolean;
  readonly file: string;
  readonly tasks: number;
  readonly done: number;
  /** What keeps it from being driven, or breaks a rule of its format. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly string[];
}

/** Everything that is wrong with a backlog as it lies on disk, in whatever format; it need not be committed. */
export async function validateBacklog(
  where: Where,
  { path, cwd }: { readonly path?: string; readonly cwd: string },
): Promise<Validated> {
  if (path === undefined) return validateOwn(await openCheckout(where), cwd);
  const file = resolve(cwd, path);
  const fileName = relative(cwd, file) || '.';
  return validateTasks({ file, fileName, ...readTasksFile(file, { fileName }) });
}

/** The project's own backlog, with the folders that its configuration names. */
export function validateOwn(own: OwnBacklog, cwd: string): Validated {
  const { gitDirs, backlogPath, backlog, completedDir: completed } = own;
  const file = resolve(gitDirs.root, backlogPath);
  const names = { file, fileName: relative(cwd, file) || '.' };
  if (!isPlanFolder(backlogPath)) return validateTasks({ ...names, ...readTasksFile(file, {}) });
  const { text } = readPlansOnDisk(gitDirs.root, { folder: backlogPath, completed });
  return validateTasks({ ...names, codec: backlog, text, isFolder: true });
}

type OwnBacklog = Pick<Checkout, 'gitDirs' | 'backlogPath' | 'backlog' | 'completedDir'>;

function validateTasks({ file, fileName, codec, text, isFolder }: TasksFile): Validated {
  const { tasks, warnings, problems } = parse(codec, text);
  const more = isFolder ? [] : checkForm(file, text);
  const others = [...more, ...findCycleProblems(tasks)];
  const errors = [...problems, ...others.filter(({ field }) => !problems.some(one => one.field === field))];
  return {
    ...{ ok: errors.length === 0, file: fileName },
    ...{ tasks: tasks.length, done: tasks.filter(({ passes }) => passes).length },
    ...{ errors, warnings: [...warnings, ...getUnproven(tasks, fileName)] },
  };
}

interface TasksFile {
  readonly file: string;
  /** As messages name it. */
  readonly fileName: string;
  readonly codec: Backlog;
  readonly text: string;
  readonly isFolder: boolean;
}

/** A run would do all the others first and then ask; here it is an error like any other. */
function findCycleProblems(tasks: readonly BacklogTask[]): readonly Problem[] {
  return findCycles(tasks.map(({ def }) => def)).map(cycle => ({
    field: cycle[0] ?? '',
    message: `closes a cycle: ${cycle.join(' → ')}`,
    fix: 'Take one of these dependencies out: none of these tasks could ever start.',
  }));
}

interface Parsed {
  readonly tasks: readonly BacklogTask[];
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
}

function parse(codec: Backlog, text: string): Parsed {
  try {
    return { ...codec.parse(text), problems: [] };
  } catch (error) {
    if (!(error instanceof BacklogError)) throw error;
    return { tasks: [], warnings: [], problems: error.problems };
  }
}

/** What the format asks for besides what reading it needs. */
function checkForm(file: string, text: string): readonly Problem[] {
  const dialect = getDialect(file);
  if (!dialect?.check) return [];
  try {
    const entries = parseRoot(text, file)[dialect.list];
    return Array.isArray(entries) ? dialect.check(entries) : [];
  } catch (error) {
    // Said already, by whoever read the tasks.
    if (error instanceof BacklogError) return [];
    throw error;
  }
}

function getUnproven(tasks: readonly BacklogTask[], file: string): readonly string[] {
  return tasks
    .filter(({ def, passes }) => !passes && getBasis(def) === null)
    .map(({ def }) => `${file}: nothing can prove ${def.id} yet: give it a test_file or a validation`);
}
