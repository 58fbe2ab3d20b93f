import { isPlanFile } from '../core/model/policy.ts';
import type { Workspace } from '../ports/index.ts';

type Files = Readonly<Record<string, string>>;

/** Where plans lie: those to be done, and those that are, if they have a folder of their own. */
export interface PlanFolders {
  readonly folder: string;
  readonly completed: string | null;
}

/** A folder's files as one text, so that a backlog of many files is read and written like one. */
export function writeBundle(files: Files): string {
  const names = Object.keys(files).sort((a, b) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(names.map(name => [name, files[name]])), null, 1);
}

/** The files of such a text. */
export function readBundle(text: string): Files {
  return text === '' ? {} : (JSON.parse(text) as Files);
}

type Reader = Pick<Workspace, 'readFile' | 'blobId'>;

/** Reads the plans as one text; those in the folder of completed ones go by their path. */
export function createFolderReader(
  { readFile, blobId, listFiles }: Reader & Pick<Workspace, 'listFiles'>,
  folders: PlanFolders,
): Reader {
  return {
    readFile: async (commit, path) => {
      if (path !== folders.folder) return readFile(commit, path);
      const plans = findPlans(await listFiles(commit), folders);
      if (plans.length === 0) return null;
      const texts = await Promise.all(plans.map(plan => readFile(commit, plan)));
      return writeBundle(Object.fromEntries(plans.map((plan, i) => [getKey(plan, folders), texts[i] ?? ''])));
    },
    blobId: async (commit, path) =>
      path === folders.folder
        ? join(await Promise.all(getPaths(folders).map(one => blobId(commit, one))))
        : blobId(commit, path),
  };
}

/** A workspace in which the backlog's folders read and write as one text; all else is as it was. */
export function withFolderBacklog<W extends Workspace>(workspace: W, folders: PlanFolders): W {
  const { folder, completed } = folders;
  const widen = (paths: readonly string[]) =>
    paths.includes(folder) && completed ? [...paths, completed] : paths;
  const { idWithout } = workspace;
  return {
    ...workspace,
    ...createFolderReader(workspace, folders),
    compose: async request => {
      const bundle = request.put?.find(({ path }) => path === folder);
      const files = bundle ? getFiles(bundle.text, folders) : [];
      const others = request.put?.filter(file => file !== bundle) ?? [];
      const kept = new Set(files.map(({ path }) => path));
      const there = bundle ? findPlans(await workspace.listFiles(request.tree), folders) : [];
      const gone = there.filter(path => !kept.has(path));
      return workspace.compose({
        tree: request.tree,
        ...(request.take ? { take: request.take.map(take => ({ ...take, paths: widen(take.paths) })) } : {}),
        drop: [...widen(request.drop ?? []), ...gone],
        put: [...others, ...files],
      });
    },
    rebase: (commit, onto, leave) => workspace.rebase(commit, onto, leave && widen(leave)),
    hashes: async (slot, paths) => {
      const found = await workspace.hashes(slot, widen(paths));
      return paths.includes(folder)
        ? { ...found, [folder]: join(getPaths(folders).map(path => found[path] ?? null)) }
        : found;
    },
    ...(idWithout ? { idWithout: (tree, paths) => idWithout(tree, widen(paths)) } : {}),
  } as W;
}

function getPaths({ folder, completed }: PlanFolders): readonly string[] {
  return completed === null ? [folder] : [folder, completed];
}

/** The ids of both folders as one; null when neither is there. */
function join(ids: readonly (string | null)[]): string | null {
  return ids.some(id => id !== null) ? ids.map(id => id ?? '-').join('+') : null;
}

function findPlans(paths: readonly string[], folders: PlanFolders): readonly string[] {
  return paths.filter(path => getPaths(folders).some(folder => isPlanFile(folder, path)));
}

function getKey(path: string, { folder }: PlanFolders): string {
  return isPlanFile(folder, path) ? path.slice(folder.length + 1) : path;
}

function getFiles(text: string, { folder }: PlanFolders): readonly { path: string; text: string }[] {
  return Object.entries(readBundle(text)).map(([name, plan]) => ({
    path: name.includes('/') ? name : `${folder}/${name}`,
    text: plan,
  }));
}
