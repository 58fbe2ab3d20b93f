import { parse } from 'yaml';
import { getCommands } from '../core/command-line.ts';
import { matchesAny } from '../core/glob.ts';
import { getFolder } from '../core/tree-path.ts';
import type { RepoView, TestWay } from './detect.ts';
import { getManifest, type Manager, type Manifest } from './node-manifest.ts';
import { getNodeTesting } from './node-testing.ts';

/** Runners that find the tests of all packages from the root, and take several folders. */
const FROM_ROOT: readonly string[] = ['vitest', 'jest', 'mocha', 'node'];

/** One run of all packages of a workspace, where they are tested alike: a report beats the exit code of a script. */
export async function getWorkspaceWay(
  view: RepoView,
  manifest: Manifest,
  manager: Manager,
): Promise<TestWay | null> {
  const globs = [...manifest.workspaces, ...(await readPnpm(view))].map(glob =>
    glob.replace(/^\.\/|\/+$/g, ''),
  );
  if (globs.length === 0) return null;
  const folders = [...view.files]
    .filter(path => path.endsWith('/package.json'))
    .map(getFolder)
    .filter(folder => matchesAny(folder, globs));
  const ways = await Promise.all(
    folders.map(async folder => {
      const own = getManifest(await view.readText(`${folder}/package.json`));
      const { runner, full } = getNodeTesting(own, manager);
      return full === null ? [] : [{ folder, runner, full }];
    }),
  );
  const [first, ...others] = ways.flat();
  if (!first || !FROM_ROOT.includes(first.runner)) return null;
  if (others.some(({ runner, full }) => runner !== first.runner || full !== first.full)) return null;
  return getAcross(
    first,
    [first, ...others].map(({ folder }) => folder),
  );
}

/** The same line for all of them; paths in it are those of each package. */
function getAcross({ runner, full }: TestWay, folders: readonly string[]): TestWay | null {
  const words = getCommands(full)[0] ?? [];
  const paths = words.filter(
    ({ value }) => !value.startsWith('-') && /[/*]|\.[cm]?[jt]sx?$|^tests?$/.test(value),
  );
  if (getCommands(full).length > 1 || paths.some(({ value }) => value.startsWith('/'))) return null;
  if (paths.length === 0) {
    if (runner !== 'mocha') return { runner, full };
    return {
      runner,
      full: `${full} ${folders.map(folder => `'${folder}/test/**/*.{js,cjs,mjs}'`).join(' ')}`,
    };
  }
  const bare = paths.reduceRight(
    (text, word) => text.slice(0, word.start).trimEnd() + text.slice(word.end),
    full,
  );
  const all = folders.flatMap(folder => paths.map(({ value }) => `${folder}/${value.replace(/^\.\//, '')}`));
  return { runner, full: `${bare} ${all.map(path => (/[*{]/.test(path) ? `'${path}'` : path)).join(' ')}` };
}

async function readPnpm(view: RepoView): Promise<readonly string[]> {
  const text = await view.readText('pnpm-workspace.yaml');
  const found = /^packages:/m.test(text)
    ? (parse(text, { logLevel: 'silent' }) as { packages?: unknown })
    : {};
  return Array.isArray(found.packages)
    ? found.packages.map(String).filter(glob => !glob.startsWith('!'))
    : [];
}
