import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getBacklogCodec } from '../../backlog/codec.ts';
import { type PlanFolders, writeBundle } from '../../backlog/folder-workspace.ts';
import type { BacklogOptions } from '../../backlog/read/options.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { isPlanFile } from '../../core/model/policy.ts';
import type { Backlog } from '../../ports/index.ts';

export interface PlansOnDisk {
  /** Their names, of both folders. */
  readonly names: readonly string[];
  /** All of them, as a backlog is read. */
  readonly text: string;
}

/** The plans of a checkout, committed or not; `more` is one that is about to be written. */
export function readPlansOnDisk(
  root: string,
  { folder, completed }: PlanFolders,
  more: Readonly<Record<string, string>> = {},
): PlansOnDisk {
  const open = readPlans(join(root, folder)).map(([name, text]) => [name, text] as const);
  const done = completed === null ? [] : readPlans(join(root, completed));
  const paths = done.map(([name, text]) => [`${completed}/${name}`, text] as const);
  return {
    names: [...open, ...done].map(([name]) => name),
    text: writeBundle({ ...Object.fromEntries([...open, ...paths]), ...more }),
  };
}

function readPlans(dir: string): readonly (readonly [name: string, text: string])[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter(name => isPlanFile('', `/${name}`))
    .map(name => [name, readFileSync(join(dir, name), 'utf8')]);
}

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
