import { HarnessError } from '../core/base/failure.ts';
import type { Policy } from '../core/model/policy.ts';
import type { Backlog, Workspace } from '../ports/index.ts';
import { compareTasks } from './edit/compare-tasks.ts';
import { keepRecord, keepUpdated } from './edit/keep-record.ts';
import { setPasses } from './edit/set-passes.ts';
import { withFolderBacklog } from './folder-workspace.ts';
import { createPlanFolder } from './plan-folder.ts';
import type { Dialect } from './read/entry-fields.ts';
import { FEATURES_JSON } from './read/features-json.ts';
import { type BacklogOptions, DEFAULT_BACKLOG_OPTIONS } from './read/options.ts';
import { parseTasks } from './read/parse-tasks.ts';
import { HARNESS_TASKS, LOOP_TASKS } from './read/task-lists.ts';

/** The first that matches the file name wins, so special names stand before general ones. */
const DIALECTS: readonly (readonly [RegExp, Dialect])[] = [
  [/^harness-tasks\.json$/i, HARNESS_TASKS],
  [/^tasks\.json$/i, LOOP_TASKS],
  [/\.json$/i, FEATURES_JSON],
];

/** The JSON format that a file name stands for. */
export function getDialect(path: string): Dialect | null {
  const fileName = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return DIALECTS.find(([name]) => name.test(fileName))?.[1] ?? null;
}

/** Chooses the codec by the backlog's file name. */
export function getBacklogCodec(path: string, options: Partial<BacklogOptions> = {}): Backlog {
  const full = { ...DEFAULT_BACKLOG_OPTIONS, fileName: path, ...options };
  if (isPlanFolder(path)) return createPlanFolder(full);
  const dialect = getDialect(path);
  if (dialect) return createJsonBacklog(dialect, full);
  throw new HarnessError('backlog', `${path} has an unknown format`, {
    file: path,
    fix: 'Name the backlog features.json, harness-tasks.json or tasks.json, or import it with `harness import`.',
  });
}

/** The workspace in which a backlog of many files reads and writes as one text. */
export function withBacklog<W extends Workspace>(
  workspace: W,
  { backlogPath: folder, completedDir: completed }: Pick<Policy, 'backlogPath' | 'completedDir'>,
): W {
  return isPlanFolder(folder) ? withFolderBacklog(workspace, { folder, completed }) : workspace;
}

/** A backlog that is a folder of Markdown plans: a path whose last part has no ending. */
export function isPlanFolder(path: string): boolean {
  return !/\.[^./\\]+$/.test(path);
}

/** The codec of a JSON file with one list of tasks and a flag on each. */
function createJsonBacklog(dialect: Dialect, options: BacklogOptions): Backlog {
  return {
    hasLimits: dialect.limits !== undefined,
    parse: text => parseTasks(text, dialect, options),
    setPasses: (text, taskId, passes) => setPasses(text, { id: taskId, passes }, dialect, options.fileName),
    keepRecord: (text, record) =>
      dialect.keepsRecord ? keepRecord(text, record, dialect, options.fileName) : keepUpdated(text, record),
    compare: (before, after) => compareTasks(before, after, dialect, options.fileName),
  };
}
