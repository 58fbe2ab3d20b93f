import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';

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
