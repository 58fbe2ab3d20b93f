import { canScan, getImportGraph } from '../core/imports.ts';
import { canName, isData, isFixture, isHelper, isNamedIn } from '../core/proof-paths.ts';
import type { FileChange } from '../ports.ts';
import { isTestPath } from './changed-sources.ts';
import type { CheckContext } from './context.ts';
import { readImportsOf } from './impact.ts';

/** Beyond this a scan costs more than it is worth; folders that are known by name stay guarded. */
const MAX_FILES = 5_000;

/**
 * Files of the base that only tests use, wherever they lie: expected values and helpers. Looked for among
 * what was changed or deleted, and only where one of these could be such a file.
 */
export async function findTestOnly(ctx: CheckContext): Promise<ReadonlySet<string>> {
  const suspects: Suspect[] = [];
  for (const change of ctx.changes) {
    const suspect = await getSuspect(ctx, change);
    if (suspect) suspects.push(suspect);
  }
  if (suspects.length === 0) return new Set();
  const uses = await readUses(ctx, suspects, path => isHelper(path, ''));
  const found = suspects.filter(({ path }) => {
    const { tests, product } = uses.get(path) ?? { tests: false, product: false };
    return !product && (tests || isFixture(path));
  });
  return new Set(found.map(({ path }) => path));
}

/** A file under suspicion; code is used by imports, anything else by its name. */
export interface Suspect {
  readonly path: string;
  readonly isCode: boolean;
}

async function getSuspect(ctx: CheckContext, { path, kind }: FileChange): Promise<Suspect | null> {
  if (kind === 'added' || isTestPath(ctx, path) || path === ctx.policy.notesPath) return null;
  if (!canScan(path)) return isFixture(path) || isData(path) ? { path, isCode: false } : null;
  const text = (await ctx.ports.workspace.readFile(ctx.baseTree, path)) ?? '';
  return isHelper(path, text) ? { path, isCode: true } : null;
}

type Uses = ReadonlyMap<string, { readonly tests: boolean; readonly product: boolean }>;

/**
 * Who uses them on the base: code by imports, at whatever distance; anything else by its name in a text. Files
 * that `isAside` names count as neither tests nor product.
 */
export async function readUses(
  ctx: CheckContext,
  suspects: readonly Suspect[],
  isAside: (path: string) => boolean,
): Promise<Uses> {
  const blobs = await ctx.ports.workspace.readBlobs(ctx.baseTree);
  const paths = Object.keys(blobs).filter(canName);
  if (paths.length > MAX_FILES) return new Map();
  const users = await readUsers(ctx, paths.filter(canScan), blobs);
  const texts = suspects.some(({ isCode }) => !isCode)
    ? await readTexts(ctx, paths)
    : new Map<string, string>();
  return new Map(
    suspects.map(({ path, isCode }) => {
      const named = isCode ? [] : [...texts].filter(([file, text]) => file !== path && isNamedIn(text, path));
      const found = new Set([...(users.get(path) ?? []), ...named.map(([file]) => file)]);
      for (const user of found) {
        const isEnd = isTestPath(ctx, user) || (!isCode && !isAside(user));
        if (!isEnd) for (const further of users.get(user) ?? []) found.add(further);
      }
      found.delete(path);
      const isProduct = (user: string) => !isTestPath(ctx, user) && !isAside(user);
      const tests = [...found].some(user => isTestPath(ctx, user));
      return [path, { tests, product: [...found].some(isProduct) }] as const;
    }),
  );
}

async function readUsers(
  ctx: CheckContext,
  paths: readonly string[],
  blobs: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const imports = await readImportsOf(ctx, ctx.baseTree, paths, blobs);
  const users = new Map<string, string[]>();
  for (const [path, used] of getImportGraph(imports, new Set(Object.keys(blobs))).uses)
    for (const other of used) users.set(other, [...(users.get(other) ?? []), path]);
  return users;
}

async function readTexts(
  { ports, baseTree }: CheckContext,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(paths.map(path => ports.workspace.readFile(baseTree, path)));
  return new Map(paths.map((path, i) => [path, texts[i] ?? '']));
}
