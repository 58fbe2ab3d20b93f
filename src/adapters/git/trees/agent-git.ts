import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStats, removeTree } from '../../process/remove-tree.ts';
import { getAgentConfig } from '../repo/git-dir.ts';
import type { RepoFacts } from '../repo/repo.ts';

/** Files by their path in the git directory, and the directories they lie in. */
type Layout = ReadonlyMap<string, string | Buffer>;

const DIRS: ReadonlySet<string> = new Set([
  'objects',
  'objects/info',
  'refs',
  'refs/heads',
  'refs/heads/harness',
]);

/**
 * Gives whoever works in a tree a fresh, independent repository. It reads the user's objects and
 * writes its own, so git works there as usual while the user's refs, stash, config and hooks are not
 * there. One that nobody has touched is only brought up to date: most files would be the same.
 */
export function writeAgentGit(
  repo: RepoFacts,
  tree: string,
  head: string | null,
  index: Buffer,
  isWatched = false,
): void {
  const gitDir = join(tree, '.git');
  const layout = getLayout(repo, head, index, isWatched);
  if (!isUpdated(gitDir, layout)) {
    removeTree(gitDir);
    for (const dir of DIRS) mkdirSync(join(gitDir, dir), { recursive: true });
    for (const [path, content] of layout) writeFileSync(join(gitDir, path), content);
  }
  // Git reads every file again that is no older than its index.
  const later = Date.now() / 1_000 + 60;
  if (isWatched) utimesSync(join(gitDir, 'index'), later, later);
}

function getLayout(repo: RepoFacts, head: string | null, index: Buffer, isWatched: boolean): Layout {
  const layout = new Map<string, string | Buffer>([
    ['config', getAgentConfig(repo, isWatched)],
    ['objects/info/alternates', `${getQuoted(repo.objectsDir)}\n`],
    ['index', index],
    ['HEAD', 'ref: refs/heads/harness/work\n'],
  ]);
  const shallow = readIfThere(join(repo.commonDir, 'shallow'));
  if (shallow !== null) layout.set('shallow', shallow);
  if (head !== null) layout.set('refs/heads/harness/work', `${head}\n`);
  return layout;
}

/** False when whatever is there is not what we left: then it has to be made anew. */
function isUpdated(gitDir: string, layout: Layout): boolean {
  try {
    if (!isUntouched(gitDir, layout)) return false;
    for (const [path, content] of layout) {
      const wanted = Buffer.from(content);
      if (!readIfThere(join(gitDir, path))?.equals(wanted)) writeFileSync(join(gitDir, path), wanted);
    }
    return true;
  } catch {
    return false;
  }
}

/** Exactly our directories and files are there, as plain ones of our own; what is in the files may differ. */
function isUntouched(gitDir: string, layout: Layout): boolean {
  const found: string[] = [];
  const isPlain = (dir: string): boolean =>
    isOurs(join(gitDir, dir), 'directory') &&
    readdirSync(join(gitDir, dir)).every(name => {
      const path = dir === '' ? name : `${dir}/${name}`;
      found.push(path);
      return DIRS.has(path) ? isPlain(path) : layout.has(path) && isOurs(join(gitDir, path), 'file');
    });
  return isPlain('') && found.length === DIRS.size + layout.size;
}

/** Not a link of either kind, and with all that its owner needs to work on it. */
function isOurs(path: string, kind: 'directory' | 'file'): boolean {
  const found = readStats(path);
  if (found === null) return false;
  if (kind === 'directory') return found.isDirectory() && (found.mode & 0o700) === 0o700;
  return found.isFile() && found.nlink === 1 && (found.mode & 0o600) === 0o600;
}

function getQuoted(path: string): string {
  return path.includes('\n') ? JSON.stringify(path) : path;
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
