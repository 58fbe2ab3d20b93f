import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The `harness` program that this code belongs to: agents and browsers start it for the tools they are given. As a
 * library it is not what the process was started with; beside the sources there is none, and what was started counts.
 */
export function getOwnProgram(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const built = [here, dirname(here)].map(dir => join(dir, 'harness.js')).find(path => existsSync(path));
  return built ?? process.argv[1] ?? 'harness';
}
