import { findMissingDependencies } from '../../core/base/graph.ts';
import type { BacklogLimits, BacklogTask, ParsedBacklog } from '../../ports/index.ts';
import type { Dialect } from './entry-fields.ts';
import { FieldReader, getUnknownFieldWarning, getUsedSpelling, type Sink } from './field-reader.ts';
import { findJsonError } from './json-error.ts';
import type { BacklogOptions } from './options.ts';
import { getBacklogError, type Problem } from './problem.ts';

/** Reads the tasks, or throws one error that lists everything wrong with them. */
export function parseTasks(text: string, dialect: Dialect, options: BacklogOptions): ParsedBacklog {
  const { list, noun, rootFields } = dialect;
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const root = parseRoot(text, options.fileName);
  for (const key of Object.keys(root)) {
    if (!rootFields.includes(key))
      warnings.push(getUnknownFieldWarning(options.fileName, '', key, rootFields));
  }
  problems.push(...getVersionProblems(root.version, dialect));
  const { project_name: named } = Object(root.metadata) as Record<string, unknown>;
  const project = root.project ?? named ?? '';
  if (typeof project !== 'string') {
    problems.push({
      field: 'project',
      message: 'must be text',
      fix: 'Write the name of the project in quotes.',
    });
  }
  const entries = root[list];
  if (!Array.isArray(entries)) {
    const message = entries === undefined ? 'is missing' : 'must be a list';
    problems.push({
      field: list,
      message,
      fix: `Write "${list}": [ … ] with one object for each ${noun}.`,
    });
    throw getBacklogError(options.fileName, problems);
  }
  const limits = readLimits(root.session_config, dialect, { options, problems, warnings });
  const found = entries.map((raw, i) => dialect.read(raw, `${list}[${i}]`, { options, problems, warnings }));
  problems.push(...getDuplicates(found, dialect), ...getMissingDependencies(found, entries, dialect));
  if (problems.length > 0) throw getBacklogError(options.fileName, problems);
  const tasks = found.filter(task => task !== null);
  const rest = { ...(limits ? { limits } : {}), ...getSessions(root.session_count, dialect) };
  return { project: String(project), tasks, warnings, ...rest };
}

/** The file as one object; shared with `compare`, which must read it as leniently as JSON allows. */
export function parseRoot(text: string, fileName: string): Readonly<Record<string, unknown>> {
  let root: unknown;
  try {
    root = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    const error = findJsonError(text) ?? { line: 1, column: 1, message: 'cannot be parsed' };
    const message = `is not JSON: line ${error.line}, column ${error.column} ${error.message}`;
    throw getBacklogError(fileName, [
      { field: '', message, fix: `Repair line ${error.line} of ${fileName}.` },
    ]);
  }
  if (root !== null && typeof root === 'object' && !Array.isArray(root))
    return root as Record<string, unknown>;
  const what = Array.isArray(root) ? 'a list' : root === null ? 'null' : `a ${typeof root}`;
  const fix = 'Put everything inside one object: { … }.';
  throw getBacklogError(fileName, [{ field: '', message: `must be an object, but is ${what}`, fix }]);
}

/** A layout that is not known is not guessed at: what it means by a status could be anything. */
function getVersionProblems(version: unknown, { versions }: Dialect): Problem[] {
  if (versions === undefined || version === undefined || versions.some(known => known === version)) return [];
  const fix = `Write "version": ${versions.at(-1)}, or update Harness.`;
  const message = `is ${JSON.stringify(version)}, and this Harness reads version ${versions.join(', ')}`;
  return [{ field: 'version', message, fix }];
}

/** What the file says about runs; a number that is none is reported, and not guessed at. */
function readLimits(raw: unknown, { limits }: Dialect, sink: Sink): BacklogLimits | undefined {
  if (limits === undefined) return undefined;
  const fields = new FieldReader(Object(raw), 'session_config', sink);
  const mode = fields.getChoice('concurrency_mode', ['exclusive', 'concurrent']);
  return {
    isConcurrent: mode === null ? limits.isConcurrent : mode === 'concurrent',
    tasksPerRun: fields.getCount('max_tasks_per_session', 1) ?? limits.tasksPerRun,
    sessions: fields.getCount('max_sessions', 1) ?? limits.sessions,
  };
}

/** A count that is none says nothing. */
function getSessions(counted: unknown, { keepsRecord }: Dialect): Pick<ParsedBacklog, 'sessions'> {
  const isCount = typeof counted === 'number' && Number.isSafeInteger(counted) && counted > 0;
  return keepsRecord && isCount ? { sessions: counted } : {};
}

type Found = readonly (BacklogTask | null)[];

function getDuplicates(found: Found, { list, noun }: Dialect): Problem[] {
  const problems: Problem[] = [];
  const firstAt = new Map<string, number>();
  for (const [i, task] of found.entries()) {
    if (!task) continue;
    const first = firstAt.get(task.def.id);
    if (first === undefined) firstAt.set(task.def.id, i);
    else {
      const message = `is ${task.def.id}, which ${list}[${first}] has already`;
      problems.push({ field: `${list}[${i}].id`, message, fix: `Give each ${noun} an id of its own.` });
    }
  }
  return problems;
}

function getMissingDependencies(
  found: Found,
  entries: readonly unknown[],
  { list, noun, names }: Dialect,
): Problem[] {
  const key = getUsedSpelling(names, 'depends_on', entries);
  const place = new Map<string, number>();
  for (const [i, task] of found.entries()) if (task && !place.has(task.def.id)) place.set(task.def.id, i);
  const defs = [...place.values()].map(i => (found[i] as BacklogTask).def);
  return findMissingDependencies(defs).map(({ id, missing }) => ({
    field: `${list}[${place.get(id)}].${key}`,
    message: `names ${missing}, but no ${noun} has that id`,
    fix: `Add ${noun} ${missing}, or take it out of ${key}.`,
  }));
}
