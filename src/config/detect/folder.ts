import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { detectProject } from './detect.ts';
import type { DetectedProject, RepoReader } from './detection.ts';

/** How deep below the root a project is looked for. */
const MAX_DEPTH = 2;

/**
 * The project of a repository: at its root, else in the folder that somebody stands in or one above it, else in the
 * only folder that has one. Commands are as the root sees them.
 */
export async function detectAround(root: string, from: string, repo: RepoReader): Promise<DetectedProject> {
  const atRoot = await detectProject(root, repo);
  if (atRoot.full !== null) return atRoot;
  const files = await repo.listFiles();
  const detectIn = async (folder: string): Promise<DetectedProject | null> => {
    const found = await detectProject(`${root}/${folder}`, getBelow(repo, files, folder));
    return found.full === null ? null : getInFolder(found, folder);
  };
  for (const folder of getUpwards(from)) {
    const found = await detectIn(folder);
    if (found) return found;
  }
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    const folders = getFolders(files, depth);
    const all = (await Promise.all(folders.map(detectIn))).filter(found => found !== null);
    if (all.length === 1) return all[0] as DetectedProject;
    if (all.length > 1) return { ...atRoot, notes: [...atRoot.notes, getChoice(all)] };
  }
  return atRoot;
}

function getChoice(all: readonly DetectedProject[]): string {
  return `There is more than one project below: set testing.full to one of ${all.map(({ full }) => `\`${full}\``).join(', ')}, or to all of them.`;
}

/** The folder itself and those above it, without the root. */
function getUpwards(folder: string): readonly string[] {
  const parts = folder.split('/').filter(part => part !== '' && part !== '.');
  return parts.map((_, at) => parts.slice(0, parts.length - at).join('/'));
}

function getFolders(files: readonly string[], depth: number): readonly string[] {
  const inside = files.map(path => path.split('/')).filter(parts => parts.length > depth);
  return [...new Set(inside.map(parts => parts.slice(0, depth).join('/')))];
}

function getBelow(repo: RepoReader, files: readonly string[], folder: string): RepoReader {
  const prefix = `${folder}/`;
  return {
    listFiles: async () =>
      files.filter(path => path.startsWith(prefix)).map(path => path.slice(prefix.length)),
    readFile: path => repo.readFile(`${prefix}${path}`),
  };
}

function getInFolder(found: DetectedProject, folder: string): DetectedProject {
  const go = (command: string | null | undefined) =>
    command ? `cd ${getShellQuoted(folder)} && ${command}` : (command ?? null);
  const below = (path: string | null | undefined) => (path ? `${folder}/${path}` : null);
  const { install, full, lint, typeCheck, build, report, feature, notes } = found;
  return {
    ...found,
    ...{ install: go(install), full: go(full), lint: go(lint), typeCheck: go(typeCheck), build: go(build) },
    ...{ report: below(report), feature: go(feature) },
    otherInstalls: (found.otherInstalls ?? []).map(line => go(line) as string),
    otherWays: (found.otherWays ?? []).map(way => ({
      ...{ runner: way.runner, full: go(way.full) as string },
      ...{ report: below(way.report), feature: go(way.feature) },
    })),
    schemaPath: null,
    notes: [...notes, `The project is in ${folder}/; paths of tests begin with it.`],
  };
}
