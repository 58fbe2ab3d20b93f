import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { getSafeName } from '../../core/proof/commit-message.ts';
import type { HeldOut } from '../../ports/index.ts';

/**
 * Tests kept in a folder that no agent sees: `all/` for every task, and one folder per task by its id,
 * each laid out like the project.
 */
export function createHeldOut(root: string): HeldOut {
  const read = async (task: string): Promise<ReadonlyMap<string, Buffer>> => {
    const files = new Map<string, Buffer>();
    for (const name of new Set(['all', task, getSafeName(task)])) {
      if (name !== '' && !name.includes('/') && name !== '..') await addFiles(join(root, name), files);
    }
    return files;
  };
  return {
    list: async task =>
      [...(await read(task))].map(([path, content]) => ({
        path,
        sha256: createHash('sha256').update(content).digest('hex'),
        text: content.toString('utf8'),
      })),
    layFiles: async (task, dir) => {
      const placed: string[] = [];
      for (const [path, content] of await read(task)) {
        await closeWaysOut(dir, path);
        const file = join(dir, path);
        await mkdir(dirname(file), { recursive: true });
        // Whatever lies there, a link included, is not written through.
        await rm(file, { recursive: true, force: true });
        await writeFile(file, content, { flag: 'wx' });
        placed.push(path);
      }
      return async () => {
        for (const path of placed) {
          await closeWaysOut(dir, path);
          await rm(join(dir, path), { force: true });
        }
      };
    },
  };
}

/** Removes a link on the way to a file that leads out of the tree: a candidate can bring one, and a test can make one. */
async function closeWaysOut(dir: string, path: string): Promise<void> {
  const root = await realpath(dir);
  const folders = path.split('/').slice(0, -1);
  for (const at of folders.keys()) {
    const folder = join(dir, ...folders.slice(0, at + 1));
    const real = await realpath(folder).catch(() => null);
    if (real?.startsWith(`${root}${sep}`)) continue;
    await rm(folder, { force: true });
    return;
  }
}

async function addFiles(root: string, files: Map<string, Buffer>): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files.set(relative(root, file).split(sep).join('/'), await readFile(file));
  }
}
