import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HarnessError } from '../../../core/base/failure.ts';
import type { OptionalPackage } from '../../../core/model/provider.ts';

/** Where one was found. */
export interface InstalledPackage {
  readonly dir: string;
  readonly version: string;
  /** The module to import. */
  readonly entry: string;
}

/** Imports an agent's SDK; the caller knows its shape. Throws a HarnessError that says how to install it. */
export async function loadPackage<Module>(wanted: OptionalPackage, projectRoot: string): Promise<Module> {
  const installed = findPackage(wanted, projectRoot);
  if (installed) return (await import(pathToFileURL(installed.entry).href)) as Module;
  throw new HarnessError('config', `The ${wanted.label} is not installed.`, {
    field: 'agent.provider',
    fix: `Run: ${getInstallCommand(wanted)}`,
  });
}

export function getInstallCommand({ packageName, version }: OptionalPackage): string {
  return `npm install --save-dev ${packageName}@${version}`;
}

/**
 * Looks in the user's project first, then beside the harness (a global install), then where
 * HARNESS_AGENT_MODULES points; null when it is nowhere.
 */
export function findPackage({ packageName }: OptionalPackage, projectRoot: string): InstalledPackage | null {
  const starts = [projectRoot, dirname(fileURLToPath(import.meta.url)), process.env.HARNESS_AGENT_MODULES];
  for (const start of starts) {
    const found = start ? findAbove(packageName, start) : null;
    if (found) return found;
  }
  return null;
}

/** The way Node looks for a package, by hand: `require.resolve` knows no packages that are only for import. */
function findAbove(packageName: string, start: string): InstalledPackage | null {
  for (let folder = start; ; folder = dirname(folder)) {
    const dir = join(folder, 'node_modules', packageName);
    const found = readPackage(dir);
    if (found || folder === dirname(folder)) return found;
  }
}

function readPackage(dir: string): InstalledPackage | null {
  const file = join(dir, 'package.json');
  if (!existsSync(file)) return null;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const entry = getEntry(manifest.exports) ?? manifest.module ?? manifest.main ?? 'index.js';
  return { dir, version: manifest.version, entry: join(dir, entry) };
}

interface Manifest {
  readonly version: string;
  readonly main?: string;
  readonly module?: string;
  readonly exports?: Exports;
}

type Exports = string | { readonly [condition: string]: Exports };

/** What `import` of the bare name would give. */
function getEntry(exports: Exports | undefined): string | undefined {
  if (exports === undefined || typeof exports === 'string') return exports;
  for (const condition of ['.', 'import', 'node', 'default']) {
    if (exports[condition] !== undefined) return getEntry(exports[condition]);
  }
  return undefined;
}
