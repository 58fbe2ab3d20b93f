import { parse } from 'yaml';
import { findMissingDependencies } from '../core/base/graph.ts';
import type { Backlog, BacklogTask } from '../ports/index.ts';
import { readBundle, writeBundle } from './folder-workspace.ts';
import { getEntryReader } from './read/entry-fields.ts';
import type { BacklogOptions } from './read/options.ts';
import { getBacklogError, type Problem } from './read/problem.ts';
import { getStatusFlag, readStatus } from './read/status-flag.ts';

const STATUSES = {
  done: ['completed', 'done', 'merged'],
  open: ['pending', 'active', 'in_progress', 'blocked', 'draft'],
} as const;

const STEPS = ['acceptance criteria', 'acceptance', 'verification', 'verification steps'];

/** A folder of Markdown plans, `NNNN-slug.md`: one task each, in the order of their numbers. */
export function createPlanFolder(options: BacklogOptions): Backlog {
  return {
    parse: text => {
      const problems: Problem[] = [];
      const warnings: string[] = [];
      const tasks = Object.entries(readBundle(text)).flatMap(
        ([file, plan]) => readPlan(file, plan, { options, problems, warnings }) ?? [],
      );
      problems.push(...getGraphProblems(tasks));
      if (problems.length > 0) throw getBacklogError(options.fileName, problems);
      return { project: '', tasks, warnings };
    },
    setPasses: (text, taskId, passes) => {
      const files = readBundle(text);
      const file = Object.keys(files).find(name => getIdOf(name, files[name] ?? '') === taskId);
      const problem = { field: '', message: `has no plan ${taskId}`, fix: `Add ${taskId}-….md.` };
      if (file === undefined) throw getBacklogError(options.fileName, [problem]);
      const status = passes ? STATUSES.done[0] : STATUSES.open[0];
      return writeBundle({ ...files, [file]: setHeadField(files[file] ?? '', 'status', status) });
    },
    compare: (before, after) => comparePlans(readBundle(before), readBundle(after)),
  };
}

const readEntry = getEntryReader({
  noun: 'plan',
  names: { description: 'title', passes: 'status' },
  ownFields: ['acceptance', 'tags', 'owner', 'created', 'slug'],
  isDone: fields => readStatus(fields, STATUSES),
  needsTest: false,
});

function readPlan(file: string, text: string, sink: Parameters<typeof readEntry>[2]): BacklogTask | null {
  try {
    return readEntry(getEntry(file, readPlanText(text)), file, sink);
  } catch (error) {
    const message = `cannot be read: ${(error as Error).message.split('\n')[0]}`;
    sink.problems.push({ field: file, message, fix: 'Repair the lines between --- at its top.' });
    return null;
  }
}

/** The head wins; what it does not say is taken from the headings and lists below it. */
function getEntry(file: string, { head, title, sections }: PlanText): Record<string, unknown> {
  const steps = STEPS.flatMap(name => sections.get(name) ?? []);
  const needs = ['dependencies', 'depends on'].flatMap(name => sections.get(name) ?? []);
  return {
    id: getFileId(file),
    title: title || getSlug(file),
    verification_steps: steps,
    depends_on: needs.flatMap(item => /\d{3,}/.exec(item)?.[0] ?? []),
    ...head,
  };
}

function getIdOf(file: string, text: string): string {
  try {
    return String(readPlanText(text).head.id ?? getFileId(file));
  } catch {
    return getFileId(file);
  }
}

function getFileId(file: string): string {
  return /^\d+/.exec(file)?.[0] ?? file.replace(/\.md$/i, '');
}

function getSlug(file: string): string {
  return file.replace(/^\d+[-_]*|\.md$/gi, '').replaceAll(/[-_]+/g, ' ');
}

function getGraphProblems(tasks: readonly BacklogTask[]): Problem[] {
  const defs = tasks.map(task => task.def);
  const ids = defs.map(def => def.id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  return [
    ...twice.map(id => ({ field: id, message: 'is the id of two plans', fix: 'Renumber one of them.' })),
    ...findMissingDependencies(defs).map(({ id, missing }) => ({
      field: `${id}.depends_on`,
      message: `names ${missing}, but no plan has that id`,
      fix: `Add plan ${missing}, or take it out of depends_on.`,
    })),
  ];
}

type Files = Readonly<Record<string, string>>;

function comparePlans(before: Files, after: Files): { claims: string[]; problems: string[] } {
  const claims: string[] = [];
  const problems: string[] = [];
  for (const file of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[file], after[file]];
    if (old === now) continue;
    if (old === undefined || now === undefined) {
      problems.push(`the plan ${file} was ${old === undefined ? 'added' : 'removed'}`);
      continue;
    }
    const status = getStatus(now);
    if (setHeadField(old, 'status', String(status)) !== now)
      problems.push(`the plan ${file} was changed in more than its status`);
    else if (FLAG.isDone(status) && !FLAG.isDone(getStatus(old))) claims.push(getIdOf(file, now));
    else problems.push(`the plan ${file}: its status was changed to ${String(status)}`);
  }
  return { claims, problems };
}

const FLAG = getStatusFlag(STATUSES);

function getStatus(text: string): unknown {
  try {
    return readPlanText(text).head.status;
  } catch {
    return null;
  }
}

/** One plan file, taken apart: what its head says, and what its sections list. */
interface PlanText {
  readonly head: Readonly<Record<string, unknown>>;
  readonly title: string;
  /** The list items under each heading, by the heading's words in lower case. */
  readonly sections: ReadonlyMap<string, readonly string[]>;
}

/** Reads a Markdown plan: YAML between `---` lines first, where there is any. Throws on YAML that is none. */
function readPlanText(text: string): PlanText {
  const head = getHead(text);
  const values: unknown = head === null ? {} : (parse(head.yaml) ?? {});
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new Error('the lines between --- must be fields with values');
  const body = head === null ? text : text.slice(head.end);
  const title = /^#\s+(.+?)\s*#*$/m.exec(body)?.[1] ?? '';
  return { head: values as Record<string, unknown>, title, sections: getSections(body) };
}

/** The same text with one field of its head set; a head is made where there is none. */
function setHeadField(text: string, key: string, value: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const head = getHead(text);
  if (head === null) return `---${eol}${key}: ${value}${eol}---${eol}${eol}${text}`;
  const line = new RegExp(`^${key}:.*$`, 'm').exec(head.yaml);
  const yaml = line
    ? head.yaml.slice(0, line.index) +
      `${key}: ${value}` +
      head.yaml.slice(line.index + line[0].trimEnd().length)
    : `${head.yaml}${key}: ${value}${eol}`;
  return text.slice(0, head.start) + yaml + text.slice(head.start + head.yaml.length);
}

function getHead(text: string): { yaml: string; start: number; end: number } | null {
  const match = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (match?.index !== 0) return null;
  const [whole, fence = '', yaml = ''] = match;
  return { yaml, start: fence.length, end: whole.length };
}

function getSections(body: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let items: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    const heading = /^#{2,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (heading) {
      items = [];
      sections.set(heading.toLowerCase(), items);
    }
    const item = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.+?)\s*$/.exec(line)?.[1];
    if (item) items.push(item);
  }
  return sections;
}
