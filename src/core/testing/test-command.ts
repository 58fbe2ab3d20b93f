import { getShellQuoted } from '../base/shell-quoted.ts';
import type { TestingPolicy } from '../model/policy.ts';
import { getWithArguments, getWithout, insertAfterCall } from '../runners/command-edits.ts';
import type { Invocation, Runner } from '../runners/runner.ts';
import { getCommands, isAssignment, type Word } from '../shell/command-line.ts';
import { findInvocation, RUNNERS } from './runners.ts';

/**
 * The command that runs one test file: as configured, or the full command narrowed to that file. Where a runner knows
 * no files but names (Go), the file's text tells them; without it, all that lies beside the file is run.
 */
export function getFeatureCommand(testing: TestingPolicy, file: string, text?: string | null): string | null {
  if (testing.feature !== null) {
    const quoted = getShellQuoted(getPathFrom(testing.feature, file));
    return testing.feature.replace(/"\{file\}"|'\{file\}'|\{file\}/g, () => quoted);
  }
  if (testing.full === null) return null;
  const runner = RUNNERS[testing.runner];
  const invocation = findInvocation(runner, testing.full);
  const asked = { invocation, text: text ?? '' };
  const target = runner.getTarget?.(getPathFrom(testing.full, file), asked) ?? null;
  if (invocation === null || target === null) return testing.full;
  if (runner.targetPlace === 'call-only' && invocation.via === 'script') return testing.full;
  if (runner.targetPlace === 'after-call' && invocation.via === 'runner')
    return insertAfterCall(testing.full, invocation, ` ${target}`);
  return getNarrowed(testing.full, runner, invocation, target);
}

/** The path as it is seen from the folder that a command goes to first. */
function getPathFrom(line: string, file: string): string {
  const folder = getFirstFolder(line);
  return folder !== null && file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

/** The folder of the project that a command goes to before it does anything (`cd web && …`); null if it stays. */
export function getFirstFolder(line: string): string | null {
  const [first = []] = getCommands(line);
  const [program, folder, more] = first.map(({ value }) => value);
  if (program !== 'cd' || folder === undefined || more !== undefined) return null;
  const plain = folder.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  return plain === '' || /^[/~$]|^\.\.?(\/|$)/.test(plain) ? null : plain;
}

/** What a command does before its tests (`npm run build && …`), and the tests by themselves; null where they are all there is. */
export function splitBuild(line: string): { readonly build: string; readonly tests: string } | null {
  const folder = getFirstFolder(line);
  const commands = getCommands(line).slice(folder === null ? 0 : 1);
  const first = commands[0]?.[0];
  const last = commands.at(-1)?.[0];
  if (!first || !last || commands.length < 2 || line.includes('(')) return null;
  const before = line.slice(first.start, last.start).trimEnd();
  if (!before.endsWith('&&')) return null;
  const within = folder === null ? '' : `cd ${getShellQuoted(folder)} && `;
  return { build: within + before.slice(0, -2).trimEnd(), tests: within + line.slice(last.start) };
}

/**
 * `npx mocha` as the program that it starts, where that lies in the project: to find it takes npx longer than many a
 * test file takes.
 */
export function getUnlaunched(line: string, isThere: (path: string) => boolean): string {
  const folder = getFirstFolder(line);
  const commands = getCommands(line).slice(folder === null ? 0 : 1);
  if (commands.some(words => words[0]?.value === 'cd')) return line;
  const edits = commands.flatMap(words => {
    const at = words.findIndex(({ value }) => !isAssignment(value));
    const [launcher, program] = words.slice(at, at + 2);
    if (launcher?.value !== 'npx' || !program || !/^[a-z][\w-]*$/.test(program.value)) return [];
    const path = `node_modules/.bin/${program.value}`;
    if (!isThere(folder === null ? path : `${folder}/${path}`)) return [];
    // What it starts in turn is looked for there as well.
    return [{ start: launcher.start, end: program.end, text: `PATH="$PWD/node_modules/.bin:$PATH" ${path}` }];
  });
  return edits.reduceRight(
    (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end),
    line,
  );
}

/** One command for several test files; null where the runner takes only one, or all. */
export function getFilesCommand(testing: TestingPolicy, files: readonly string[]): string | null {
  if (!RUNNERS[testing.runner].takesFiles) return null;
  const command = getFeatureCommand(testing, FILES);
  const line = testing.feature ?? testing.full ?? '';
  const quoted = files.map(file => getShellQuoted(getPathFrom(line, file))).join(' ');
  return command?.includes(FILES) ? command.replace(FILES, () => quoted) : null;
}

/** Stands for the files until they are put in its place; nothing in it needs quoting. */
const FILES = '__files__';

/** Takes out what the full command names (folders, globs, packages) and names the file instead. */
function getNarrowed(line: string, runner: Runner, invocation: Invocation, target: string): string {
  const kept = getWithout(line, getPositionals(runner, invocation));
  const found = findInvocation(runner, kept);
  if (!found) return line;
  const marker = found.words.find((word, i) => i >= found.firstArgument && word.value === '-args');
  if (marker) return `${kept.slice(0, marker.start)}${target} ${kept.slice(marker.start)}`;
  return getWithArguments(kept, found, target);
}

function getPositionals({ valueFlags }: Runner, { words, firstArgument, via }: Invocation): readonly Word[] {
  if (via === 'script') return [];
  const positionals: Word[] = [];
  for (let i = firstArgument; i < words.length; i++) {
    const { value } = words[i] as Word;
    if (value === '--' || value === '-args') break;
    if (/^\d*[<>]|^&>/.test(value)) i += /[<>]$/.test(value) ? 1 : 0;
    else if (!value.startsWith('-')) positionals.push(words[i] as Word);
    else if (valueFlags?.test(value)) i++;
  }
  return positionals;
}
