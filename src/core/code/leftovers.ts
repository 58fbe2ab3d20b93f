import { matchesAny } from '../base/glob.ts';
import { getBaseName, getFolder, joinPath } from '../base/tree-path.ts';

/** More than people put into a repository by hand. */
const MAX_BYTES = 5 * 1024 ** 2;

const COPIES: readonly string[] = ['~', '.orig', '.rej', '.bak', '.old', '.swp', '.swo', '.tmp'];

const COVERAGE = '**/{lcov.info,lcov-report/**,coverage/clover.xml,coverage/coverage-final.json,.coverage}';

/** What tools make again whenever they are run. */
const TOOLS: readonly string[] = [
  '**/{node_modules,__pycache__,.pytest_cache,.mypy_cache,.venv,.nyc_output}/**',
  '**/{.DS_Store,Thumbs.db,desktop.ini,nohup.out,npm-debug.log*,yarn-error.log,.#*,*.rej}',
];

/** The same, where the base shows by none of the second kind that nobody keeps such here. */
const DROPPINGS: readonly (readonly [glob: string, kind: string])[] = [
  ['**/#*#', '**/#*#'],
  [COVERAGE, COVERAGE],
  ['**/{debug,*-debug,*-error}.log', '**/*.log'],
  ['/*.tgz', '**/*.tgz'],
];

/** Folders that an installation or a build fills. */
const FILLED: ReadonlySet<string> = new Set(
  'node_modules bower_components .venv venv site-packages __pypackages__ vendor Pods .gradle .tox target dist build out _build .next .nuxt .cache coverage'.split(
    ' ',
  ),
);

/** More than a person would put into such a folder by hand. */
const MANY = 500;

/** Folders of new files that look like installed dependencies or what a build makes, with how many each. */
export function findFilled(
  added: readonly string[],
  base: readonly string[],
): readonly { readonly folder: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  if (added.length <= MANY) return [];
  for (const path of added) {
    const parts = path.split('/').slice(0, -1);
    const at = parts.findIndex(part => FILLED.has(part));
    const folder = parts.slice(0, at + 1).join('/');
    if (at >= 0) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > MANY && !base.some(path => path.startsWith(`${folder}/`)))
    .map(([folder, count]) => ({ folder, count }));
}

export interface LeftoverCase {
  readonly path: string;
  readonly text: string;
  /** Null for a new file. */
  readonly before: string | null;
  /** Files of the base. */
  readonly base: ReadonlySet<string>;
  /** Files with the change. */
  readonly files: ReadonlySet<string>;
  /** The text of package.json, which names packed files that it needs. */
  readonly manifest: string;
}

/** What tools leave behind and nobody means to commit, by its content or by what lies beside it; null for anything else. */
export function getLeftover(given: LeftoverCase): string | null {
  const { path, text, before } = given;
  if (text.startsWith('\x7fELF') && text.charCodeAt(16) === 4 && before === null) return 'a core dump';
  const isNew = before === null || !before.includes('\0');
  if (isNew && isProgram(text, getBaseName(path))) return 'a compiled program';
  if (text.length > MAX_BYTES && (before?.length ?? 0) <= MAX_BYTES)
    return `${Math.round(text.length / 1024 ** 2)} MB large`;
  if (before !== null) return null;
  if (text.startsWith('b0VIM')) return 'the swap file of an editor';
  const origin = getOrigin(given) ?? getMarked(given);
  if (origin) return `a copy that was left beside ${origin}`;
  return matchesAny(path, TOOLS) || isDropping(given) ? 'made by a tool, which makes it again' : null;
}

/** The file that a new one is a copy of, by the ending that tools give to copies. */
function getOrigin({ path, base, files }: LeftoverCase): string | null {
  const ending = COPIES.find(each => path.toLowerCase().endsWith(each));
  if (ending === undefined) return null;
  const origin = path.slice(0, -ending.length);
  const isThere = files.has(origin) || base.has(origin);
  if (isThere && path.endsWith(ending)) return origin;
  const isKept = [...base].some(other => other.toLowerCase().endsWith(ending));
  const beside = isThere ? origin : [...base].find(other => other.startsWith(`${origin}.`));
  return isKept || (!isThere && ending !== '.bak') ? null : (beside ?? null);
}

/** What file managers put into the name of a copy. */
const MARKS: readonly string[] = [' copy', ' - Copy', ' (1)', 'Copy of '];

function getMarked({ path, base, files }: LeftoverCase): string | null {
  const name = getBaseName(path);
  const mark = MARKS.find(each => name.includes(each));
  if (mark === undefined) return null;
  const origin = joinPath(getFolder(path), name.replace(mark, ''));
  const isKept = [...base].some(other => getBaseName(other).includes(mark));
  return !isKept && (files.has(origin) || base.has(origin)) ? origin : null;
}

function isDropping({ path, base, manifest }: LeftoverCase): boolean {
  const [, kind] = DROPPINGS.find(([glob]) => matchesAny(path, [glob])) ?? [];
  if (kind === undefined || manifest.includes(getBaseName(path))) return false;
  return ![...base].some(other => matchesAny(other, [kind]));
}

/** Whether a file was compiled to be started, by its first bytes; those that are no UTF-8 are read as U+FFFD. */
function isProgram(text: string, name: string): boolean {
  const has = (endings: readonly string[]) => endings.some(ending => name.includes(ending));
  if (text.startsWith('\x7fELF')) return !has(['.node', '.so']);
  if (!text.slice(0, 64).includes('\0')) return false;
  return isPython(text) || ((text.startsWith('MZ') || isMach(text)) && !has(LIBRARIES));
}

/** What others load; products may ship such without its sources. */
const LIBRARIES: readonly string[] = ['.node', '.dll', '.dylib', '.pyd', '.so'];

/** Mach-O: four bytes that are no text, then the processor, or how many there are programs for. */
function isMach(text: string): boolean {
  if (!text.startsWith('\ufffd'.repeat(4))) return false;
  const next = text.slice(4, 8);
  const isFat = next.startsWith('\0\0\0') && next.charCodeAt(3) > 0 && next.charCodeAt(3) < 20;
  return isFat || PROCESSORS.has(next);
}

const PROCESSORS: ReadonlySet<string> = new Set(
  ['\x07', '\x0c', '\x12'].flatMap(id => [0, 1].map(is64 => `${id}\0\0${String.fromCharCode(is64)}`)),
);

/** `.pyc`: a number of the version, then an end of line that copying as text would break. */
function isPython(text: string): boolean {
  const version = text.charAt(1);
  return text.slice(2, 4) === '\r\n' && ['\x0c', '\x0d', '\x0e', '\x0f', '\ufffd'].includes(version);
}
