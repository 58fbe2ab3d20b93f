import { getBaseName } from '../base/tree-path.ts';
import { getModuleName, type ImportGraph } from './imports.ts';
import { isToolchainTest } from './source-files.ts';

/** What is known of a tree before anything is asked of its runs. */
export interface Grounds {
  /** Files that the runner collected as tests, or that a task names as its own. */
  readonly tests: ReadonlySet<string>;
  /** Who uses whom, by their texts. */
  readonly graph: ImportGraph;
  /** What the manifests hand out to others. */
  readonly entries: ReadonlySet<string>;
}

/** Who may lean on a file: `product` once anything but tests does, `tests` if only they do, `nobody` by the texts. */
export type Users = 'product' | 'tests' | 'nobody';

/** Tells tests and what belongs to them from the product. */
export interface JudgeFiles {
  readonly tests: ReadonlySet<string>;
  /** A test, or in a folder of tests. */
  isOfTests(path: string): boolean;
  getUsers(path: string): Users;
  /** Who names it and is no test's: with any, it is part of what is tested. */
  getNamers(path: string): readonly string[];
  /** Whether a test names it itself: then it is what is tested, or helps to. */
  isNamedByTest(path: string): boolean;
  /** The tests that use a file, at whatever distance. */
  getTestsOf(path: string): readonly string[];
  /** Whether tests use what a build makes of the files here. */
  readonly isOfBuilt: boolean;
  /** Everybody who uses a file, at whatever distance. */
  getAllUsers(path: string): readonly string[];
}

/** Learns from what was collected and who uses whom which files belong to the tests. */
export function createJudgeFiles(grounds: Grounds): JudgeFiles {
  const { tests, entries } = grounds;
  const users = getUserMap(grounds.graph);
  const verdicts = new Map<string, boolean>();
  const isFolder = (folder: string): boolean => {
    const known = verdicts.get(folder) ?? isTestFolder(grounds, users, folder);
    verdicts.set(folder, known);
    return known;
  };
  const isOfTests = (path: string) =>
    tests.has(path) || isToolchainTest(path) || getFolders(path).some(isFolder);
  const getAllUsers = (path: string): readonly string[] => {
    const found = new Set(users(path));
    for (const user of found) for (const other of users(user)) found.add(other);
    return [...found];
  };
  return {
    tests,
    isOfBuilt: [...tests].some(path => grounds.graph.unbuilt.has(path)),
    isOfTests,
    getUsers: path => {
      if (entries.has(path)) return 'product';
      const found = new Set(users(path));
      if (found.size === 0) return 'nobody';
      for (const user of found) {
        if (isOfTests(user)) continue;
        const further = users(user);
        if (entries.has(user) || further.length === 0) return 'product';
        for (const other of further) if (other !== path) found.add(other);
      }
      return 'tests';
    },
    getNamers: path => users(path).filter(user => !isOfTests(user)),
    isNamedByTest: path => users(path).some(user => tests.has(user)),
    getTestsOf: path => getAllUsers(path).filter(user => tests.has(user)),
    getAllUsers,
  };
}

type FindUsers = (path: string) => readonly string[];

/**
 * A folder is the tests' own where nothing outside leans on its code, tests elsewhere less than its own tests are, and
 * where its tests lean on code outside at least as much as on their neighbours. Elsewhere what lies beside a test is what it tests.
 */
function isTestFolder({ tests, graph, entries }: Grounds, users: FindUsers, folder: string): boolean {
  const isInside = (path: string) => path.startsWith(folder);
  const here = [...tests].filter(isInside);
  if (here.length === 0 || [...entries].some(isInside)) return false;
  const isLeanedOn = [...graph.uses.keys()].some(
    path => isInside(path) && users(path).some(user => !isInside(user) && !tests.has(user)),
  );
  if (isLeanedOn) return false;
  // A product whose comments are run as tests has tests in it, and more of those that nobody uses outside.
  const leaning = [...tests].filter(
    path => !isInside(path) && [...(graph.uses.get(path) ?? [])].some(used => isInside(used)),
  );
  const alone = here.filter(path => users(path).length === 0);
  if (leaning.length > 0 && leaning.length >= alone.length) return false;
  const used = new Set(here.flatMap(path => graph.uses.get(path) ?? []));
  const subjects = [...used].filter(path => !tests.has(path) && graph.uses.has(path));
  const outside = subjects.filter(path => !isInside(path)).length;
  if (subjects.length > 0) return outside > 0 && outside >= subjects.length - outside;
  const words = new Set(here.flatMap(path => graph.loose.get(path) ?? []));
  return ![...graph.uses.keys()].some(
    path => isInside(path) && !tests.has(path) && words.has(getImportName(path)),
  );
}

/** By name where a text names a file plainly, by its last word where some setting says what it stands for. */
function getUserMap({ uses, loose }: ImportGraph): FindUsers {
  const byPath = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, user: string) => {
    const known = map.get(key);
    if (known) known.push(user);
    else map.set(key, [user]);
  };
  for (const [user, paths] of uses) for (const path of paths) add(byPath, path, user);
  for (const [user, words] of loose) for (const word of words) add(byName, word, user);
  return path =>
    [...(byPath.get(path) ?? []), ...(byName.get(getModule(path)) ?? [])].filter(user => user !== path);
}

function getModule(path: string): string {
  const stem = getModuleName(getBaseName(path));
  return stem.includes('.') ? stem : getImportName(path);
}

/** How an import ends that means this file. */
export function getImportName(path: string): string {
  const parts = path.split('/');
  const stem = parts.pop()?.split('.', 1)[0] ?? '';
  return stem === 'index' || stem === '__init__' ? (parts.pop() ?? stem) : stem;
}

/** Every folder that a path is in, with its slash, but not the top. */
function getFolders(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, at) => `${parts.slice(0, at + 1).join('/')}/`);
}
