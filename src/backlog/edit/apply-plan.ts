import { HarnessError } from '../../core/base/failure.ts';
import type { Plan, PlannedTask } from '../../core/decide/plan.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { FEATURES_JSON } from '../read/features-json.ts';
import { getSpellings } from '../read/field-reader.ts';
import { addTask, type NewFeature } from './add-task.ts';
import { getNewPlan } from './convert.ts';
import { getElements, getMember, getMembers, getRootStart, type Span } from './json-spans.ts';

export interface ApplyPlanOptions {
  readonly fileName: string;
  readonly dialect: Dialect;
  /** The task that these take the place of, and what that one waited for. */
  readonly replaces?: { readonly id: string; readonly dependsOn: readonly string[] };
}

/** A backlog with the tasks of a plan at its end; everything that was there stays as it was written. */
export function applyPlan(text: string, plan: Plan, options: ApplyPlanOptions): string {
  const { fileName, dialect, replaces } = options;
  const isText = hasTextIds(text, dialect);
  const toId = (id: string): string | number => (!isText && /^\d{1,15}$/.test(id) ? Number(id) : id);
  const added = plan.tasks.reduce(
    (result, task) =>
      addTask(result, { ...getFeature(task, options), id: toId(task.id) }, fileName, dialect).text,
    text,
  );
  return replaces
    ? replaceTask(added, { id: replaces.id, waitFor: getLast(plan).map(toId) }, fileName, dialect)
    : added;
}

/** The tasks that no other task of the plan waits for: whoever waited for the whole waits for these. */
function getLast({ tasks }: Plan): readonly string[] {
  const needed = new Set(tasks.flatMap(task => task.depends_on));
  return tasks.filter(task => !needed.has(task.id)).map(task => task.id);
}

/** The plan files that the tasks of a plan become, by name; their ids are the numbers that they have. */
export function writePlanFiles({ tasks }: Plan): Readonly<Record<string, string>> {
  const files = tasks.map(task => getNewPlan([], { ...getFeature(task, {}), id: task.id }));
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

function getFeature(task: PlannedTask, { replaces }: Pick<ApplyPlanOptions, 'replaces'>): NewFeature {
  const { may_change: mayChange = [] } = task;
  const dependsOn = task.depends_on.length === 0 && replaces ? replaces.dependsOn : task.depends_on;
  return {
    description: task.title.trim(),
    testFile: task.test_file,
    verificationSteps: task.verification_steps,
    size: task.size,
    ...(task.category === undefined ? {} : { category: task.category }),
    ...(task.priority === undefined ? {} : { priority: task.priority }),
    ...(dependsOn.length === 0 ? {} : { dependsOn }),
    ...(mayChange.length === 0 ? {} : { mayChange }),
  };
}

/** Whether the file spells its ids as text, so that new ones are spelled alike. */
function hasTextIds(text: string, { list }: Dialect): boolean {
  const entries = (JSON.parse(text.replace(/^\uFEFF/, '')) as Record<string, unknown>)[list];
  return Array.isArray(entries) && entries.some(entry => typeof (entry as { id?: unknown })?.id === 'string');
}

/** A task that goes, and those that take its place for whoever waited for it. */
interface Replaced {
  readonly id: string;
  readonly waitFor: readonly (string | number)[];
}

/** Takes a task out of a backlog and points those that waited for it at others; every other byte stays. */
export function replaceTask(
  text: string,
  replaced: Replaced,
  fileName = 'features.json',
  dialect: Dialect = FEATURES_JSON,
): string {
  const { id } = replaced;
  const list = getMember(getMembers(text, getRootStart(text)), dialect.list);
  const elements = list ? getElements(text, list.value.start) : [];
  const at = elements.findIndex(element => getId(text, element) === id);
  if (at === -1) {
    throw new HarnessError('backlog', `there is no ${dialect.noun} ${id} in ${fileName}`, {
      file: fileName,
      field: '<task>',
      fix: 'harness status --all lists the tasks',
    });
  }
  const edits = elements.flatMap((element, i) =>
    i === at ? [] : getEdits(text, element, replaced, dialect),
  );
  const gone = { ...getGap(text, elements, at), text: '' };
  return [...edits, gone]
    .sort((a, b) => b.start - a.start)
    .reduce((result, edit) => result.slice(0, edit.start) + edit.text + result.slice(edit.end), text);
}

interface Edit extends Span {
  readonly text: string;
}

function getId(text: string, element: Span): string | null {
  const member = text[element.start] === '{' ? getMember(getMembers(text, element.start), 'id') : null;
  return member ? String(JSON.parse(text.slice(member.value.start, member.value.end))) : null;
}

/** The element with the comma that parts it from its neighbour. */
function getGap(text: string, elements: readonly Span[], at: number): Span {
  const own = elements[at] as Span;
  const before = elements[at - 1];
  if (before) return { start: before.end, end: own.end };
  const after = elements[at + 1];
  if (after) return { start: own.start, end: after.start };
  const blanks = /^\s*/.exec(text.slice(own.end))?.[0].length ?? 0;
  return { start: text.lastIndexOf('[', own.start) + 1, end: own.end + blanks };
}

function getEdits(text: string, element: Span, { id, waitFor }: Replaced, dialect: Dialect): readonly Edit[] {
  if (text[element.start] !== '{') return [];
  const members = getMembers(text, element.start);
  const member = getSpellings(dialect.names, 'depends_on')
    .map(key => getMember(members, key))
    .find(found => found !== null);
  if (!member || text[member.value.start] !== '[') return [];
  const own: unknown[] = JSON.parse(text.slice(member.value.start, member.value.end));
  if (!own.some(other => String(other) === id)) return [];
  const known = new Set(own.map(String));
  const next = own.flatMap(other =>
    String(other) === id ? waitFor.filter(one => !known.has(String(one))) : [other],
  );
  return [{ ...member.value, text: `[${next.map(one => JSON.stringify(one)).join(', ')}]` }];
}
