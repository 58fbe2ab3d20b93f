import { getExtension, getFolder, getStem, joinPath } from '../base/tree-path.ts';
import { JAVASCRIPT, SCRIPT } from './source-files.ts';

/** What a file names from other files of the project, and whether it names things that cannot be placed. */
export interface Imports {
  readonly specs: readonly string[];
  /** It goes through a name that some setting resolves: it could be anything. */
  readonly isWide: boolean;
}

/** Which files each file uses, as far as a light scan can tell. */
export interface ImportGraph {
  readonly uses: ReadonlyMap<string, readonly string[]>;
  readonly wide: ReadonlySet<string>;
  /** The last words of names that stand for no file as they are: settings may make them stand for one. */
  readonly loose: ReadonlyMap<string, readonly string[]>;
  /** Who names a file by where it should be, and it is not there: a build makes it. */
  readonly unbuilt: ReadonlySet<string>;
}

const SCANNED = new Set([...SCRIPT, 'vue', 'svelte']);
const EXTENSIONS = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
  '.json',
];

/** Whether the scan understands a file. */
export function canScan(path: string): boolean {
  return SCANNED.has(getExtension(path)) || isPython(path);
}

function isPython(path: string): boolean {
  return getExtension(path) === 'py';
}

/** Scans a text for what it imports: quick rather than exact, too much rather than too little. */
export function getImports(path: string, text: string): Imports {
  const { specs, isWide } = isPython(path) ? getPythonImports(text) : getScriptImports(text);
  return { specs: [...specs, ...getPaths(text)], isWide };
}

/** Files that are named in a text, from the root or from where the text is: tests read and start them. */
const PATH = /(['"`])((?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.-]+)*\.\w{1,6})\1/g;

function getPaths(text: string): readonly string[] {
  return [...new Set([...text.matchAll(PATH)].map(([, , path = '']) => `path:${path}`))];
}

/** Modules whose names only the running program knows. */
const CHOSEN_LATER =
  /\b(?:import|require(?:\.resolve)?)\s*\(\s*(?!['"`)\s])|\bimport\.meta\.glob\b|\brequire\.context\b/;
const CHOSEN_LATER_PYTHON =
  /\b(?:import_module|__import__|spec_from_file_location|iter_modules|walk_packages|entry_points|run_path|run_module)\s*\(/;

const SCRIPT_IMPORT =
  /(?:\bfrom\s*|\bimport\s*|\bimport\s*\(\s*|\brequire(?:\.resolve)?\s*\(\s*|\bmock\s*\(\s*)(['"`])([^'"`\n]+)\1/g;

function getScriptImports(text: string): Imports {
  const specs = new Set<string>();
  let isWide = false;
  for (const [, , spec = ''] of text.matchAll(SCRIPT_IMPORT)) {
    if (spec.startsWith('node:')) continue;
    if (spec.startsWith('#') || spec.includes('${')) isWide = true;
    else specs.add(getPlain(spec));
  }
  return { specs: [...specs], isWide: isWide || CHOSEN_LATER.test(text) };
}

/** A name without what some bundlers hang on to it. */
export function getPlain(spec: string): string {
  return spec.split('?', 1)[0]?.split('#', 1)[0] ?? spec;
}

const PYTHON_IMPORT = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+([^#\n]+)|import[ \t]+([^#\n]+))/gm;

function getPythonImports(text: string): Imports {
  const specs = new Set<string>();
  for (const [, from, names = '', plain] of text.matchAll(PYTHON_IMPORT)) {
    for (const part of (plain ?? names).split(',')) {
      const name = /[\w.]+/.exec(part)?.[0] ?? '';
      if (from === undefined) specs.add(name);
      else specs.add(from).add(countDots(from) === from.length ? `${from}${name}` : `${from}.${name}`);
    }
    // The names of a bracket that goes on: the package is what can be known of it.
    if (from !== undefined && names.trim().startsWith('(')) specs.add(`${from}.*`);
  }
  return { specs: [...specs], isWide: CHOSEN_LATER_PYTHON.test(text) };
}

/** Puts what files name together with the files that are there. */
export function getImportGraph(
  imports: ReadonlyMap<string, Imports>,
  files: ReadonlySet<string>,
): ImportGraph {
  const uses = new Map<string, readonly string[]>();
  const wide = new Set<string>();
  const loose = new Map<string, readonly string[]>();
  const unbuilt = new Set<string>();
  for (const [path, { specs, isWide }] of imports) {
    const found = specs.map(spec => resolveImport(path, spec, files));
    uses.set(path, found.flat());
    const lost = specs.filter((spec, at) => found[at]?.length === 0 && !spec.startsWith('path:'));
    if (lost.length > 0) loose.set(path, lost.map(getLastWord));
    if (isWide) wide.add(path);
    if (!isPython(path) && lost.some(spec => spec.startsWith('.'))) unbuilt.add(path);
  }
  return { uses, wide, loose, unbuilt };
}

function getLastWord(spec: string): string {
  const last = spec.split('/').pop() ?? spec;
  return spec.includes('/') ? getModuleName(last) : (last.split('.').pop() ?? last);
}

/** The name of a file as imports have it: `shop.config` is no other file's `shop`. */
export function getModuleName(name: string): string {
  const stem = canScan(name) ? name.slice(0, name.lastIndexOf('.')) : name;
  return stem.endsWith('.d') ? stem.slice(0, -'.d'.length) : stem;
}

/** Which of these files use one that changed, at whatever distance, or could. */
export function findTouched(
  { uses, wide }: ImportGraph,
  files: readonly string[],
  changed: ReadonlySet<string>,
): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [path, used] of uses) {
    for (const other of used) {
      const known = users.get(other);
      if (known) known.push(path);
      else users.set(other, [path]);
    }
  }
  const touched = new Set([...changed, ...wide]);
  for (const path of touched) for (const user of users.get(path) ?? []) touched.add(user);
  return new Set(files.filter(file => touched.has(file) || !uses.has(file)));
}

/** The files of the project that one name in a file stands for. */
export function resolveImport(path: string, spec: string, files: ReadonlySet<string>): readonly string[] {
  if (spec.startsWith('path:'))
    return [spec.slice(5), joinPath(getFolder(path), spec.slice(5))].filter(file => files.has(file));
  return (isPython(path) ? resolvePython : resolveScript)(path, spec, files);
}

function resolveScript(path: string, spec: string, files: ReadonlySet<string>): readonly string[] {
  const bases = spec.startsWith('.')
    ? [joinPath(getFolder(path), spec)]
    : spec.startsWith('@/') || spec.startsWith('~/')
      ? [joinPath('src', spec.slice(2)), spec.slice(2)]
      : [spec, joinPath('src', spec)];
  for (const base of bases) {
    const stem = getStem(base, JAVASCRIPT);
    for (const name of [base, stem, joinPath(base, 'index')]) {
      const found = EXTENSIONS.map(extension => name + extension).find(file => files.has(file));
      if (found) return [found];
    }
  }
  return [];
}

/** How many dots a relative module of Python begins with. */
export function countDots(spec: string): number {
  let dots = 0;
  while (spec[dots] === '.') dots++;
  return dots;
}

/** A module, its package, and all packages on the way: each of them runs when it is imported. */
function resolvePython(path: string, spec: string, files: ReadonlySet<string>): readonly string[] {
  const dots = countDots(spec);
  const parts = spec
    .slice(dots)
    .split('.')
    .filter(part => part !== '' && part !== '*');
  const here = getFolder(path);
  const up = '../'.repeat(Math.max(0, dots - 1));
  const roots = dots > 0 ? [joinPath(here, up)] : ['', 'src', here];
  return roots.flatMap(root =>
    parts
      .map((_, at) => joinPath(root, parts.slice(0, at + 1).join('/')))
      .concat(dots > 0 ? [root] : [])
      .flatMap(base => [`${base}.py`, joinPath(base, '__init__.py')])
      .filter(file => files.has(file)),
  );
}
