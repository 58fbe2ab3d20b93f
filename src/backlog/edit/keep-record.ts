import { isDeepStrictEqual } from 'node:util';
import type { BacklogRecord, TaskRecord } from '../../core/views/backlog-record.ts';
import type { Dialect } from '../read/entry-fields.ts';
import { parseRoot } from '../read/parse-tasks.ts';
import { getElements, getMember, getMembers, getRootStart, type Member } from './json-spans.ts';

/**
 * The same text with what happened to its tasks in the fields that the file has for it. A field that is not
 * there is not added, and what says the same already keeps its bytes.
 */
export function keepRecord(
  text: string,
  record: BacklogRecord,
  { list, flag }: Dialect,
  file: string,
): string {
  const root = getMembers(text, getRootStart(text));
  const tasks = getMember(root, list);
  const { [list]: entries, session_count: counted } = parseRoot(text, file);
  if (tasks === null || !Array.isArray(entries)) return text;
  const edits = [
    ...getEdits(text, root, {
      // Those before the first that is recorded here count as well.
      session_count: Math.max(record.sessions, typeof counted === 'number' ? counted : 0),
      last_session: record.lastSessionAtMs === null ? undefined : getTime(record.lastSessionAtMs),
    }),
    ...getElements(text, tasks.value.start).flatMap((span, i) => {
      const entry = Object(entries[i]) as Record<string, unknown>;
      const known = record.tasks.get(String(entry.id));
      if (known === undefined || text[span.start] !== '{') return [];
      const isDone = flag.isDone(entry[flag.key]) === true;
      return getEdits(text, getMembers(text, span.start), getFields(known, entry, isDone));
    }),
  ];
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((result, { start, end, part }) => result.slice(0, start) + part + result.slice(end), text);
}

/** The same text with the time of its last change, where the file has a field for it. */
export function keepUpdated(text: string, { lastSessionAtMs: atMs }: BacklogRecord): string {
  const [edit] =
    atMs === null
      ? []
      : getEdits(text, getMembers(text, getRootStart(text)), { last_updated: getTime(atMs) });
  return edit ? text.slice(0, edit.start) + edit.part + text.slice(edit.end) : text;
}

type Fields = Readonly<Record<string, unknown>>;

function getFields(task: TaskRecord, entry: Fields, isDone: boolean): Fields {
  // When it was done is said once.
  const isNews = isDone && typeof entry.completed_at !== 'string' && task.completedAtMs !== null;
  return {
    status: !isDone && task.hasFailed ? 'failed' : undefined,
    // What is done is not tried again: a decision that began its count anew takes nothing away.
    attempts:
      isDone && typeof entry.attempts === 'number' ? Math.max(entry.attempts, task.attempts) : task.attempts,
    started_at_commit: task.startedAtCommit?.slice(0, 10) ?? undefined,
    error_log: append(entry.error_log, task.errors),
    checkpoints: append(
      entry.checkpoints,
      task.checkpoints.map(({ step, total, description, atMs }) => ({
        ...{ step, total, description },
        timestamp: getTime(atMs),
      })),
    ),
    completed_at: isNews ? getTime(task.completedAtMs ?? 0) : undefined,
  };
}

/** What the file had before anything was recorded here stays in front. */
function append(before: unknown, added: readonly unknown[]): readonly unknown[] {
  const known: readonly unknown[] = Array.isArray(before) ? before : [];
  let shared = Math.min(known.length, added.length);
  while (shared > 0 && !isDeepStrictEqual(known.slice(-shared), added.slice(0, shared))) shared -= 1;
  return [...known, ...added.slice(shared)];
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly part: string;
}

/** One for each field that is there and says something else; undefined says nothing. */
function getEdits(text: string, members: readonly Member[], fields: Fields): readonly Edit[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const member = getMember(members, key);
    if (value === undefined || member === null) return [];
    const { start, end } = member.value;
    if (isDeepStrictEqual(JSON.parse(text.slice(start, end)), value)) return [];
    return [{ start, end, part: write(text, member, value) }];
  });
}

/** Laid out as its line is. */
function write(text: string, { keySpan }: Member, value: unknown): string {
  const line = /(?:^|\n)([ \t]*)$/.exec(text.slice(text.lastIndexOf('\n', keySpan.start), keySpan.start));
  if (line === null) return JSON.stringify(value);
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + line[1]);
}

function getTime(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
