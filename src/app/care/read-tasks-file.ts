import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getBacklogCodec } from '../../backlog/codec.ts';
import { writeBundle } from '../../backlog/folder-workspace.ts';
import type { BacklogOptions } from '../../backlog/read/options.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Backlog } from '../../ports/index.ts';

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
  const codec = getBacklogCodec(isFolder ? 'plans' : path, { fileName: path, ...options });
  return { codec, text: isFolder ? readPlans(path) : readFileSync(path, 'utf8'), isFolder };
}

function readPlans(dir: string): string {
  const names = readdirSync(dir).filter(name => /\.md$/i.test(name) && !/^readme\.md$/i.test(name));
  if (names.length === 0) {
    const fix = 'name the folder that has the NNNN-….md files';
    throw new HarnessError('backlog', `${dir} holds no Markdown plans`, { file: dir, fix });
  }
  return writeBundle(Object.fromEntries(names.map(name => [name, readFileSync(join(dir, name), 'utf8')])));
}
