import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canScan, getImports, resolveImport } from '../core/code/imports.ts';

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
