import { getFields, parseObject } from '../../core/base/json.ts';

/** What a package.json says about testing, building and installing. */
export interface Manifest {
  readonly name: string | null;
  readonly dependencies: ReadonlySet<string>;
  /** Without the one that says that there are no tests. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly packageManager: string;
  /** Globs of the folders of its own packages. */
  readonly workspaces: readonly string[];
}

/** What installs packages and runs their programs. */
export interface Manager {
  readonly name: string;
  readonly lockfiles: readonly string[];
  readonly install: string;
  /** Where there is no lockfile; it must not leave one in the work either. */
  readonly installLoose: string;
  readonly exec: string;
  readonly test: string;
}

/** Reads as much of it as is well formed. */
export function getManifest(text: string): Manifest {
  const json = parseObject(text);
  const scripts = Object.entries(getFields(json.scripts)).filter(
    ([name, line]) => typeof line === 'string' && (name !== 'test' || !line.includes('no test specified')),
  );
  const { workspaces } = json;
  const globs = Array.isArray(workspaces) ? workspaces : getFields(workspaces).packages;
  return {
    name: typeof json.name === 'string' && json.name.trim() !== '' ? json.name : null,
    dependencies: new Set([
      ...Object.keys(getFields(json.dependencies)),
      ...Object.keys(getFields(json.devDependencies)),
    ]),
    scripts: Object.fromEntries(scripts.map(([name, line]) => [name, String(line).trim()])),
    packageManager: typeof json.packageManager === 'string' ? json.packageManager : '',
    workspaces: Array.isArray(globs) ? globs.map(String) : [],
  };
}
