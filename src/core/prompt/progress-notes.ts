import type { TestRun } from '../model/testing.ts';

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
  /** What proves the task by itself, as it was run. */
  readonly own: readonly Pick<TestRun, 'command' | 'exitCode' | 'results' | 'outputTail' | 'durationMs'>[];
  /** The whole suite with the work in place; null where it was not looked at. */
  readonly suite: { readonly command: string; readonly passing: number; readonly failing: number } | null;
  /** Sessions before this one that left the task unfinished, oldest first. */
  readonly before: readonly UnfinishedSession[];
  readonly next: { readonly id: string; readonly title: string } | null;
}

/** A session that ended before its task was done. */
export interface UnfinishedSession {
  readonly session: number;
  readonly when: string;
  readonly done: readonly string[];
  /** How it ended, and why. */
  readonly outcome: string;
  readonly reason: string;
  readonly nextStep: string | null;
}

/** What is written down when a task lands. Whether it was proven stands in its proof, not here. */
export function getProgressEntry(entry: ProgressEntry): string {
  const { session, when, task, suite, next } = entry;
  const decisions = getItems(entry.decisions);
  return [
    ...entry.before.map(one => getUnfinishedEntry(one, entry.task)),
    ...[NOTES_LINE, `SESSION ${session} - ${when}`, NOTES_LINE, ''],
    `FEATURE: #${task.id} (${getLine(task.title)})`,
    '',
    'WHAT I DID:',
    ...getItems(entry.done.filter(line => !isOutput(line))),
    `- Changed ${getLine(entry.files.join(', ') || 'nothing')}`,
    '',
    'VERIFICATION:',
    ...entry.own.flatMap(getRunLines),
    ...(suite ? [`$ ${getLine(suite.command)}`, getCounts(suite)] : []),
    `$ harness proof ${task.id}`,
    ...(decisions.length > 0 ? ['', 'DECISIONS:', ...decisions] : []),
    '',
    'CURRENT STATE:',
    ...(suite ? [`- Tests after this: ${getCounts(suite)}`] : []),
    `- Feature #${task.id} complete`,
    '',
    `NEXT: ${next ? `${/^cleanup-/.test(next.id) ? next.id : `Feature #${next.id}`} (${getLine(next.title)})` : 'nothing is ready'}`,
    '',
  ].join('\n');
}

/** A session that did not bring its task to an end is told of with the one that did. */
function getUnfinishedEntry(one: UnfinishedSession, task: ProgressEntry['task']): string {
  const done = getItems(one.done.filter(line => !isOutput(line)));
  return [
    ...[NOTES_LINE, `SESSION ${one.session} - ${one.when}`, NOTES_LINE, ''],
    `FEATURE: #${task.id} (${getLine(task.title)})`,
    ...(done.length > 0 ? ['', 'WHAT I DID:', ...done] : []),
    '',
    'CURRENT STATE:',
    `- Feature #${task.id} ${one.outcome}: ${getLine(one.reason)}`,
    ...(one.nextStep ? ['', `NEXT: ${getLine(one.nextStep)}`] : []),
    '',
  ].join('\n');
}

const MAX_RESULTS = 6;

/** A run in short: each test by its name, or the end of what was printed where there are no names. */
function getRunLines({
  command,
  exitCode,
  results,
  outputTail,
  durationMs,
}: ProgressEntry['own'][number]): string[] {
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`;
  const named = results.filter(({ id }) => id.includes(' > '));
  if (named.length === 0) {
    const printed = outputTail
      .trim()
      .split('\n')
      .slice(-2)
      .map(getLine)
      .filter(line => line !== '');
    return [`$ ${getLine(command)}`, ...printed, `exit ${exitCode} in ${seconds}`];
  }
  const shown = named
    .slice(0, MAX_RESULTS)
    .map(({ id, outcome }) => getLine(`${id} ${outcome.toUpperCase()}`));
  const more = named.length > shown.length ? [`and ${named.length - shown.length} more`] : [];
  const passing = named.filter(({ outcome }) => outcome === 'passed').length;
  const failing = named.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').length;
  return [`$ ${getLine(command)}`, ...shown, ...more, `${getCounts({ passing, failing })} in ${seconds}`];
}

function getCounts({ passing, failing }: { readonly passing: number; readonly failing: number }): string {
  return `${passing} pass, ${failing} fail`;
}

/** What programs print, which nobody did: lines of test reports, of shells and of tools. */
const OUTPUT =
  /^(?:# \w+ [\d.]+$|(?:not )?ok \d+|[✔✓✖✗✘ℹ] |[$>] |\[[A-Z]+(?::[A-Z]+)?\]|={4,}|-{4,}|(?:PASS|FAIL)(?:ED)? )/u;

function isOutput(line: string): boolean {
  return OUTPUT.test(line.trim());
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
