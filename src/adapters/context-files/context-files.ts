import type { Dirent } from 'node:fs';
import { lstat, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CONTEXT_FILE_ROLES, type ContextFileRole } from '../../core/model/context-file.ts';
import { CONTEXT_PHASES, getPhaseRole } from '../../core/model/context-scope.ts';
import type { ContextFiles } from '../../ports/index.ts';
import { writeAtomic } from '../artifacts/write-atomic.ts';
import { type Place, readContextFile } from './read-context-file.ts';
import { listScopedFiles } from './scoped-files.ts';

export interface ContextFilePlaces {
  /** Ours: files in it are moved away once they have been told. */
  readonly inbox: string;
  /** The project's own folder with a file per role; nothing in it is ever moved. */
  readonly contextDir: string | null;
}

/** Files that people leave: `inbox/<file>` for coders, `inbox/<role>/<file>`, and what lies in the project's own folder. */
export function createContextFiles({ inbox, contextDir }: ContextFilePlaces): ContextFiles {
  return {
    list: async (roles, reader = null) => {
      const places = [...(await listInbox(inbox, roles)), ...getContextPlaces(contextDir, roles)];
      const named = await Promise.all(places.map(readContextFile));
      const scoped = contextDir === null ? [] : await listScopedFiles(contextDir, roles, reader);
      return [...named, ...scoped]
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

/** A file for each role, or for each phase that a role does. */
function getContextPlaces(dir: string | null, roles: readonly ContextFileRole[]): Place[] {
  if (dir === null) return [];
  const phases = CONTEXT_PHASES.flatMap(phase => {
    const role = getPhaseRole(phase);
    return role && roles.includes(role) ? [{ stem: phase, role }] : [];
  });
  const named = CONTEXT_FILE_ROLES.filter(role => roles.includes(role)).map(role => ({ stem: role, role }));
  return [...named, ...phases].map(({ stem, role }) => ({
    path: join(dir, `${stem}.md`),
    name: `${basename(dir)}/${stem}.md`,
    role,
  }));
}
