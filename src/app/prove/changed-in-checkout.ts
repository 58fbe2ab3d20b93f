import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { getObjectId } from '../../adapters/git/objects/write-objects.ts';
import type { ObjectFormat } from '../../adapters/git/repo/repo.ts';

/** Which of these files are not, in the checkout, what they are in the commit that it is on. */
export function findChangedInCheckout(
  root: string,
  format: ObjectFormat,
  files: Readonly<Record<string, string>>,
): string[] {
  return Object.entries(files)
    .filter(([path, id]) => !isSame(join(root, path), format, id))
    .map(([path]) => path);
}

/** Line ends that git converts on the way out are no changes; anything but that file, or that link, is one. */
function isSame(path: string, format: ObjectFormat, id: string): boolean {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink())
      return getObjectId(format, { type: 'blob', body: readlinkSync(path, 'buffer') }) === id;
    if (!stat.isFile()) return false;
    const body = readFileSync(path);
    if (getObjectId(format, { type: 'blob', body }) === id) return true;
    const unix = Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    return getObjectId(format, { type: 'blob', body: unix }) === id;
  } catch {
    return false;
  }
}
