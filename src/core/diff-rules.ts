/** Files that agents take instructions, tools or hooks from, whoever wrote them: by name, since only names tell. */
const STEERING =
  /(?:^|\/)(?:\.(?:cursor|windsurf|cline|roo|goose)(?:rules|hints)|\.(?:claude|codex|gemini|cursor|windsurf|clinerules|roo|continue|kiro|opencode|amazonq|aider[^/]*)(?:\/.*)?|\.mcp\.json|opencode\.jsonc?|\.github\/(?:copilot-[^/]*|instructions\/.*|prompts\/.*|chatmodes\/.*|agents\/.*)|\.vscode\/(?:mcp|tasks|settings)\.json)$/i;

const NAMED = /(?:^|\/)(?:agents(?:\.override)?|claude(?:\.local)?|gemini)\.md$/i;

/** Whether the next agent will be told something else by this file. A document in small letters is for people. */
export function isSteering(path: string): boolean {
  if (STEERING.test(fold(path))) return true;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NAMED.test(path) && (name === path || name !== name.toLowerCase());
}

/** A path as disks without capitals, and with other ways to write an accent, know it. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Paths, folders included, that some disks take for one another; only those that the base did not have. */
export function findCollisions(
  before: readonly string[],
  after: readonly string[],
  added: readonly string[],
): readonly (readonly [string, string])[] {
  const [was, is] = [getSpellings(before), getSpellings(after)];
  const found = new Map<string, readonly [string, string]>();
  for (const path of added) {
    for (const part of getPrefixes(path)) {
      const key = fold(part);
      const other = [...(is.get(key) ?? [])].find(spelling => spelling !== part);
      if (other !== undefined && (was.get(key)?.size ?? 0) < 2) found.set(key, [part, other]);
    }
  }
  const keys = [...found.keys()];
  return [...found]
    .filter(([key]) => !keys.some(other => key.startsWith(`${other}/`)))
    .map(([, pair]) => pair);
}

function getSpellings(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spellings = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const path of paths) {
    for (const part of getPrefixes(path)) {
      if (seen.has(part)) continue;
      seen.add(part);
      const known = spellings.get(fold(part));
      if (known) known.add(part);
      else spellings.set(fold(part), new Set([part]));
    }
  }
  return spellings;
}

function getPrefixes(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The number of the line where a merge was left half done; null without one. */
export function getConflictLine(lines: readonly string[]): number | null {
  const find = (mark: RegExp, from = 0) => lines.findIndex((line, at) => at >= from && mark.test(line));
  const begin = find(/^<{7}(?: |\r?$)/);
  const middle = begin < 0 ? -1 : find(/^={7}\r?$/, begin);
  return middle >= 0 && find(/^>{7}(?: |\r?$)/, middle) >= 0 ? begin + 1 : null;
}

/** More than people put into a repository by hand. */
const MAX_BYTES = 5 * 1024 ** 2;

/** What tools leave behind and nobody means to commit, by its content or by what lies beside it; null for anything else. */
export function getLeftover(path: string, text: string, files: ReadonlySet<string>): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isElf = text.startsWith('\x7fELF');
  if (isElf && text.charCodeAt(16) === 4) return 'a core dump';
  if (isElf && !/\.(?:node|so)(?:$|\.)/.test(name)) return 'a compiled program';
  if (text.startsWith('b0VIM')) return 'the swap file of an editor';
  if (/^\.#|^#.*#$/.test(name)) return 'the lock or copy of an editor';
  const origin = path.replace(/(?:~|\.(?:orig|rej|bak|old|swp|swo|tmp))$/, '');
  if (origin !== path && files.has(origin)) return `a copy that was left beside ${origin}`;
  if (/\.rej$/.test(name)) return 'a patch that did not fit';
  if (/^(?:\.DS_Store|Thumbs\.db|desktop\.ini|nohup\.out|npm-debug\.log.*|yarn-error\.log)$/i.test(name))
    return 'left by a tool';
  if (/(?:^|\/)(?:node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.venv|\.nyc_output)\//.test(path))
    return 'made by a tool, which makes it again';
  if (text.length > MAX_BYTES) return `${Math.round(text.length / 1024 ** 2)} MB large`;
  return null;
}

/** Programs that are started without a first line that says by what. */
const STARTED = /\.(?:bat|cmd|ps1|exe|com)$/i;

/** What is wrong with the bit that makes a file a program; null when nothing is. */
export function getBitProblem(change: {
  readonly path: string;
  readonly mode: string;
  /** Null for a new file. */
  readonly wasMode: string | null;
  readonly text: string;
}): string | null {
  const { path, mode, wasMode, text } = change;
  const isScript = text.startsWith('#!');
  if (mode === '100755' && wasMode !== '100755' && !isScript && !STARTED.test(path))
    return `${path} was made a program and does not say what runs it: take the bit away, or begin it with #!`;
  if (mode === '100644' && wasMode === '100755' && isScript)
    return `${path} is a program that can no longer be started: chmod +x`;
  return null;
}
