import { matchesAny } from '../../core/base/glob.ts';
import { parseObject } from '../../core/base/json.ts';
import { getBaseName, getExtension, getFolder, joinPath } from '../../core/base/tree-path.ts';
import {
  type Entry,
  getDependencies,
  getEntries,
  getPackage,
  getRuntime,
  getWorkspaces,
} from '../../core/code/entries.ts';
import { canScan } from '../../core/code/imports.ts';
import { resolveModule } from '../../core/code/modules.ts';
import { TYPESCRIPT } from '../../core/code/source-files.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import type { Trees } from './links.ts';
import type { SourceTree } from './source-tree.ts';

/** A package of the base whose manifest is gone, and whose name no other has. */
interface LostPackage {
  readonly folder: string;
  readonly name: string;
  readonly isPrivate: boolean;
}

/** Packages of a workspace that are gone while manifests name them or code imports them, or that others could have. */
export async function findLostPackages(ctx: CheckContext, trees: Trees): Promise<readonly GateFinding[]> {
  const isTest = await readIsTest(ctx);
  const manifests = [...trees.after.files].filter(path => isManifest(path) && !isTest(path));
  const gone = [...trees.before.files].filter(
    path => isManifest(path) && !isTest(path) && !trees.after.files.has(path),
  );
  if (gone.length === 0) return [];
  const found: GateFinding[] = await findEmptyWorkspaces(trees, manifests, gone);
  for (const lost of await readLost(trees, manifests, gone)) {
    const users = [
      ...(await findDependents(trees, manifests, lost)),
      ...(await findImporters(ctx, trees, lost)),
    ].filter(path => !isTest(path));
    const text = `the package ${lost.name} in ${lost.folder} is gone`;
    for (const user of users) found.push({ gate: 'imports', text: `${text}, and ${user} names it` });
    if (users.length === 0 && !lost.isPrivate) found.push({ gate: 'exports', text });
  }
  return found;
}

function isManifest(path: string): boolean {
  return getBaseName(path) === 'package.json';
}

async function readLost(
  { before, after }: Trees,
  manifests: readonly string[],
  gone: readonly string[],
): Promise<readonly LostPackage[]> {
  const kept = new Set<unknown>();
  for (const path of manifests) kept.add(parseObject(await after.readText(path)).name);
  const lost: LostPackage[] = [];
  for (const path of gone) {
    const { name, private: isPrivate } = parseObject(await before.readText(path));
    if (typeof name === 'string' && !kept.has(name))
      lost.push({ folder: getFolder(path), name, isPrivate: isPrivate === true });
  }
  return lost;
}

/** Manifests that ask for it in the words of the base; other words may mean one from elsewhere. */
async function findDependents(
  { before, after }: Trees,
  manifests: readonly string[],
  { name }: LostPackage,
): Promise<readonly string[]> {
  const users: string[] = [];
  for (const path of manifests) {
    const [was, is] = [await readDependency(before, path, name), await readDependency(after, path, name)];
    if (is !== undefined && is === was) users.push(path);
  }
  return users;
}

async function readDependency(tree: SourceTree, path: string, name: string): Promise<string | undefined> {
  return tree.files.has(path) ? getDependencies(await tree.readText(path)).get(name) : undefined;
}

/** Code that imported it on the base and still does, where no manifest takes it from elsewhere now. */
async function findImporters(
  ctx: CheckContext,
  { before, after }: Trees,
  { name }: LostPackage,
): Promise<readonly string[]> {
  const quoted = ["'", '"'].flatMap(mark => [`${mark}${name}${mark}`, `${mark}${name}/`]);
  const paths = (await ctx.ports.workspace.findMentions?.(ctx.candidate.tree, quoted, ['*.md'])) ?? [];
  const users: string[] = [];
  const imports = async (tree: SourceTree, path: string) =>
    (await tree.read(path))?.imports.some(
      ({ spec, isOptional }) => !isOptional && (spec === name || spec.startsWith(`${name}/`)),
    );
  for (const path of paths.filter(canScan)) {
    if (!(await imports(after, path)) || !(await imports(before, path))) continue;
    if (!(await isDeclaredAnew(after, before, path, name))) users.push(path);
  }
  return users;
}

async function isDeclaredAnew(after: SourceTree, before: SourceTree, path: string, name: string) {
  for (let folder = getFolder(path); ; folder = getFolder(folder)) {
    const manifest = joinPath(folder, 'package.json');
    const is = await readDependency(after, manifest, name);
    if (is !== undefined && is !== (await readDependency(before, manifest, name))) return true;
    if (folder === '') return false;
  }
}

/** Folders of a workspace that a manifest names and in which no package is left. */
async function findEmptyWorkspaces(
  { after }: Trees,
  manifests: readonly string[],
  gone: readonly string[],
): Promise<GateFinding[]> {
  const found: GateFinding[] = [];
  for (const manifest of manifests) {
    for (const workspace of getWorkspaces(await after.readText(manifest))) {
      const globs = [`/${joinPath(getFolder(manifest), workspace)}/package.json`];
      if (!gone.some(path => matchesAny(path, globs)) || manifests.some(path => matchesAny(path, globs)))
        continue;
      const text = `${manifest} names the workspace ${workspace}, and no package is left there`;
      found.push({ gate: 'imports', text });
    }
  }
  return found;
}

const MAX_MANIFESTS = 50;

/** Where a package is imported. */
interface Place {
  readonly path: string;
  readonly line: number;
}

/** Packages for development only that what a package hands out newly needs: whoever installs it has not got them. */
export async function findDevOnly(ctx: CheckContext, trees: Trees): Promise<readonly GateFinding[]> {
  const { before, after, changes } = trees;
  const isTest = await readIsTest(ctx);
  const manifests = [...after.files].filter(path => getBaseName(path) === 'package.json' && !isTest(path));
  const found: GateFinding[] = [];
  for (const manifest of manifests.slice(0, MAX_MANIFESTS)) {
    const folder = getFolder(manifest);
    if (folder !== '' && !changes.some(({ path }) => path.startsWith(`${folder}/`))) continue;
    const needed = await findNeeded(after, manifest);
    // Where the base did so already, something bundles them.
    if (needed.size === 0 || (await findNeeded(before, manifest)).size > 0) continue;
    for (const [name, { path, line }] of needed) {
      const text = `${path}:${line} imports ${name}, which only devDependencies of ${manifest} names`;
      // An import of types alone is gone when it runs.
      found.push({ gate: 'dependencies', text, isMinor: TYPESCRIPT.has(getExtension(path)) });
    }
  }
  return found;
}

async function findNeeded(tree: SourceTree, manifest: string): Promise<ReadonlyMap<string, Place>> {
  if (!tree.files.has(manifest)) return new Map();
  const text = await tree.readText(manifest);
  const { runtime, development } = getRuntime(text);
  const isDevOnly = (name: string) => development.has(name) && !runtime.has(name);
  const targets = getTargets(text, getFolder(manifest), tree.files);
  if (development.size === 0 || targets.length === 0) return new Map();
  const needed = new Map<string, Place>();
  const reached = new Set(targets);
  for (const path of reached) {
    for (const { spec, line, isOptional, isOnDemand } of (await tree.read(path))?.imports ?? []) {
      if (isOptional) continue;
      const target = spec.startsWith('.') ? resolveModule(tree.files, path, spec) : null;
      if (target !== null) reached.add(target);
      const name = target === null && !isOnDemand ? getPackage(spec) : null;
      if (name !== null && isDevOnly(name) && !needed.has(name)) needed.set(name, { path, line });
    }
  }
  return needed;
}

/** Files that others load or start, where the manifest says which. */
function getTargets(text: string, folder: string, files: ReadonlySet<string>): readonly string[] {
  const { main, exports, bin } = parseObject(text);
  if (main === undefined && exports === undefined && bin === undefined) return [];
  const entries = getEntries(text, folder, files).filter(({ key }) => key !== 'types' && key !== 'typings');
  // A pattern that offers the whole folder offers settings and scripts as well.
  const isWide = entries.some(({ isFitting, path }) => isFitting && getFolder(path) === folder);
  return entries
    .filter(({ isFitting }: Entry) => !isFitting || !isWide)
    .flatMap(({ path }) => resolveModule(files, '', `./${joinPath('', path)}`) ?? []);
}
