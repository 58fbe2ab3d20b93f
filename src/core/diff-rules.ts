import { getFolded } from './fold-path.ts';
import { matchesAny } from './glob.ts';
import { getBaseName } from './tree-path.ts';

/** Files that agents take instructions, tools or hooks from, whoever wrote them: by name, since only names tell. */
const STEERING: readonly string[] = [
  '**/.{claude,codex,gemini,cursor,windsurf,clinerules,roo,continue,kiro,opencode,amazonq}/**',
  '**/.{cursorrules,windsurfrules,clinerules,roorules,goosehints,mcp.json,aider*}',
  '**/opencode.json*',
  '**/.github/{copilot-*,instructions/**,prompts/**,chatmodes/**,agents/**}',
  '**/.vscode/{mcp,tasks,settings}.json',
];

const NAMED: readonly string[] = ['**/{agents,agents.override,claude,claude.local,gemini}.md'];

/** Whether the next agent will be told something else by this file. A document in small letters is for people. */
export function isSteering(path: string): boolean {
  if (matchesAny(getFolded(path), STEERING)) return true;
  const name = getBaseName(path);
  return matchesAny(getFolded(path), NAMED) && (name === path || name !== name.toLowerCase());
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
      const key = getFolded(part);
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
      const known = spellings.get(getFolded(part));
      if (known) known.add(part);
      else spellings.set(getFolded(part), new Set([part]));
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
  const find = (mark: string, from = 0) =>
    lines.findIndex((line, at) => at >= from && `${line.trimEnd()} `.startsWith(`${mark} `));
  const begin = find('<<<<<<<');
  const middle = begin < 0 ? -1 : find('=======', begin);
  return middle >= 0 && find('>>>>>>>', middle) >= 0 ? begin + 1 : null;
}

/** More than people put into a repository by hand. */
const MAX_BYTES = 5 * 1024 ** 2;

const COPIES: readonly string[] = ['~', '.orig', '.rej', '.bak', '.old', '.swp', '.swo', '.tmp'];

/** What tools make again whenever they are run. */
const TOOLS: readonly string[] = [
  '**/{node_modules,__pycache__,.pytest_cache,.mypy_cache,.venv,.nyc_output}/**',
  '**/{.DS_Store,Thumbs.db,desktop.ini,nohup.out,npm-debug.log*,yarn-error.log,.#*,*.rej}',
];

/** What tools leave behind and nobody means to commit, by its content or by what lies beside it; null for anything else. */
export function getLeftover(path: string, text: string, files: ReadonlySet<string>): string | null {
  const name = getBaseName(path);
  const isElf = text.startsWith('\x7fELF');
  if (isElf && text.charCodeAt(16) === 4) return 'a core dump';
  if (isElf && !name.includes('.node') && !name.includes('.so')) return 'a compiled program';
  if (text.startsWith('b0VIM')) return 'the swap file of an editor';
  const ending = COPIES.find(each => name.endsWith(each));
  const origin = path.slice(0, path.length - (ending?.length ?? 0));
  if (ending && files.has(origin)) return `a copy that was left beside ${origin}`;
  if (matchesAny(path, TOOLS)) return 'made by a tool, which makes it again';
  if (text.length > MAX_BYTES) return `${Math.round(text.length / 1024 ** 2)} MB large`;
  return null;
}

/** Programs that are started without a first line that says by what. */
const STARTED: readonly string[] = ['*.{bat,cmd,ps1,exe,com}'];

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
  if (mode === '100755' && wasMode !== '100755' && !isScript && !matchesAny(getFolded(path), STARTED))
    return `${path} was made a program and does not say what runs it: take the bit away, or begin it with #!`;
  if (mode === '100644' && wasMode === '100755' && isScript)
    return `${path} is a program that can no longer be started: chmod +x`;
  return null;
}
