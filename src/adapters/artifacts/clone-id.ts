import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILE = 'clone-id';

/**
 * What tells this clone from every other one, on whatever machine: made up once, and with its place in it, since a copied
 * folder has the same file.
 */
export function readCloneId(stateDir: string): string {
  const path = join(stateDir, FILE);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, randomBytes(16).toString('hex'), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const text = `${readFileSync(path, 'utf8').trim()} ${stateDir}`;
  return `c-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
