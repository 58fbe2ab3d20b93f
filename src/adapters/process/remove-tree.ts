import { chmodSync, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';

/** Removes a path and all below it, also when somebody took the permissions away; links are never followed. */
export function removeTree(path: string | Buffer): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    openPermissions(path);
    rmSync(path, { recursive: true, force: true });
  }
}

/** Gives the owner back every permission below a path of ours; links are never followed. */
export function openPermissions(path: string | Buffer): void {
  openBelow(Buffer.from(path));
}

/** What is at a path itself, or null: a link is a link, not what it points to. */
export function readStats(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Names stay bytes: a file name need not be text. */
export function joinBytes(dir: string | Buffer, ...names: readonly (string | Buffer)[]): Buffer {
  const parts = names.flatMap(name => [Buffer.from('/'), Buffer.from(name)]);
  return Buffer.concat([Buffer.from(dir), ...parts]);
}

function openBelow(path: Buffer): void {
  const found = readStats(path);
  if (found === null || !(found.isDirectory() || found.isFile())) return;
  const wanted = found.isDirectory() ? 0o700 : 0o600;
  if ((found.mode & wanted) !== wanted) chmodSync(path, (found.mode & 0o777) | wanted);
  if (!found.isDirectory()) return;
  for (const name of readdirSync(path, { encoding: 'buffer' })) openBelow(joinBytes(path, name));
}
