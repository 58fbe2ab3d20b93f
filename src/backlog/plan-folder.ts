import { findMissingDependencies } from '../core/base/graph.ts';
import type { Backlog, BacklogTask } from '../ports/index.ts';
import { readBundle, writeBundle } from './folder-workspace.ts';
import { type PlanText, readPlanText, setHeadField, withoutHeadField } from './plan-text.ts';
import { getEntryReader, OUTPUT_FILES } from './read/entry-fields.ts';
import type { BacklogOptions } from './read/options.ts';
import { getBacklogError, type Problem } from './read/problem.ts';
import { getStatusFlag, readStatus } from './read/status-flag.ts';

const STATUSES = {
  done: ['completed', 'done', 'merged'],
  open: ['active', 'pending', 'in_progress', 'blocked', 'draft'],
} as const;

const STEPS = ['acceptance criteria', 'acceptance', 'verification', 'verification steps', 'validation'];

/** A folder of Markdown plans, `NNNN-slug.md`: one task each, in the order of their numbers. */
export function createPlanFolder(options: BacklogOptions): Backlog {
  return {
    parse: text => {
      const problems: Problem[] = [];
      const warnings: string[] = [];
      const files = Object.entries(readBundle(text));
      const open = files.flatMap(([file, plan]) =>
        isCompleted(file) ? [] : (readPlan(file, plan, { options, problems, warnings }) ?? []),
      );
      const done = files.flatMap(([file, plan]) =>
        isCompleted(file) ? (readDone(file, plan, options) ?? []) : [],
      );
      const tasks = [...done, ...open];
      problems.push(...getGraphProblems(tasks, open));
      if (problems.length > 0) throw getBacklogError(options.fileName, problems);
      return { project: '', tasks: withKnownIds(tasks, done), warnings };
    },
    setPasses: (text, taskId, passes) => {
      const files = readBundle(text);
      const file = Object.keys(files).find(name => getIdOf(getName(name), files[name] ?? '') === taskId);
      const problem = { field: '', message: `has no plan ${taskId}`, fix: `Add ${taskId}-….md.` };
      if (file === undefined) throw getBacklogError(options.fileName, [problem]);
      const status = passes ? STATUSES.done[0] : STATUSES.open[0];
      const { [file]: plan = '', ...others } = files;
      const folder = passes && options.completedDir !== null ? `${options.completedDir}/` : '';
      return writeBundle({ ...others, [`${folder}${getName(file)}`]: setHeadField(plan, 'status', status) });
    },
    keepRecord: text => text,
    compare: (before, after) => comparePlans(readBundle(before), readBundle(after)),
  };
}

/** Plans in the folder of completed ones go by their path, the others by their name. */
function isCompleted(file: string): boolean {
  return file.includes('/');
}

function getName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** What is completed is done whatever else it says: it is history, and nothing of it is refused. */
function readDone(file: string, plan: string, options: BacklogOptions): BacklogTask | null {
  const sink = { options, problems: [], warnings: [] };
  const task = readPlan(getName(file), plan, sink) ?? readPlan(getName(file), '', sink);
  return task && { ...task, passes: true };
}

/** An old plan may name one that is nowhere any more. */
function withKnownIds(tasks: readonly BacklogTask[], done: readonly BacklogTask[]): readonly BacklogTask[] {
  const ids = new Set(tasks.map(({ def }) => def.id));
  return tasks.map(task =>
    done.includes(task)
      ? { ...task, def: { ...task.def, dependsOn: task.def.dependsOn.filter(id => ids.has(id)) } }
      : task,
  );
}

const readEntry = getEntryReader({
  noun: 'plan',
  hasFreePhase: true,
  names: {
    ...{ description: 'title', passes: 'status', category: ['phase', 'category'] },
    output_files: OUTPUT_FILES,
    tags: 'acceptance_tags',
  },
  ownFields: ['acceptance', 'estimated_passes', 'tags', 'owner', 'created', 'slug'],
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

function getGraphProblems(tasks: readonly BacklogTask[], open: readonly BacklogTask[]): Problem[] {
  const defs = tasks.map(task => task.def);
  const isOpen = new Set(open.map(({ def }) => def.id));
  const ids = defs.map(def => def.id);
  const twice = ids.filter((id, i) => ids.indexOf(id) !== i);
  return [
    ...twice.map(id => ({ field: id, message: 'is the id of two plans', fix: 'Renumber one of them.' })),
    ...findMissingDependencies(defs)
      .filter(({ id }) => isOpen.has(id))
      .map(({ id, missing }) => ({
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
  const [was, is] = [getPlaces(before), getPlaces(after)];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(name), is.get(name)];
    if (old?.text === now?.text && old?.isDone === now?.isDone) continue;
    if (old === undefined || now === undefined) {
      problems.push(`the plan ${name} was ${old === undefined ? 'added' : 'removed'}`);
      continue;
    }
    const status = getStatus(now.text);
    const isSame = withoutHeadField(old.text, 'status') === withoutHeadField(now.text, 'status');
    if (!isSame) problems.push(`the plan ${name} was changed in more than its status`);
    else if (isMarked(now) && !isMarked(old)) claims.push(getIdOf(name, now.text));
    else problems.push(`the plan ${name}: its status was changed to ${String(status)}`);
  }
  return { claims, problems };
}

interface Place {
  readonly text: string;
  /** Whether it lies among the completed ones. */
  readonly isDone: boolean;
}

/** An agent that moves its plan claims it, as one that marks it does. */
function getPlaces(files: Files): ReadonlyMap<string, Place> {
  return new Map(
    Object.entries(files).map(([file, text]) => [getName(file), { text, isDone: isCompleted(file) }]),
  );
}

function isMarked({ text, isDone }: Place): boolean {
  return isDone || FLAG.isDone(getStatus(text)) === true;
}

const FLAG = getStatusFlag(STATUSES);

function getStatus(text: string): unknown {
  try {
    return readPlanText(text).head.status;
  } catch {
    return null;
  }
}
