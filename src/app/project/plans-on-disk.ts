import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlanFolders, writeBundle } from '../../backlog/folder-workspace.ts';
import { isPlanFile } from '../../core/model/policy.ts';

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
