import { getBaseName, getExtension, getFolder, getStem, joinPath } from '../base/tree-path.ts';
import { countDots, getPlain, resolveImport } from './imports.ts';
import { JAVASCRIPT, SCRIPT, TYPESCRIPT } from './source-files.ts';

/** What a module takes from others and gives to them, as far as its text says. */
export interface ModuleFacts {
  readonly imports: readonly ModuleImport[];
  readonly exports: readonly string[];
  /** Modules of which it passes on everything. */
  readonly stars: readonly string[];
  /** Whether no more names can come in at run time. */
  readonly isSure: boolean;
  /** Names that it takes from modules it holds as a whole. */
  readonly uses?: readonly ModuleUse[];
  /** A CommonJS module all of whose names stand in its text. */
  readonly isPlain?: boolean;
}

export interface ModuleUse {
  readonly spec: string;
  readonly name: string;
  readonly line: number;
}

export interface ModuleImport {
  readonly spec: string;
  /** Names that must be there for it to load; none where that is only known at run time. */
  readonly names: readonly string[];
  readonly line: number;
  /** It goes on without it, or it is gone when it runs. */
  readonly isOptional: boolean;
  /** It is loaded under a condition only. */
  readonly isOnDemand?: boolean;
}

/** One tree: the files in it and what the modules among them say; null for what is no module that can be read. */
export interface ModuleTree {
  readonly files: ReadonlySet<string>;
  read(path: string): Promise<ModuleFacts | null>;
  /** Whether the base keeps one of these out of git and holds none: something makes it before it is needed. */
  isMade?(paths: readonly string[]): boolean;
  /** Whether a folder was a package of Python on the base. */
  wasPackage?(folder: string): boolean;
}

/** An import that cannot be satisfied. */
export interface BrokenLink {
  /** The same for the same fault in another version of the file. */
  readonly key: string;
  readonly spec: string;
  readonly text: string;
  /** The folder it would be in is not in git: something may make it before it is needed. */
  readonly isMinor: boolean;
}

/** Relative imports of a file that lead nowhere, or to a file that has not the name. */
export async function findBrokenLinks(tree: ModuleTree, path: string): Promise<readonly BrokenLink[]> {
  if (path.endsWith('.py')) return findBrokenPython(tree, path);
  const facts = await tree.read(path);
  const broken: BrokenLink[] = [];
  for (const { spec, names, line, isOptional } of facts?.imports ?? []) {
    if (!spec.startsWith('.') || isOptional) continue;
    const target = resolveModule(tree.files, path, spec);
    if (target === null) {
      if (isBehindLink(tree.files, joinPath(getFolder(path), spec))) continue;
      if (tree.isMade?.(getCandidates(path, spec))) continue;
      const isMinor = !hasFolder(tree.files, path, spec);
      broken.push({
        key: `${path} ${spec}`,
        spec,
        text: `${path}:${line} imports ${spec}, which is not there`,
        isMinor,
      });
      continue;
    }
    const known =
      names.length === 0 || isTyped(tree.files, path, target) ? null : await getExports(tree, target);
    for (const name of known === null ? [] : names.filter(each => !known.has(each)))
      broken.push({
        key: `${path} ${spec} ${name}`,
        spec,
        text: `${path}:${line} imports ${name} from ${spec}, which does not export it`,
        isMinor: false,
      });
  }
  return broken;
}

/** Files that an import may stand for, there or not. */
function getCandidates(path: string, spec: string): readonly string[] {
  const base = joinPath(getFolder(path), getPlain(spec));
  const stem = getStem(base, JAVASCRIPT);
  return [
    base,
    ...[...SCRIPT, 'json'].flatMap(extension => [`${base}.${extension}`, `${stem}.${extension}`]),
  ];
}

/** Whether a path leads through a submodule or a link: what lies behind it is no file of this tree. */
function isBehindLink(files: ReadonlySet<string>, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, at) => at > 0 && files.has(parts.slice(0, at).join('/')));
}

/** The same for Python: modules of the tree only, and a name may be a module as well. */
async function findBrokenPython(tree: ModuleTree, path: string): Promise<readonly BrokenLink[]> {
  const broken: BrokenLink[] = [];
  for (const { spec, names, line, isOptional } of (await tree.read(path))?.imports ?? []) {
    const base = isOptional ? null : findPythonBase(tree, path, spec);
    if (base === null) continue;
    const target = [`${base}.py`, `${base}/__init__.py`].find(file => tree.files.has(file));
    const isThere = (module: string) =>
      [...tree.files].some(file => file.startsWith(`${module}.`) || file.startsWith(`${module}/`));
    const isMade = (module: string) => tree.isMade?.([`${module}.py`, `${module}/__init__.py`]) ?? false;
    if (target === undefined && !isThere(base)) {
      if (isBehindLink(tree.files, base) || isMade(base)) continue;
      broken.push({
        key: `${path} ${spec}`,
        spec,
        text: `${path}:${line} imports ${spec}, which is not there`,
        isMinor: false,
      });
      continue;
    }
    const known = names.length === 0 ? null : await getGiven(tree, base, target);
    for (const name of known === null
      ? []
      : names.filter(each => !known.has(each) && !isThere(`${base}/${each}`) && !isMade(`${base}/${each}`)))
      broken.push({
        key: `${path} ${spec} ${name}`,
        spec,
        text: `${path}:${line} imports ${name} from ${spec}, which does not have it`,
        isMinor: false,
      });
  }
  return broken;
}

/** Names that a module of Python has besides modules below it; none where it is a folder and nothing more. */
async function getGiven(
  tree: ModuleTree,
  base: string,
  target: string | undefined,
): Promise<ReadonlySet<string> | null> {
  if (target !== undefined) return getExports(tree, target);
  const isOther = [...tree.files].some(file => file.startsWith(`${base}.`));
  return isOther || isBehindLink(tree.files, base) ? null : new Set();
}

/** Where a module of the project's own packages would lie, without its ending; null for one from elsewhere. */
function findPythonBase(tree: ModuleTree, path: string, spec: string): string | null {
  const dots = countDots(spec);
  const parts = spec.slice(dots).split('.').join('/');
  if (dots > 0) return joinPath(joinPath(getFolder(path), '../'.repeat(dots - 1)), parts);
  const top = parts.split('/')[0] ?? '';
  const roots = ['', 'src'];
  const root =
    roots.find(each => tree.files.has(joinPath(each, `${top}/__init__.py`))) ??
    roots.find(each => tree.wasPackage?.(joinPath(each, top)) && !isMoved(tree.files, joinPath(each, top)));
  return root === undefined ? null : joinPath(root, parts);
}

/** Whether what was a package is one in another place now, or a module. */
function isMoved(files: ReadonlySet<string>, folder: string): boolean {
  const name = getBaseName(folder);
  return files.has(`${folder}.py`) || [...files].some(file => file.endsWith(`/${name}/__init__.py`));
}

/** Every name that a module exports; null where the text does not say. */
export async function getExports(
  tree: ModuleTree,
  path: string,
  seen: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string> | null> {
  const facts = seen.has(path) ? null : await tree.read(path);
  if (seen.has(path)) return new Set();
  if (!facts?.isSure) return null;
  const names = new Set(facts.exports);
  for (const spec of facts.stars) {
    const target = spec.startsWith('.') ? resolveModule(tree.files, path, spec) : null;
    const more = target === null ? null : await getExports(tree, target, new Set([...seen, path]));
    if (more === null) return null;
    for (const name of more) if (name !== 'default') names.add(name);
  }
  return names;
}

/** The file that a relative import stands for. */
export function resolveModule(files: ReadonlySet<string>, path: string, spec: string): string | null {
  const plain = getPlain(spec);
  const [found] = resolveImport(path, plain, files);
  if (found !== undefined) return found;
  const base = joinPath(getFolder(path), plain);
  const stem = getStem(base, SCRIPT);
  const others = [
    `${stem}.d.ts`,
    `${stem}.d.mts`,
    `${stem}.d.cts`,
    `${base}.cjs`,
    `${base}/package.json`,
    `${base}.node`,
  ];
  return others.find(file => files.has(file)) ?? null;
}

/** Names of types may be declared beside the code. */
function isTyped(files: ReadonlySet<string>, path: string, target: string): boolean {
  if (!TYPESCRIPT.has(getExtension(path)) || !JAVASCRIPT.has(getExtension(target))) return false;
  const [kind = ''] = getExtension(target).split('j', 1);
  return files.has(`${getStem(target, JAVASCRIPT)}.d.${kind}ts`);
}

function hasFolder(files: ReadonlySet<string>, path: string, spec: string): boolean {
  const folder = getFolder(joinPath(getFolder(path), spec));
  return (
    folder === '' || folder === getFolder(path) || [...files].some(file => file.startsWith(`${folder}/`))
  );
}

/** Names that a file takes from a module it holds as a whole, and that this gave on the base and does not now. */
export async function findLostMembers(
  before: ModuleTree,
  after: ModuleTree,
  path: string,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { spec, name, line } of (await after.read(path))?.uses ?? []) {
    if (!spec.startsWith('.')) continue;
    const [was, is] = [resolveModule(before.files, path, spec), resolveModule(after.files, path, spec)];
    const had = was === null ? null : await getGivenNames(before, was);
    const has = is === null || !had?.has(name) ? null : await getGivenNames(after, is);
    if (has && !has.has(name))
      lost.push(`${path}:${line} uses ${name} of ${spec}, which no longer exports it`);
  }
  return lost;
}

/** Every name of a module, CommonJS too where its text says all; null where it does not. */
export async function getGivenNames(tree: ModuleTree, path: string): Promise<ReadonlySet<string> | null> {
  const facts = await tree.read(path);
  return facts?.isPlain ? new Set(facts.exports) : getExports(tree, path);
}
