import { getBaseName, getFolder, joinPath } from '../../core/base/tree-path.ts';
import { getDeclared, getPackage } from '../../core/code/entries.ts';
import { canScan, resolveImport } from '../../core/code/imports.ts';
import { findBrokenLinks, findLostMembers, getGivenNames, resolveModule } from '../../core/code/modules.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import type { FileChange } from '../../ports/index.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import { readImportsOf } from '../shared/impact.ts';
import type { SourceTree } from './source-tree.ts';

/** Both sides of a change to the product. */
export interface Trees {
  readonly before: SourceTree;
  readonly after: SourceTree;
  readonly changes: readonly FileChange[];
}

/** Beyond this, only what was changed is looked at. */
const MAX_FILES = 5_000;

/** Imports that worked on the base and do not now, and new ones that cannot: in what was changed, and in what uses it. */
export async function findBrokenImports(ctx: CheckContext, trees: Trees): Promise<readonly GateFinding[]> {
  const { before, after, changes } = trees;
  const present = changes.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const users = await findUsers(ctx, trees);
  const found: GateFinding[] = [];
  for (const path of new Set([...present, ...users])) {
    found.push(...(await findNewlyBroken(before, after, path)));
    const lost = await findLostMembers(before, after, path);
    found.push(...lost.map((text): GateFinding => ({ gate: 'imports', text })));
  }
  return [...found, ...(await findUndeclared(ctx, trees, present)), ...(await findDropped(ctx, trees))];
}

/** Packages that a manifest no longer names, and none other does, while code that stays goes on to import them. */
async function findDropped(
  ctx: CheckContext,
  { before, after, changes }: Trees,
): Promise<readonly GateFinding[]> {
  const manifests = changes.filter(
    ({ path, kind }) => kind === 'modified' && getBaseName(path) === 'package.json',
  );
  const dropped = new Set<string>();
  for (const { path } of manifests)
    for (const name of getDeclared(await before.readText(path))) dropped.add(name);
  const isOwn = (path: string) => getBaseName(path) === 'package.json' && !path.includes('node_modules/');
  for (const path of [...after.files].filter(isOwn))
    for (const name of getDeclared(await after.readText(path))) dropped.delete(name);
  if (dropped.size === 0) return [];
  const isTest = await readIsTest(ctx);
  const paths = [...after.files].filter(path => canScan(path) && !path.endsWith('.py') && !isTest(path));
  const found: GateFinding[] = [];
  for (const path of paths.length > MAX_FILES ? [] : paths) {
    const text = await after.readText(path);
    if (![...dropped].some(name => text.includes(name))) continue;
    const specs = (await after.read(path))?.imports.map(({ spec }) => getPackage(spec)) ?? [];
    for (const name of new Set(specs))
      if (name !== null && dropped.has(name))
        found.push({
          gate: 'dependencies',
          text: `${path} imports ${name}, which package.json no longer names`,
        });
  }
  return found;
}

/** What a file imports in vain, and did not on the base. */
export async function findNewlyBroken(
  before: SourceTree,
  after: SourceTree,
  path: string,
): Promise<readonly GateFinding[]> {
  const broken = await findBrokenLinks(after, path);
  const known = broken.length === 0 ? [] : await findBrokenLinks(before, path);
  const keys = new Set(known.map(({ key }) => key));
  return broken
    .filter(({ key }) => !keys.has(key))
    .map(({ text, spec, isMinor }) => {
      // A folder that the base had in git is not made by anything.
      const wasThere = resolveModule(before.files, path, spec) !== null;
      return { gate: 'imports', text, isMinor: isMinor && !wasThere };
    });
}

/** Files that use something which is gone, or a module that offers less than before. */
async function findUsers(ctx: CheckContext, trees: Trees): Promise<readonly string[]> {
  const { after } = trees;
  const lost = await findLost(trees);
  if (lost.size === 0) return [];
  const blobs = await ctx.ports.workspace.readBlobs(ctx.candidate.tree);
  const isTest = await readIsTest(ctx);
  const paths = Object.keys(blobs).filter(path => canScan(path) && !isTest(path));
  if (paths.length > MAX_FILES) return [];
  const imports = await readImportsOf(ctx, ctx.candidate.tree, paths, blobs);
  const files = new Set([...after.files, ...lost]);
  const users = new Set<string>();
  for (let grown = true; grown; ) {
    grown = false;
    for (const [path, { specs }] of imports) {
      const isUser = specs.some(spec => resolveImport(path, spec, files).some(file => lost.has(file)));
      if (!isUser || users.has(path)) continue;
      users.add(path);
      // What passes everything on offers less, too.
      if (((await after.read(path))?.stars.length ?? 0) > 0) lost.add(path);
      grown = true;
    }
  }
  return [...users];
}

async function findLost({ before, after, changes }: Trees): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const { path, kind } of changes) {
    if (kind === 'deleted') lost.add(path);
    if (kind !== 'modified') continue;
    const [had, has] = [await getGivenNames(before, path), await getGivenNames(after, path)];
    if (had && has && [...had].some(name => !has.has(name))) lost.add(path);
  }
  return lost;
}

/** New imports of packages that nothing declares: they work here by luck, or not at all. */
async function findUndeclared(
  ctx: CheckContext,
  { before, after }: Trees,
  paths: readonly string[],
): Promise<readonly GateFinding[]> {
  const found: GateFinding[] = [];
  // What Python packages are called when installed is another matter.
  for (const path of paths.filter(each => !each.endsWith('.py'))) {
    const facts = await after.read(path);
    const known = new Set((await before.read(path))?.imports.map(({ spec }) => getPackage(spec)));
    for (const { spec, line, isOptional } of facts?.imports ?? []) {
      const name = getPackage(spec);
      if (name === null || isOptional || known.has(name) || resolveImport(path, spec, after.files).length > 0)
        continue;
      known.add(name);
      if (await isKnown(ctx, after, path, name)) continue;
      const text = `${path}:${line} imports ${name}, which no package.json names`;
      found.push({ gate: 'dependencies', text });
    }
  }
  return found;
}

/** Declared above the file or by a neighbour's name; or used by other files of the base, whatever resolves it there. */
async function isKnown(ctx: CheckContext, after: SourceTree, path: string, name: string): Promise<boolean> {
  const manifests = [...after.files].filter(file => getBaseName(file) === 'package.json');
  if (manifests.length === 0) return true;
  const above = getFoldersAbove(path).map(folder => joinPath(folder, 'package.json'));
  for (const file of manifests) {
    const declared = getDeclared(await after.readText(file));
    if (above.includes(file) ? declared.includes(name) : declared[0] === name) return true;
  }
  const quoted = ["'", '"'].flatMap(mark => [`${mark}${name}${mark}`, `${mark}${name}/`]);
  const aside = [...ctx.policy.environment.lockfiles.flatMap(file => [file, `**/${file}`]), '*.md'];
  return (await ctx.ports.workspace.mentions?.(ctx.baseTree, quoted, aside)) ?? false;
}

function getFoldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = getFolder(path); folder !== ''; folder = getFolder(folder)) folders.push(folder);
  return [...folders, ''];
}
