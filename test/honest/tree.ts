import { posix } from 'node:path';

/** The texts of a repository by path. A change is another one. */
export type Tree = ReadonlyMap<string, string>;

export type Language = 'js' | 'ts' | 'py';

/** How a repository runs its tests, as far as a new test file must know. */
export type Runner = 'mocha' | 'mocha-ts' | 'uvu' | 'tape' | 'ava' | 'node' | 'pytest' | 'unittest';

/** What a person who knows the repository knows. */
export interface Ways {
  readonly language: Language;
  readonly runner: Runner;
  /** Where new test files go, and how they are called there. */
  testPath(name: string): string;
}

const CODE = { js: /\.[cm]?js$/, ts: /(?<!\.d)\.ts$/, py: /\.py$/ };
const TESTS =
  /(^|\/)(tests?|__tests__)\/|(^|\/)(test|conftest)\.\w+$|\.(test|spec|test-d)\.\w+$|(^|\/)test_\w+\.py$/;
const BESIDE =
  /^(bench(mark)?s?|examples|docs|scripts|fuzzer|profiler|misc|requirements|\..*)\/|^(setup\.py|benchmark\.js|[^/]*\.config\.\w+|\.[^/]*)$/;

export const isTest = (path: string): boolean => TESTS.test(path);

/** What is neither shipped nor a test: benchmarks, examples, settings. */
export const isBeside = (path: string): boolean => BESIDE.test(path);

/** The product's own code. */
export function getModules(tree: Tree, { language }: Ways): readonly string[] {
  return [...tree.keys()]
    .filter(path => CODE[language].test(path) && !isTest(path) && !isBeside(path))
    .sort();
}

/** Modules that a manifest names are where others expect them. */
export function isEntry(tree: Tree, path: string): boolean {
  const named = ['package.json', 'pyproject.toml', 'setup.cfg', 'setup.py'].map(name => tree.get(name) ?? '');
  const isNamed = named.some(text => text.includes(path) || text.includes(path.replace(/\.\w+$/, '"')));
  return isNamed || /(^|\/)(index\.\w+|__init__\.py|__main__\.py)$/.test(path);
}

export const isEsm = (text: string): boolean => /^(export|import)\b/m.test(text);

export const withText = (tree: Tree, path: string, text: string): Tree => new Map([...tree, [path, text]]);

export const without = (tree: Tree, path: string): Tree =>
  new Map([...tree].filter(([known]) => known !== path));

const RELATIVE = /(\bfrom\s+|\bimport\s+|\brequire\(\s*|\bimport\(\s*)(['"])(\.{1,2}(?:\/[^'"\n]*)?)\2/g;

/** Every relative import of a JavaScript text, put into other words; null leaves one as it is. */
export function mapImports(
  text: string,
  path: string,
  tree: Tree,
  say: (target: string, word: string) => string | null,
): string {
  return text.replaceAll(RELATIVE, (whole, before: string, quote: string, word: string) => {
    const target = resolveImport(tree, path, word);
    const next = target === null ? null : say(target, word);
    return next === null ? whole : `${before}${quote}${next}${quote}`;
  });
}

/** The files that a text imports. */
export function getImported(tree: Tree, path: string): readonly string[] {
  const found: string[] = [];
  mapImports(tree.get(path) ?? '', path, tree, target => {
    found.push(target);
    return null;
  });
  return found;
}

function resolveImport(tree: Tree, path: string, word: string): string | null {
  const stem = posix.join(posix.dirname(path), word);
  const ends = ['', '.js', '.ts', '.mjs', '.cjs', '.json', '/index.js', '/index.ts'];
  const asked = [...ends.map(end => stem + end), stem.replace(/\.js$/, '.ts')].map(one =>
    posix.normalize(one),
  );
  return asked.find(one => tree.has(one)) ?? null;
}

/** How `from` names `to`, with the ending of the word that it stands for, or of its neighbours. */
export function getImportWord(from: string, to: string, like: string | null): string {
  const path = posix.relative(posix.dirname(from), to);
  const isBare = like !== null && !/\.\w+$/.test(posix.basename(like));
  const named = isBare ? path.replace(/\.\w+$/, '') : path.replace(/\.ts$/, '.js');
  return named.startsWith('.') ? named : `./${named}`;
}

/** `src/cachetools/keys.py` as `cachetools.keys`. */
export function getDotted(path: string): string {
  return path
    .replace(/^src\//, '')
    .replace(/(\/__init__)?\.py$/, '')
    .replaceAll('/', '.');
}
