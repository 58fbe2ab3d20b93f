// Names the rules by which this build folds events: any other text in the core is another name.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CORE = fileURLToPath(new URL('../src/core', import.meta.url));

/** Every file that the core is made of, tests aside, by name and content. */
export function getFoldName(core = CORE) {
  const hash = createHash('sha256');
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort();
  for (const path of files) hash.update(JSON.stringify([path, readFileSync(join(core, path), 'utf8')]));
  return hash.digest('hex');
}

/** What a bundler puts in the place of the name. */
export const FOLD_NAME = { __FOLD_NAME__: JSON.stringify(getFoldName()) };
