/** The lines of the progress notes that set things apart; other tools read this form. */
export const NOTES_RULE = '='.repeat(80);
export const NOTES_LINE = '-'.repeat(80);

/** Entries kept in the file; older ones are in git's history, and every landing writes the file anew. */
const MAX_ENTRIES = 100;
const MAX_LINES = 12;
const MAX_LINE_CHARS = 200;

export interface ProgressEntry {
  readonly session: number;
  /** As people write it. */
  readonly when: string;
  readonly task: { readonly id: string; readonly title: string };
  readonly done: readonly string[];
  readonly files: readonly string[];
  readonly decisions: readonly string[];
  readonly tests: { readonly passing: number; readonly failing: number } | null;
  readonly next: { readonly id: string; readonly title: string } | null;
}

/** What is written down when a task lands. Whether it was proven stands in its proof, not here. */
export function getProgressEntry(entry: ProgressEntry): string {
  const { session, when, task, tests, next } = entry;
  const decisions = getItems(entry.decisions);
  return [
    ...[NOTES_LINE, `SESSION ${session} - ${when}`, NOTES_LINE, ''],
    `FEATURE: #${task.id} (${getLine(task.title)})`,
    '',
    'WHAT I DID:',
    ...getItems(entry.done),
    `- Changed ${getLine(entry.files.join(', ') || 'nothing')}`,
    '',
    'VERIFICATION:',
    `$ harness proof ${task.id}`,
    ...(decisions.length > 0 ? ['', 'DECISIONS:', ...decisions] : []),
    '',
    'CURRENT STATE:',
    ...(tests ? [`- Tests before this: ${tests.passing} pass, ${tests.failing} fail`] : []),
    `- Feature #${task.id} complete`,
    '',
    `NEXT: ${next ? `Feature #${next.id} (${getLine(next.title)})` : 'nothing is ready'}`,
    '',
  ].join('\n');
}

/** The notes with one more entry, the newest last. */
export function addProgressEntry(notes: string, entry: string): string {
  const starts = [...notes.matchAll(ENTRY)].map(({ index }) => index);
  const [first] = starts;
  const oldest = starts.at(-(MAX_ENTRIES - 1));
  const kept =
    first === undefined || oldest === undefined || starts.length < MAX_ENTRIES
      ? notes
      : notes.slice(0, first) + notes.slice(oldest);
  return `${kept.trimEnd()}\n\n${entry}`;
}

const ENTRY = /^-{20,}\r?\nSESSION \d+/gm;

/** What an agent has added to the notes itself; nothing where it rewrote them. */
export function getAddedNotes(before: string, after: string | null): readonly string[] {
  if (after === null || !after.startsWith(before.trimEnd())) return [];
  return after
    .slice(before.trimEnd().length)
    .split('\n')
    .map(line => line.replace(/^[\s*-]+/, '').trim())
    .filter(line => line !== '' && !/^[=-]+$/.test(line))
    .slice(0, MAX_LINES);
}

function getItems(lines: readonly string[]): string[] {
  return lines
    .map(getLine)
    .filter(line => line !== '')
    .slice(0, MAX_LINES)
    .map(line => `- ${line}`);
}

/** One line that cannot be mistaken for the frame around it. */
function getLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS - 1)}…`;
}
