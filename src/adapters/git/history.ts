import type { FileChange, Landing } from '../../ports.ts';
import { expectOk, type GitContext, runScratch } from './context.ts';
import { readObjectIds } from './objects.ts';

/** The trailers that make a landed commit recognisable. */
export const TRAILERS = { task: 'Harness-Task', attempt: 'Harness-Attempt' } as const;

/** Every file of a commit or tree. */
export async function listFiles(ctx: GitContext, treeish: string): Promise<string[]> {
  const result = await runScratch(ctx, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', treeish]);
  return expectOk(ctx, 'listing files', result).toString('utf8').split('\0').slice(0, -1);
}

/** What differs between two commits or trees, file by file; a rename is a file gone and a file added. */
export async function readChanges(ctx: GitContext, from: string, to: string): Promise<FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--ignore-submodules=none', from, to];
  const fields = expectOk(ctx, 'comparing', await runScratch(ctx, args))
    .toString('utf8')
    .split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , , status = ''] = (fields[at] ?? '').split(' ');
    const kind = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified';
    changes.push({ path: fields[at + 1] ?? '', kind, mode });
  }
  return changes;
}

/** Landed commits in `from..to`, oldest first; from the beginning when `from` is no longer in the repository. */
export async function findLandings(ctx: GitContext, from: string, to: string): Promise<Landing[]> {
  if (from === to) return [];
  const [known] = await readObjectIds(ctx, [`${from}^{commit}`]);
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x01)`;
  const format = `--format=%H%x02${trailer(TRAILERS.task)}%x02${trailer(TRAILERS.attempt)}`;
  const range = known ? [`${known}..${to}`] : [to];
  const result = await runScratch(ctx, ['log', '-z', '--reverse', format, ...range]);
  const entries = expectOk(ctx, 'reading the history', result).toString('utf8').split('\0');
  return entries.flatMap(entry => {
    const [commit = '', tasks = '', attempts = ''] = entry.trim().split('\x02');
    const task = tasks.split('\x01')[0]?.trim();
    return task ? [{ task, attempt: Number.parseInt(attempts, 10) || 0, commit }] : [];
  });
}

/** Whether `older` is `newer` or one of its ancestors. */
export async function isAncestor(ctx: GitContext, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const result = await runScratch(ctx, ['merge-base', '--is-ancestor', older, newer]);
  if (result.code !== 1) expectOk(ctx, 'comparing histories', result);
  return result.code === 0;
}
