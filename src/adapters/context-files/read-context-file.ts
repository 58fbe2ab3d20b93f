import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ContextFileRole } from '../../core/model/context-file.ts';
import type { ContextFile } from '../../ports/index.ts';

/** Larger files are not opened. */
export const MAX_CONTEXT_FILE_BYTES = 1024 * 1024;

/** Where something may lie for a role. */
export interface Place {
  readonly path: string;
  readonly name: string;
  readonly role: ContextFileRole;
}

/** What lies there; null for what is no file, or not there. Links are not followed. */
export async function readContextFile({
  path,
  name,
  role,
}: Place): Promise<{ file: ContextFile; atMs: number } | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  if (!file) return null;
  try {
    const { size, mtimeMs: atMs, ...stat } = await file.stat();
    if (!(stat.mode & constants.S_IFREG)) return null;
    const refuse = (problem: string, of: string | Buffer) => ({
      atMs,
      file: { name, role, sha256: getHash(of), text: null, problem },
    });
    if (size > MAX_CONTEXT_FILE_BYTES)
      return refuse(`it is larger than ${MAX_CONTEXT_FILE_BYTES / 1024} KB`, `${name} ${size} ${atMs}`);
    const bytes = await file.readFile();
    const text = getText(bytes);
    if (text === null) return refuse('it is no text', bytes);
    if (text.trim() === '') return refuse('it is empty', bytes);
    return { atMs, file: { name, role, sha256: getHash(bytes), text, problem: null } };
  } finally {
    await file.close();
  }
}

/** Null for anything that is not text in UTF-8. */
export function getText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

export function getHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
