import {
  accessSync,
  constants,
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SandboxMount } from './sandbox-plan.ts';

/** The one true path, or none when there is nothing. */
export function readReal(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** Whether a path lies below a folder; the folder itself does not. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** Whether we may read what is there. */
export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The text of a file, or nothing when it cannot be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Lays a folder out anew, entry by entry, over a private one: some entries are left out, and new ones
 * can be made that go with the run. Covering a secret file in place would not hold: when its owner
 * replaces it during the session, the new file comes out from under the cover.
 */
export function openFolder(
  folder: string,
  from: string,
  isLeftOut: (path: string) => boolean,
): readonly SandboxMount[] {
  mkdirSync(from, { recursive: true, mode: 0o700 });
  const entries = readEntries(folder).flatMap((entry): readonly SandboxMount[] => {
    const at = join(folder, entry.name);
    if (isLeftOut(at)) return [];
    if (entry.isSymbolicLink()) return readLink(at);
    // A socket or a pipe would lead out of the sandbox even when it is read-only.
    return entry.isDirectory() || entry.isFile() ? [{ kind: 'read-only', at }] : [];
  });
  return [{ kind: 'private', at: folder, from }, ...entries];
}

function readEntries(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readLink(at: string): readonly SandboxMount[] {
  try {
    return [{ kind: 'link', at, to: readlinkSync(at) }];
  } catch {
    return [];
  }
}
