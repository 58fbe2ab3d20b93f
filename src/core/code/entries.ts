import { matchesAny } from '../base/glob.ts';
import { getFields, isObject, parseObject } from '../base/json.ts';
import { getExtension, joinPath } from '../base/tree-path.ts';
import { SCRIPT } from './source-files.ts';

/** A file that a package offers to others. */
export interface Entry {
  /** Where the manifest names it: the same key, the same promise. */
  readonly key: string;
  readonly path: string;
  /** How it is loaded; `file` is only looked for. */
  readonly how: 'import' | 'require' | 'bin' | 'file';
  /** It is offered because a pattern fits it, not by its name. */
  readonly isFitting?: boolean;
}

/** Conditions under which Node itself would load a target. */
const NODE_CONDITIONS = new Set([
  'import',
  'require',
  'node',
  'default',
  'module',
  'module-sync',
  'production',
]);

/** Every target of `exports`, `main`, `module`, `types` and `bin` of a package.json in that folder; patterns stand for these files. */
export function getEntries(
  manifest: string,
  folder: string,
  files: ReadonlySet<string> = new Set(),
): readonly Entry[] {
  const json = parseObject(manifest);
  const entries: Entry[] = [];
  const add = (key: string, target: unknown, how: Entry['how']): void => {
    if (typeof target === 'string' && !target.includes('*') && !target.startsWith('/'))
      entries.push({ key, path: joinPath(folder, target), how });
  };
  const walk = (key: string, value: unknown, how: Entry['how']): void => {
    add(key, value, how);
    if (typeof value === 'string' && value.includes('*'))
      entries.push(...getFitting(key, folder, value, files));
    for (const [name, below] of Object.entries(getFields(value)))
      walk(`${key} ${name}`, below, getHow(name, how));
  };
  walk('exports', json.exports, json.type === 'module' ? 'import' : 'require');
  // With `exports`, nobody gets at these any more but old tools: there they are only looked for.
  const main = json.type === 'module' ? 'import' : 'require';
  add('main', json.main, json.exports === undefined ? main : 'file');
  if (json.main === undefined && json.exports === undefined) add('main', 'index.js', main);
  for (const key of ['module', 'types', 'typings', 'browser']) add(key, json[key], 'file');
  const bin = isObject(json.bin) ? json.bin : { '': json.bin };
  for (const [name, target] of Object.entries(bin)) add(`bin ${name}`.trim(), target, 'bin');
  return entries.filter(({ key, isFitting }) => !isFitting || !isShut(key, json.exports));
}

/** One entry for each file that a pattern of `exports` stands for. */
function getFitting(
  key: string,
  folder: string,
  target: string,
  files: ReadonlySet<string>,
): readonly Entry[] {
  const [start = '', end = ''] = joinPath(folder, target).split('*');
  const fits = (file: string) =>
    file.length > start.length + end.length && file.startsWith(start) && file.endsWith(end);
  return [...files]
    .filter(file => fits(file) && (SCRIPT.has(getExtension(file)) || getExtension(file) === 'json'))
    .map(path => ({
      key: key.split('*').join(path.slice(start.length, path.length - end.length)),
      path,
      how: 'file',
      isFitting: true,
    }));
}

/** Whether another pattern takes back what one offers. */
function isShut(key: string, exports: unknown): boolean {
  const [, subpath = ''] = key.split(' ');
  return Object.entries(getFields(exports)).some(([pattern, target]) => {
    const [start = '', end = ''] = pattern.split('*');
    return target === null && subpath.startsWith(start) && subpath.endsWith(end);
  });
}

function getHow(name: string, how: Entry['how']): Entry['how'] {
  if (how === 'file') return how;
  if (name.startsWith('.')) return how;
  if (name === 'import' || name === 'require') return name;
  return NODE_CONDITIONS.has(name) ? how : 'file';
}

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Names under which packages may be imported by code below a manifest, its own included. */
export function getDeclared(manifest: string): readonly string[] {
  const json = parseObject(manifest);
  const names = LISTS.flatMap(list => Object.keys(getFields(json[list])));
  const own = typeof json.name === 'string' ? [json.name] : [];
  return [...own, ...names, ...names.flatMap(name => getTyped(name))];
}

/** Whether a package takes a file along when it is published; what starts it and its commands always go. */
export function isShipped(manifest: string, folder: string, { path, key }: Entry): boolean {
  const { files } = parseObject(manifest);
  if (!Array.isArray(files) || key === 'main' || key.startsWith('bin')) return true;
  const globs = files.filter(each => typeof each === 'string').map(each => joinPath(folder, each));
  return matchesAny(
    path,
    globs.flatMap(glob => [glob, joinPath(glob, '**')]),
  );
}

/** What a manifest asks for, and in which words. */
export function getDependencies(manifest: string): ReadonlyMap<string, string> {
  const json = parseObject(manifest);
  const lists = LISTS.map(list => json[list]).filter(isObject);
  return new Map(lists.flatMap(list => Object.entries(list).map(([name, range]) => [name, String(range)])));
}

/** What a package brings along when it is installed, and what only those have who work on it. */
export function getRuntime(
  manifest: string,
): Readonly<Record<'runtime' | 'development', ReadonlySet<string>>> {
  const json = parseObject(manifest);
  const getNames = (list: string) => Object.keys(getFields(json[list]));
  const runtime = LISTS.filter(list => list !== 'devDependencies').flatMap(getNames);
  return { runtime: new Set(runtime), development: new Set(getNames('devDependencies')) };
}

/** The folders of a workspace that a manifest names, as globs. */
export function getWorkspaces(manifest: string): readonly string[] {
  const { workspaces } = parseObject(manifest);
  const list = isObject(workspaces) ? workspaces.packages : workspaces;
  return Array.isArray(list) ? list.filter(each => typeof each === 'string' && !each.startsWith('!')) : [];
}

/** What a package of types describes. */
function getTyped(name: string): readonly string[] {
  if (!name.startsWith('@types/')) return [];
  const [scope = '', plain] = name.slice('@types/'.length).split('__');
  return [plain === undefined ? scope : `@${scope}/${plain}`];
}

/** The package that a bare import names; null for one that no registry could hold. */
export function getPackage(spec: string): string | null {
  return /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?=\/|$)/.exec(spec)?.[0] ?? null;
}

/** Fields of a manifest that name what a package hands out. */
const FIELDS = ['main', 'module', 'browser', 'types', 'typings', 'bin', 'exports', 'imports', 'files'];

/**
 * The files that a package hands out to others. A pattern stands for everything that begins and ends like it; a
 * package that names nothing hands out its index.
 */
export function getHandedOut(
  manifest: string,
  folder: string,
  files: ReadonlySet<string>,
): readonly string[] {
  const json = parseObject(manifest);
  const named = FIELDS.flatMap(field => getTexts(json[field])).map(target => joinPath(folder, target));
  const wanted = named.length > 0 ? named : [joinPath(folder, 'index.js')];
  return [...files].filter(file => wanted.some(target => isMeant(target, file)));
}

function getTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(getTexts) : [];
}

function isMeant(target: string, file: string): boolean {
  const star = target.indexOf('*');
  if (star !== -1) return file.startsWith(target.slice(0, star)) && file.endsWith(target.slice(star + 1));
  if (file === target || file.startsWith(`${target}/`)) return true;
  return file.startsWith(`${target}.`) && !file.slice(target.length + 1).includes('/');
}
