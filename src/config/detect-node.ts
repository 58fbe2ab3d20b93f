import { AGENT_PACKAGES } from '../core/manifest-files.ts';
import type { RunnerKind } from '../core/testing.ts';
import type { Detection, RepoView } from './detect.ts';
import { getRunner } from './runner.ts';

interface Manifest {
  readonly name: string | null;
  readonly dependencies: ReadonlySet<string>;
  readonly testScript: string;
  readonly scripts: ReadonlySet<string>;
  readonly packageManager: string;
}

interface Manager {
  readonly name: string;
  readonly lockfiles: readonly string[];
  readonly install: string;
  /** Where there is no lockfile; it must not leave one in the work either. */
  readonly installLoose: string;
  readonly exec: string;
  readonly test: string;
}

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

const DIRECT: readonly (readonly [dependency: string, runner: RunnerKind, command: string])[] = [
  ['vitest', 'vitest', 'vitest run'],
  ['jest', 'jest', 'jest'],
  ['mocha', 'mocha', 'mocha'],
  ['ava', 'tap', 'ava --tap'],
];

/** A JavaScript or TypeScript project, told by its package.json. */
export async function detectNode(view: RepoView): Promise<Detection | null> {
  if (!view.files.has('package.json')) return null;
  const manifest = getManifest(await view.readText('package.json'));
  const manager = getManager(view, manifest);
  return {
    language: 'node',
    name: manifest.name,
    packageManager: manager.name,
    install: getInstall(view, manifest, manager),
    report: null,
    lint: getLint(view, manifest, manager),
    typeCheck: getTypeCheck(view, manifest, manager),
    build: getScript(manifest, manager, ['build']),
    ...getTesting(manifest, manager),
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

function getManifest(text: string): Manifest {
  const json = parseObject(text);
  const asObject = (value: unknown) => (typeof value === 'object' && value !== null ? value : {});
  const scripts = asObject(json.scripts) as Record<string, unknown>;
  const script = scripts.test;
  return {
    name: typeof json.name === 'string' && json.name.trim() !== '' ? json.name : null,
    dependencies: new Set([
      ...Object.keys(asObject(json.dependencies)),
      ...Object.keys(asObject(json.devDependencies)),
    ]),
    scripts: new Set(Object.keys(scripts).filter(name => typeof scripts[name] === 'string')),
    testScript: typeof script === 'string' && !script.includes('no test specified') ? script.trim() : '',
    packageManager: typeof json.packageManager === 'string' ? json.packageManager : '',
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function getManager(view: RepoView, manifest: Manifest): Manager {
  const named = MANAGERS.find(manager => manifest.packageManager.startsWith(`${manager.name}@`));
  const locked = MANAGERS.find(manager => manager.lockfiles.some(file => view.files.has(file)));
  return named ?? locked ?? NPM;
}

/** The runner itself rather than the script around it, because a report needs its own flags. */
function getTesting(manifest: Manifest, manager: Manager): Pick<Detection, 'runner' | 'full' | 'notes'> {
  const script = manifest.testScript;
  const isSimple = !/[&|;<>\n]/.test(script);
  const inScript = getRunner(script, null);
  if (isSimple && inScript === 'node' && /^(?:node|tsx)\s/.test(script)) {
    const direct = script.startsWith('node') ? script : `${manager.exec} ${script}`;
    return { runner: 'node', full: direct, notes: [] };
  }
  const known = DIRECT.filter(([name]) => manifest.dependencies.has(name));
  const choice = known.find(([name]) => new RegExp(`(?:^|[\\s/])${name}(?:\\s|$)`).test(script)) ?? known[0];
  if (choice) {
    const [name, runner, command] = choice;
    const own = isSimple && new RegExp(`^${name}(?:\\s|$)`).test(script) ? getOnce(script, name) : command;
    const notes = isSimple ? [] : [`The script "test" does more than run ${name}: ${script}`];
    return { runner, full: `${manager.exec} ${own}`, notes };
  }
  if (script !== '') return { runner: 'command', full: manager.test, notes: [] };
  return { runner: 'command', full: null, notes: ['package.json has no test script: set testing.full.'] };
}

/** The script's own flags, made to run once and to report in a way that can be read. */
function getOnce(script: string, name: string): string {
  const plain = script.replace(/\s--?watch(?:All)?(?:=\S+)?(?=\s|$)/g, '');
  if (name === 'vitest') return plain.replace(/^vitest(?:\s+(?:run|watch|dev))?(?=\s|$)/, 'vitest run');
  return name === 'ava' && !plain.includes('--tap') ? `${plain} --tap` : plain;
}

function getLint(view: RepoView, manifest: Manifest, manager: Manager): string | null {
  const hasFile = (pattern: RegExp) => [...view.files].some(file => pattern.test(file));
  if (hasFile(/^biome\.jsonc?$/) || manifest.dependencies.has('@biomejs/biome')) {
    return `${manager.exec} biome check`;
  }
  const hasEslint =
    hasFile(/^(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?)$/) || manifest.dependencies.has('eslint');
  return hasEslint ? `${manager.exec} eslint .` : null;
}

/** The project's own words for it, or the compiler's where it has settings of its own. */
function getTypeCheck(view: RepoView, manifest: Manifest, manager: Manager): string | null {
  const own = getScript(manifest, manager, ['typecheck', 'type-check', 'check-types', 'types', 'tsc']);
  if (own !== null) return own;
  const hasCompiler = view.files.has('tsconfig.json') && manifest.dependencies.has('typescript');
  return hasCompiler ? `${manager.exec} tsc --noEmit` : null;
}

function getScript({ scripts }: Manifest, { name }: Manager, names: readonly string[]): string | null {
  const found = names.find(each => scripts.has(each));
  return found === undefined ? null : `${name} run ${found}`;
}
