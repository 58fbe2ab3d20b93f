import { mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A CODEX_HOME of our own, so that neither settings nor histories mix with the user's. The login is
 * a link: Codex renews it in place, and a copy would log the user out of the original.
 */
export async function prepareCodexHome(homeDir: string, login: string | null): Promise<void> {
  await mkdir(homeDir, { recursive: true, mode: 0o700 });
  await removePlanted(homeDir);
  const link = join(homeDir, 'auth.json');
  const present = await readlink(link).catch(() => null);
  if (present === login) return;
  await rm(link, { force: true });
  if (login) await symlink(login, link).catch(ignoreExisting);
}

/** An agent may have written here: what Codex would take as settings, hooks or instructions goes. */
async function removePlanted(homeDir: string): Promise<void> {
  const skills = join(homeDir, 'skills');
  const planted = [
    ...(await readNames(homeDir)).filter(name => !KEPT.test(name)).map(name => join(homeDir, name)),
    ...(await readNames(skills)).filter(name => name !== '.system').map(name => join(skills, name)),
  ];
  for (const path of planted) await rm(path, { recursive: true, force: true });
}

/** Threads and their index, the login, locks of sessions beside this one, and what is put back anyway. */
const KEPT =
  /^(sessions|auth\.json|.*\.sqlite(-\w+)?|.*lock(s|file)?|installation_id|skills|\.?tmp|log|shell_snapshots|\.sandbox_migration)$/;

async function readNames(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

/** Another session made the same link at the same time. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
