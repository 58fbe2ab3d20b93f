import { createHash } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTEXT_FILE_ROLES, type ContextFileRole } from '../../core/model/context-file.ts';
import type { ContextFile, ContextFiles } from '../../ports/index.ts';
import { writeAtomic } from '../artifacts/write-atomic.ts';

/** Larger files are not opened. */
export const MAX_CONTEXT_FILE_BYTES = 1024 * 1024;

export interface ContextFilePlaces {
  /** Ours: files in it are moved away once they have been told. */
  readonly inbox: string;
  /** The project's own folder with a file per role; nothing in it is ever moved. */
  readonly contextDir: string | null;
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly role: ContextFileRole;
}

/** Files that people leave: `inbox/<file>` for coders, `inbox/<role>/<file>`, and `<context>/<role>.md`. */
export function createContextFiles({ inbox, contextDir }: ContextFilePlaces): ContextFiles {
  return {
    list: async roles => {
      const places = [...(await listInbox(inbox, roles)), ...getContextPlaces(contextDir, roles)];
      const found = await Promise.all(places.map(readContextFile));
      return found
        .flatMap(one => (one ? [one] : []))
        .sort((a, b) => a.atMs - b.atMs || (a.file.name < b.file.name ? -1 : 1))
        .map(({ file }) => file);
    },
    archive: async (file, became) => {
      const place = (await listInbox(inbox, [file.role])).find(one => one.name === file.name);
      if (!place) return;
      const processed = join(inbox, 'processed');
      const target = join(processed, `${file.sha256.slice(0, 12)}-${basename(file.name)}`);
      await mkdir(processed, { recursive: true });
      const record = { name: file.name, role: file.role, sha256: file.sha256, ...became };
      writeAtomic(`${target}.json`, `${JSON.stringify(record, null, 2)}\n`, { durable: false });
      await rename(place.path, target).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}

async function listInbox(inbox: string, roles: readonly ContextFileRole[]): Promise<Place[]> {
  const own = roles.includes('coding') ? await listFiles(inbox) : [];
  const byRole = await Promise.all(
    roles.map(async role =>
      (await listFiles(join(inbox, role))).map(file => ({
        path: join(inbox, role, file),
        name: `inbox/${role}/${file}`,
        role,
      })),
    ),
  );
  return [
    ...own.map(file => ({ path: join(inbox, file), name: `inbox/${file}`, role: 'coding' as const })),
    ...byRole.flat(),
  ];
}

/** Plain files only; names with a dot in front are being written, or nobody's business. */
async function listFiles(dir: string): Promise<string[]> {
  const entries: readonly Dirent[] = (await lstat(dir).catch(() => null))?.isDirectory()
    ? await readdir(dir, { withFileTypes: true })
    : [];
  return entries.filter(entry => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
}

function getContextPlaces(dir: string | null, roles: readonly ContextFileRole[]): Place[] {
  if (dir === null) return [];
  return CONTEXT_FILE_ROLES.filter(role => roles.includes(role)).map(role => ({
    path: join(dir, `${role}.md`),
    name: `${basename(dir)}/${role}.md`,
    role,
  }));
}

async function readContextFile({
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

function getHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
