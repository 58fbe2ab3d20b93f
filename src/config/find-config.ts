import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../core/base/failure.ts';

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
