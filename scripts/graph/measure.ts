import { dirname } from 'node:path';
import type { SourceFile } from './read-sources.ts';
import { getRoom, type Room } from './rooms.ts';

/** What `npm run graph -- --json` prints. */
export interface Figures {
  readonly rooms: number;
  readonly files: number;
  readonly lines: number;
  /** Groups of files that import each other by value. */
  readonly cycles: number;
  /** The same with `import type`, and groups of rooms that know each other. */
  readonly typeCycles: number;
  readonly largestFolder: number;
  readonly maxFunctionLines: number;
  readonly maxParameters: number;
  readonly oneImporterSameFolder: number;
}

export function getFigures(files: readonly SourceFile[], rooms: readonly Room[]): Figures {
  const functions = files.flatMap(file => file.functions);
  const cycles = getCycles(getEdges(files, ({ isType }) => !isType)).length;
  const all = getCycles(getEdges(files, () => true)).length;
  return {
    rooms: rooms.length,
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    cycles,
    typeCycles: all - cycles + getCycles(getRoomEdges(files, rooms)).length,
    largestFolder: Math.max(...getFolderSizes(files).values()),
    maxFunctionLines: Math.max(...functions.map(({ lines }) => lines)),
    maxParameters: Math.max(...functions.map(({ parameters }) => parameters)),
    oneImporterSameFolder: getOneImporterFiles(files).length,
  };
}

export type Edges = ReadonlyMap<string, ReadonlySet<string>>;

export function getEdges(files: readonly SourceFile[], isKept: (one: { isType: boolean }) => boolean): Edges {
  return new Map(
    files.map(({ path, imports }) => [path, new Set(imports.filter(isKept).map(one => one.path))]),
  );
}

export function getRoomEdges(files: readonly SourceFile[], rooms: readonly Room[]): Edges {
  const edges = new Map<string, Set<string>>(rooms.map(({ name }) => [name, new Set()]));
  for (const { path, imports } of files) {
    const from = getRoom(path, rooms);
    for (const one of imports) {
      const to = getRoom(one.path, rooms);
      if (to !== from) edges.get(from)?.add(to);
    }
  }
  return edges;
}

/** Files that one other file of their folder imports and nobody else: halves of one idea. */
export function getOneImporterFiles(files: readonly SourceFile[]): string[] {
  const users = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    for (const one of imports) users.set(one.path, (users.get(one.path) ?? new Set()).add(path));
  }
  return files
    .map(({ path }) => path)
    .filter(path => {
      const [user, ...others] = users.get(path) ?? [];
      return user !== undefined && others.length === 0 && dirname(user) === dirname(path);
    });
}

export function getFolderSizes(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const { path } of files) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  return sizes;
}

/** Groups of two and more that can all reach each other (Tarjan). */
export function getCycles(edges: Edges): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const connect = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!index.has(next)) connect(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group);
  };
  for (const node of edges.keys()) if (!index.has(node)) connect(node);
  return found;
}
