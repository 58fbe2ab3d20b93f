import { parse } from 'yaml';
import { matchesAny } from '../../core/base/glob.ts';
import { getFolder } from '../../core/base/tree-path.ts';
import { AGENT_PACKAGES } from '../../core/model/provider.ts';
import { getWithout } from '../../core/runners/command-edits.ts';
import { getCommands } from '../../core/shell/command-line.ts';
import { RUNNERS } from '../../core/testing/runners.ts';
import type { Detection, RepoView, TestWay, Witness } from './detection.ts';
import { getManifest, getNodeTesting, type Manager, type Manifest } from './node-testing.ts';

const NPM: Manager = {
  name: 'npm',
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: 'npm ci',
  installLoose: 'npm install --no-package-lock',
  exec: 'npx',
  test: 'npm test',
};

const MANAGERS: readonly Manager[] = [
  {
    name: 'pnpm',
    lockfiles: ['pnpm-lock.yaml'],
    install: 'pnpm install --frozen-lockfile',
    installLoose: 'pnpm install --no-lockfile',
    exec: 'pnpm exec',
    test: 'pnpm test',
  },
  {
    name: 'yarn',
    lockfiles: ['yarn.lock'],
    install: 'yarn install --frozen-lockfile',
    installLoose: 'yarn install --no-lockfile',
    exec: 'yarn run',
    test: 'yarn run test',
  },
  {
    name: 'bun',
    lockfiles: ['bun.lock', 'bun.lockb'],
    install: 'bun install --frozen-lockfile',
    installLoose: 'bun install --no-save',
    exec: 'bunx',
    test: 'bun run test',
  },
  NPM,
];

/** A JavaScript or TypeScript project, told by its package.json. */
export async function detectNode(view: RepoView, witness: Witness): Promise<Detection | null> {
  if (!view.files.has('package.json')) return null;
  const manifest = getManifest(await view.readText('package.json'));
  const manager = getManager(view, manifest);
  const install = getInstall(view, manifest, manager);
  const testing = getNodeTesting(manifest, manager);
  const across = testing.runner === 'command' ? await getWorkspaceWay(view, manifest, manager) : null;
  return {
    language: 'node',
    name: manifest.name,
    packageManager: manager.name,
    install,
    otherInstalls: install === null ? [] : getOtherInstalls(view, manager, install, witness),
    report: null,
    lint: getLint(view, manifest, manager),
    typeCheck: getTypeCheck(view, manifest, manager),
    build: getScript(manifest, manager, ['build']),
    ...testing,
    ...(across === null
      ? {}
      : {
          ...{ runner: across.runner, full: across.full, feature: null },
          otherWays:
            testing.full === null
              ? []
              : [{ runner: testing.runner, full: testing.full }, ...(testing.otherWays ?? [])],
        }),
  };
}

/** Without a lockfile in the repository a fresh tree still needs what the manifest names. */
function getInstall({ files }: RepoView, { dependencies }: Manifest, manager: Manager): string | null {
  const hasOwn = [...dependencies].some(name => !AGENT_PACKAGES.has(name));
  if (dependencies.size > 0 && !hasOwn) return null;
  if (!manager.lockfiles.some(file => files.has(file))) return hasOwn ? manager.installLoose : null;
  const isModernYarn = manager.name === 'yarn' && files.has('.yarnrc.yml');
  return isModernYarn ? 'yarn install --immutable' : manager.install;
}

/** What the pipeline does, then what npm itself proposes where packages do not agree about others. */
function getOtherInstalls(
  { files }: RepoView,
  manager: Manager,
  install: string,
  { installs }: Witness,
): readonly string[] {
  const isLocked = manager.lockfiles.some(file => files.has(file));
  const own = installs.filter(line => line.startsWith(`${manager.name} `));
  const plain = own.map(line =>
    manager !== NPM || isLocked || line.includes('--no-package-lock') ? line : `${line} --no-package-lock`,
  );
  const loose = manager === NPM ? [manager.installLoose, `${manager.installLoose} --legacy-peer-deps`] : [];
  return [...new Set([...plain, ...loose])].filter(line => line !== install);
}

function getManager(view: RepoView, manifest: Manifest): Manager {
  const named = MANAGERS.find(manager => manifest.packageManager.startsWith(`${manager.name}@`));
  const locked = MANAGERS.find(manager => manager.lockfiles.some(file => view.files.has(file)));
  return named ?? locked ?? NPM;
}

/** Linters by the package or the file of settings that tells of them, and how each is run. */
const LINTERS: readonly (readonly [name: string, files: RegExp, command: string])[] = [
  ['@biomejs/biome', /^biome\.jsonc?$/, 'biome check'],
  ['xo', /^(?:xo\.config\.\w+|\.xo-config(?:\.\w+)?)$/, 'xo'],
  ['standard', /^$/, 'standard'],
  ['oxlint', /^\.?oxlintrc\.jsonc?$/, 'oxlint'],
  ['eslint', /^(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?)$/, 'eslint .'],
];

/** The project's own word for it where that changes no file, or the linter as it is meant to be run. */
function getLint({ files }: RepoView, manifest: Manifest, manager: Manager): string | null {
  const own = manifest.scripts.lint;
  if (own !== undefined && !/--(?:fix|write)\b|\bformat\b/.test(own)) return `${manager.name} run lint`;
  const found = LINTERS.find(
    ([name, pattern]) => manifest.dependencies.has(name) || [...files].some(file => pattern.test(file)),
  );
  return found ? `${manager.exec} ${found[2]}` : null;
}

/** The project's own words for it, or the compiler's where it has settings of its own. */
function getTypeCheck(view: RepoView, manifest: Manifest, manager: Manager): string | null {
  const own = getScript(manifest, manager, ['typecheck', 'type-check', 'check-types', 'types', 'tsc']);
  if (own !== null) return own;
  const hasCompiler = view.files.has('tsconfig.json') && manifest.dependencies.has('typescript');
  return hasCompiler ? `${manager.exec} tsc --noEmit` : null;
}

function getScript({ scripts }: Manifest, { name }: Manager, names: readonly string[]): string | null {
  const found = names.find(each => scripts[each] !== undefined);
  return found === undefined ? null : `${name} run ${found}`;
}

/** One run of all packages of a workspace, where they are tested alike: a report beats the exit code of a script. */
async function getWorkspaceWay(
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
  if (!first || !RUNNERS[first.runner].getWorkspaceArguments) return null;
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
  const more = RUNNERS[runner].getWorkspaceArguments?.(folders) ?? '';
  if (paths.length === 0) return { runner, full: full + more };
  const bare = getWithout(full, paths);
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
