import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { getBacklogCodec } from '../../backlog/codec.ts';
import type { BacklogOptions } from '../../backlog/read/options.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Backlog } from '../../ports/index.ts';
import { readPlansOnDisk } from './plans-on-disk.ts';

/** A list of tasks as it lies on disk, and what reads it: any file, or a folder of plans. */
export function readTasksFile(
  path: string,
  options: Partial<BacklogOptions>,
): { readonly codec: Backlog; readonly text: string; readonly isFolder: boolean } {
  if (!existsSync(path)) {
    const fix = 'name a task list, or a folder of Markdown plans';
    throw new HarnessError('usage', `there is no ${path}`, { file: path, field: 'path', fix });
  }
  const isFolder = statSync(path).isDirectory();
  if (!isFolder) {
    const codec = getBacklogCodec(path, { fileName: path, ...options });
    return { codec, text: readFileSync(path, 'utf8'), isFolder };
  }
  // Beside what is to be done lies what is completed: that is where plans of this kind are kept.
  const completed = basename(path) === 'active' ? 'completed' : null;
  const codec = getBacklogCodec('plans', { fileName: path, completedDir: completed, ...options });
  const { names, text } = readPlansOnDisk(dirname(path), { folder: basename(path), completed });
  if (names.length === 0) {
    const fix = 'name the folder that has the NNNN-….md files';
    throw new HarnessError('backlog', `${path} holds no Markdown plans`, { file: path, fix });
  }
  return { codec, text, isFolder };
}
