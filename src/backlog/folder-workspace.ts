import type { Workspace } from '../ports/index.ts';

type Files = Readonly<Record<string, string>>;

/** A folder's files as one text, so that a backlog of many files is read and written like one. */
export function writeBundle(files: Files): string {
  const names = Object.keys(files).sort((a, b) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(names.map(name => [name, files[name]])), null, 1);
}

/** The files of such a text. */
export function readBundle(text: string): Files {
  return text === '' ? {} : (JSON.parse(text) as Files);
}

/** Whether a file of such a folder, by its name, is a plan. */
export function isPlanFile(name: string): boolean {
  return /^[^/]+\.md$/i.test(name) && !/^readme\.md$/i.test(name);
}

/** The plans of a folder as one text; null when there are none. */
export async function readFolder(
  { readFile, listFiles }: Pick<Workspace, 'readFile' | 'listFiles'>,
  commit: string,
  folder: string,
): Promise<string | null> {
  const names = (await listFiles(commit))
    .filter(path => path.startsWith(`${folder}/`))
    .map(path => path.slice(folder.length + 1))
    .filter(isPlanFile);
  if (names.length === 0) return null;
  const texts = await Promise.all(names.map(name => readFile(commit, `${folder}/${name}`)));
  return writeBundle(Object.fromEntries(names.map((name, i) => [name, texts[i] ?? ''])));
}

/** A workspace in which the backlog's folder reads and writes as one text; all else is as it was. */
export function withFolderBacklog<W extends Workspace>(workspace: W, folder: string): W {
  return {
    ...workspace,
    readFile: (commit, path) =>
      path === folder ? readFolder(workspace, commit, folder) : workspace.readFile(commit, path),
    compose: request => {
      const put = request.put?.flatMap(file =>
        file.path === folder
          ? Object.entries(readBundle(file.text)).map(([name, text]) => ({ path: `${folder}/${name}`, text }))
          : [file],
      );
      return workspace.compose({ ...request, ...(put ? { put } : {}) });
    },
  };
}
