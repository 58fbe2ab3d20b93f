import { HarnessError } from '../core/failure.ts';
import type { Backlog } from '../ports.ts';
import type { Dialect } from './dialect.ts';
import { FEATURES_JSON } from './features-json.ts';
import { HARNESS_TASKS } from './harness-tasks.ts';
import { createJsonBacklog } from './json-backlog.ts';
import { LOOP_TASKS } from './loop-tasks.ts';
import { type BacklogOptions, DEFAULT_BACKLOG_OPTIONS } from './options.ts';
import { createPlanFolder } from './plan-folder.ts';

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
  throw new HarnessError('backlog', `${path} is in no format that is known here`, {
    file: path,
    fix: 'Name the backlog features.json, harness-tasks.json or tasks.json, or import it with `harness import`.',
  });
}

/** A backlog that is a folder of Markdown plans: a path whose last part has no ending. */
export function isPlanFolder(path: string): boolean {
  return !/\.[^./\\]+$/.test(path);
}
