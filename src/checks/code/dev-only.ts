import { parseObject } from '../../core/base/json.ts';
import { getBaseName, getExtension, getFolder, joinPath } from '../../core/base/tree-path.ts';
import { type Entry, getEntries, getPackage, getRuntime } from '../../core/code/entries.ts';
import { resolveModule } from '../../core/code/modules.ts';
import { TYPESCRIPT } from '../../core/code/source-files.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import { readIsTest } from '../shared/changed-sources.ts';
import type { CheckContext } from '../shared/context.ts';
import type { Trees } from './links.ts';
import type { SourceTree } from './source-tree.ts';

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
