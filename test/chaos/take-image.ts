import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Path → mode and content of everything of the user's: files, index, HEAD, branches, settings; not ours. */
export function takeImage(root: string): Map<string, string> {
  const image = new Map<string, string>();
  const walk = (path: string): void => {
    if (isOurs(path)) return;
    const full = join(root, path);
    const stat = lstatSync(full);
    if (stat.isDirectory()) {
      for (const name of readdirSync(full)) walk(path === '' ? name : `${path}/${name}`);
      return;
    }
    const content = stat.isSymbolicLink() ? readlinkSync(full) : readFileSync(full);
    image.set(path, `${stat.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`);
  };
  walk('');
  return image;
}

/** What differs between two images, by path. */
export function getDifferences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter(path => before.get(path) !== after.get(path));
}

function isOurs(path: string): boolean {
  return /^(\.harness$|\.git\/(objects|refs\/harness|refs\/notes\/harness-proofs|refs\/heads\/harness|logs\/refs\/heads\/harness|hand\.index)$)/.test(
    path,
  );
}
