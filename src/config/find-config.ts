import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../core/base/failure.ts';
import { canScan, getImports, resolveImport } from '../core/code/imports.ts';

/** The names a configuration may have; a project has exactly one of them. */
const CONFIG_FILES = ['.harness.yaml', '.harness.yml', 'harness.config.json', 'harness.config.ts'] as const;

/** Those that are there. */
export function listConfigFiles(root: string): readonly string[] {
  return CONFIG_FILES.filter(file => existsSync(join(root, file)));
}

/** The project's configuration file, or null; two of them are an error because neither can win. */
export function findConfigFile(root: string): string | null {
  const found = listConfigFiles(root);
  if (found.length > 1) {
    throw new HarnessError('config', `more than one configuration found: ${found.join(' and ')}`, {
      file: found.join(', '),
      fix: `Keep one of ${found.join(', ')} and remove the rest.`,
    });
  }
  return found[0] ?? null;
}

/**
 * The files of the project that a configuration which is a program loads, at whatever distance. They run in the
 * harness itself, outside any sandbox, so no work under judgement may change them.
 */
export function readConfigFiles(root: string, configFile: string): readonly string[] {
  if (!configFile.endsWith('.ts')) return [];
  const isThere = (path: string): boolean =>
    statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  const files: ReadonlySet<string> = Object.assign(new Set<string>(), { has: isThere });
  const found = new Set([configFile]);
  for (const path of found) {
    if (!canScan(path)) continue;
    const { specs } = getImports(path, readFileSync(join(root, path), 'utf8'));
    for (const spec of specs) for (const used of resolveImport(path, spec, files)) found.add(used);
  }
  found.delete(configFile);
  return [...found];
}
