import { getShellQuoted } from '../base/shell-quoted.ts';
import { getCommands, getWithInserts, isAssignment, type Word } from '../shell/command-line.ts';
import type { Invocation, MakePlan, ReportPlan, Stub } from './runner.ts';

/** Finds one of some names. */
export const findName =
  (...known: readonly string[]) =>
  (names: readonly string[]): number =>
    names.findIndex(name => known.includes(name)) + 1;

/** Finds a subcommand behind its program. */
export function findAfter(names: readonly string[], program: string, subcommands: readonly string[]): number {
  const start = names.indexOf(program);
  if (start === -1) return 0;
  return names.findIndex((name, i) => i > start && subcommands.includes(name)) + 1;
}

/** The line with more arguments at the end of the runner's own. */
export function getWithArguments(line: string, invocation: Invocation, text: string): string {
  const { words, via, needsDashes } = invocation;
  const dashes = words.findIndex((word, i) => i >= invocation.firstArgument && word.value === '--');
  if (via === 'runner' && dashes > 0) {
    return getWithInserts(line, [{ at: (words[dashes] as Word).start, text: `${text} ` }]);
  }
  const hasDashes = words.some(word => word.value === '--');
  const at = words.at(-1)?.end ?? line.length;
  return getWithInserts(line, [{ at, text: needsDashes && !hasDashes ? ` -- ${text}` : ` ${text}` }]);
}

/** The line with a text right behind the words that call the runner. */
export function insertAfterCall(line: string, { words, firstArgument }: Invocation, text: string): string {
  return getWithInserts(line, [{ at: (words[firstArgument - 1] as Word).end, text }]);
}

/** The line with a flag that it may have already; where a script hides the runner, as it is. */
export function getWithFlag(line: string, invocation: Invocation | null, flag: string): string {
  if (invocation?.via !== 'runner' || invocation.words.some(word => word.value === flag)) return line;
  return insertAfterCall(line, invocation, ` ${flag}`);
}

/** The line without some of its words. */
export function getWithout(line: string, words: readonly Word[]): string {
  return words.reduceRight((text, { start, end }) => text.slice(0, start).trimEnd() + text.slice(end), line);
}

export function getPlan(
  command: string,
  env: ReportPlan['env'] = {},
  from: ReportPlan['from'] = 'file',
): ReportPlan {
  return { command, env, from };
}

/** Flags go to the runner's own arguments; a command that hides its runner is left as it is. */
export const appendFlags =
  (getFlags: (quotedFile: string) => string): MakePlan =>
  (command, { quoted }, invocation) =>
    getPlan(invocation ? getWithArguments(command, invocation, getFlags(quoted)) : command);

/** The whole line's output, also of `a && b`; the newline ends a comment. */
export function getCaptured(command: string, redirection: string): string {
  return `{ ${command}\n} ${redirection}`;
}

/** Tells a runner its file by the plain path. */
export const getPathTarget = (file: string): string => getShellQuoted(file);

/** A line of a script that runs once instead of waiting for changes. */
export function getUnwatched(line: string): string {
  return line.replace(/\s--?watch(?:All)?(?:=\S+)?(?=\s|$)/g, '');
}

/** Adds a flag to a line of a script that does not have it. */
export const withFlag =
  (flag: string) =>
  (line: string): string =>
    line.includes(flag.split('=')[0] as string) ? line : `${line} ${flag}`;

/** Flags whose next word is theirs. */
const TAKES_WORD =
  /^(?:-[rcR]|--(?:require|import|loader|config|node-arguments|helper|reporter|project|timeout))$/;

/** A line of a script with the file in place of the paths it names, which come after a subcommand if there is one. */
export function getForFile(line: string, file = '{file}', subcommand?: string): string {
  const words = getCommands(line)[0] ?? [];
  const isPath = (value: string) => /[/*]|\.[cm]?[jt]sx?$|^(?:tests?|specs?)$/.test(value);
  const at = words.findIndex(({ value }) => !isAssignment(value));
  const first = words.findIndex(({ value }, i) => i > at && value === subcommand) + 1 || at + 1;
  const dropped = words.filter(
    ({ value }, i) =>
      i >= first && !value.startsWith('-') && isPath(value) && !TAKES_WORD.test(words[i - 1]?.value ?? ''),
  );
  return `${getWithout(line, dropped)} ${file}`;
}

/** A stub in JavaScript, from what stands before the arguments of the call that defines a test. */
export function getJsStub(
  { file, note, task, title, isModule }: Stub,
  getHead: (isImported: boolean) => string,
): string | null {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return null;
  const head = getHead(/\.(mjs|mts|tsx?)$/.test(file) || (isModule && !/\.cjs$/.test(file)));
  const name = JSON.stringify(`${task}: ${title}`);
  const fail = `throw new Error(${JSON.stringify(`The test of task ${task} has not been written yet.`)});`;
  return `// ${note}\n${head}(${name}, () => {\n  ${fail}\n});\n`;
}
