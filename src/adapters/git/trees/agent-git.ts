import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../process/remove-tree.ts';
import type { Area } from '../areas/area.ts';
import type { GitContext } from '../repo/context.ts';
import { getAgentConfig } from '../repo/git-dir.ts';
import { readIfThere } from '../repo/git-files.ts';

/**
 * Gives whoever works in an area a fresh, independent repository. It reads the user's objects and
 * writes its own, so git works there as usual while the user's refs, stash, config and hooks are not
 * there.
 */
export function writeAgentGit(
  { repo }: GitContext,
  area: Area,
  head: string | null,
  isWatched = false,
): void {
  const gitDir = join(area.tree, '.git');
  removeTree(gitDir);
  for (const dir of ['objects/info', 'refs/heads/harness']) mkdirSync(join(gitDir, dir), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(gitDir, path), content);
  write('config', getAgentConfig(repo, isWatched));
  write('objects/info/alternates', `${getQuoted(repo.objectsDir)}\n`);
  write('index', readFileSync(area.indexFile));
  write('HEAD', 'ref: refs/heads/harness/work\n');
  const shallow = readIfThere(join(repo.commonDir, 'shallow'));
  if (shallow !== null) write('shallow', shallow);
  if (head !== null) write('refs/heads/harness/work', `${head}\n`);
  // Git reads every file again that is no older than its index.
  const later = Date.now() / 1_000 + 60;
  if (isWatched) utimesSync(join(gitDir, 'index'), later, later);
}

function getQuoted(path: string): string {
  return path.includes('\n') ? JSON.stringify(path) : path;
}
