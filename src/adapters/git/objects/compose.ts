import { ObjectGone } from '../../../core/base/failure.ts';
import { getBaseName, getFolder } from '../../../core/base/tree-path.ts';
import type { Workspace } from '../../../ports/index.ts';
import type { GitContext } from '../repo/context.ts';
import { getIdBytes, type ObjectFormat } from '../repo/repo.ts';
import { getPathSpec, readObjectIds, readObjects } from './objects.ts';
import { getObjectId, type NewObject, writeObjects } from './write-objects.ts';

type Request = Parameters<Workspace['compose']>[0];

interface TreeEntry {
  /** As git writes it in a tree: 100644, 100755, 120000, 160000, 40000. */
  readonly mode: string;
  readonly id: string;
}

/** Entries of one directory; names are bytes, kept as latin1 text. */
type TreeEntries = Map<string, TreeEntry>;

/** Directories by path, as far as they are touched. Paths are bytes as latin1 text; '' is the top. */
type Dirs = Map<string, TreeEntries>;

/**
 * A tree made of another: some paths as another commit has them (a path it lacks goes), some gone, some with
 * a new text. Only the directories on the way are read and written, so the size of the repository
 * does not matter: one process to read, one to write.
 */
export async function compose(ctx: GitContext, request: Request): Promise<string> {
  const takes = (request.take ?? []).flatMap(take =>
    take.paths.map(path => ({ from: take.from, path: getBytes(path) })),
  );
  const puts = (request.put ?? []).map(put => ({ ...put, path: getBytes(put.path) }));
  const drops = (request.drop ?? []).map(path => ({ path: getBytes(path) }));
  if (takes.length + puts.length + drops.length === 0) return getRoot(ctx, request.tree);
  const touched = new Set([...takes, ...puts, ...drops].flatMap(({ path }) => getParents(path)));
  const wanted = [
    ...[...touched].map(dir => ({ treeish: request.tree, dir })),
    ...takes.map(({ from, path }) => ({ treeish: from, dir: getFolder(path) })),
  ];
  const { found, ids } = await readDirs(ctx, wanted);
  const dirs: Dirs = new Map(
    [...touched].map(dir => [dir, found.get(`${request.tree}:${dir}`) ?? new Map()]),
  );
  const objects: NewObject[] = [];
  for (const { from, path } of takes) {
    setEntry(dirs, path, found.get(`${from}:${getFolder(path)}`)?.get(getBaseName(path)) ?? null);
  }
  for (const { path } of drops) setEntry(dirs, path, null);
  for (const { path, text, executable } of puts) {
    const blob: NewObject = { type: 'blob', body: Buffer.from(text) };
    const before = dirs.get(getFolder(path))?.get(getBaseName(path));
    if (before) ids.add(before.id);
    objects.push(blob);
    setEntry(dirs, path, {
      mode: executable || before?.mode === '100755' ? '100755' : '100644',
      id: getObjectId(ctx.repo.objectFormat, blob),
    });
  }
  const root = addTrees(ctx, dirs, objects);
  const isNew = (object: NewObject): boolean => !ids.has(getObjectId(ctx.repo.objectFormat, object));
  await writeObjects(ctx, objects.filter(isNew));
  return root;
}

/** The name of a tree without some of its files, worked out without writing anything. */
export async function getIdWithout(ctx: GitContext, tree: string, paths: readonly string[]): Promise<string> {
  const gone = paths.map(getBytes);
  const touched = [...new Set(gone.flatMap(getParents))];
  const { found } = await readDirs(
    ctx,
    touched.map(dir => ({ treeish: tree, dir })),
  );
  const dirs: Dirs = new Map(touched.map(dir => [dir, found.get(`${tree}:${dir}`) ?? new Map()]));
  for (const path of gone) setEntry(dirs, path, null);
  return addTrees(ctx, dirs, []);
}

async function getRoot(ctx: GitContext, treeish: string): Promise<string> {
  const [id] = await readObjectIds(ctx, [`${treeish}^{tree}`]);
  if (!id) throw new ObjectGone(`${treeish} is not a commit or tree of this repository`, ctx.repo.commonDir);
  return id;
}

/** The directories, and the ids of all that was read: what is there need not be written again. */
async function readDirs(
  ctx: GitContext,
  wanted: readonly { treeish: string; dir: string }[],
): Promise<{ found: Dirs; ids: Set<string> }> {
  const specs = wanted.map(({ treeish, dir }) => getDirSpec(treeish, dir));
  const objects = await readObjects(ctx, specs);
  const found: Dirs = new Map();
  const ids = new Set<string>();
  wanted.forEach(({ treeish, dir }, at) => {
    const object = objects[at];
    if (object) ids.add(object.id);
    if (object?.type === 'tree')
      found.set(`${treeish}:${dir}`, getTreeEntries(object.body, ctx.repo.objectFormat));
    else if (dir === '')
      throw new ObjectGone(`${treeish} is not a commit or tree of this repository`, ctx.repo.commonDir);
  });
  return { found, ids };
}

function getDirSpec(treeish: string, dir: string): string {
  if (dir === '') return `${treeish}^{tree}`;
  const spec = getPathSpec(treeish, Buffer.from(dir, 'latin1').toString('utf8'));
  if (spec === null) throw new Error(`a path outside of the tree: ${dir}`);
  return spec;
}

function setEntry(dirs: Dirs, path: string, entry: TreeEntry | null): void {
  const entries = dirs.get(getFolder(path));
  if (entry === null) entries?.delete(getBaseName(path));
  else entries?.set(getBaseName(path), entry);
}

/** From the deepest directory up: each becomes an object and an entry of its parent; an empty one goes. */
function addTrees(ctx: GitContext, dirs: Dirs, objects: NewObject[]): string {
  const deepestFirst = [...dirs.keys()].sort((a, b) => getDepth(b) - getDepth(a));
  let id = '';
  for (const dir of deepestFirst) {
    const entries = dirs.get(dir) as TreeEntries;
    const tree: NewObject = { type: 'tree', body: getTreeBody(entries) };
    id = getObjectId(ctx.repo.objectFormat, tree);
    if (entries.size > 0 || dir === '') objects.push(tree);
    if (dir === '') break;
    if (entries.size > 0) setEntry(dirs, dir, { mode: '40000', id });
    else if (isDirectory(dirs.get(getFolder(dir))?.get(getBaseName(dir)))) setEntry(dirs, dir, null);
  }
  return id;
}

function getBytes(path: string): string {
  const clean = path.replace(/^(\.\/)+/, '');
  if (
    clean === '' ||
    clean.split('/').some(part => part === '' || part === '.' || part === '..' || part === '.git')
  ) {
    throw new Error(`not a path of a file in a repository: ${path}`);
  }
  return Buffer.from(clean, 'utf8').toString('latin1');
}

function getParents(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
}

function getDepth(dir: string): number {
  return dir === '' ? 0 : dir.split('/').length;
}

/** Reads git's binary form of a directory. */
function getTreeEntries(body: Buffer, format: ObjectFormat): TreeEntries {
  const idBytes = getIdBytes(format);
  const entries: TreeEntries = new Map();
  let offset = 0;
  while (offset < body.length) {
    const space = body.indexOf(0x20, offset);
    const end = body.indexOf(0, space);
    const mode = body.toString('latin1', offset, space);
    const name = body.toString('latin1', space + 1, end);
    entries.set(name, { mode, id: body.toString('hex', end + 1, end + 1 + idBytes) });
    offset = end + 1 + idBytes;
  }
  return entries;
}

/** Writes git's binary form of a directory, in the one order git accepts. */
function getTreeBody(entries: TreeEntries): Buffer {
  const sorted = [...entries].map(([name, entry]) => ({
    name,
    entry,
    key: isDirectory(entry) ? `${name}/` : name,
  }));
  sorted.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ name, entry }) => [
      Buffer.from(`${entry.mode} ${name}\0`, 'latin1'),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/** Whether an entry is a directory. */
function isDirectory(entry: TreeEntry | undefined): entry is TreeEntry {
  return entry?.mode === '40000';
}
