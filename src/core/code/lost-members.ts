import { getExports, type ModuleTree, resolveModule } from './modules.ts';

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
