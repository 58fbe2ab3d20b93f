import type { Backlog } from '../ports.ts';
import { compareTasks } from './compare-tasks.ts';
import type { Dialect } from './dialect.ts';
import type { BacklogOptions } from './options.ts';
import { parseTasks } from './parse-tasks.ts';
import { setPasses } from './set-passes.ts';

/** The codec of a JSON file with one list of tasks and a flag on each. */
export function createJsonBacklog(dialect: Dialect, options: BacklogOptions): Backlog {
  return {
    parse: (text, rule) => parseTasks(text, dialect, { ...options, allowCycles: rule?.cycles === 'allow' }),
    setPasses: (text, taskId, passes) => setPasses(text, taskId, passes, dialect, options.fileName),
    compare: (before, after) => compareTasks(before, after, dialect, options.fileName),
  };
}
