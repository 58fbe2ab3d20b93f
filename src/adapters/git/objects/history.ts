import type { Touching } from '../../../core/testing/changed-tests.ts';
import type { FileChange, Landing } from '../../../ports/index.ts';
import { expectOk, type GitContext, MAX_LISTS, remember, runScratch } from '../repo/context.ts';
import { getCommitFacts, isFixed, readObjectIds, readObjects } from './objects.ts';

/** The trailers that make a landed commit recognisable. */
export const TRAILERS = {
  task: 'Harness-Task',
  attempt: 'Harness-Attempt',
  proof: 'Harness-Proof',
  record: 'Harness-Record',
  unproven: 'Harness-Unproven',
  accepted: 'Harness-Accepted',
} as const;

/** Every file of a commit or tree with the id of its content; listed once for the same tree. */
export function readBlobs(ctx: GitContext, treeish: string): Promise<Readonly<Record<string, string>>> {
  const { blobs } = ctx.known;
  const known = blobs.get(treeish);
  if (known || !isFixed(treeish)) return known ?? askForBlobs(ctx, treeish);
  const found = askForBlobs(ctx, treeish);
  remember(blobs, treeish, found, MAX_LISTS);
  found.catch(() => blobs.delete(treeish));
  return found;
}

/** Every file of a commit or tree. */
export async function listFiles(ctx: GitContext, treeish: string): Promise<readonly string[]> {
  return Object.keys(await readBlobs(ctx, treeish));
}

/** Whether git keeps a file as a program. */
export async function isProgram(ctx: GitContext, treeish: string, path: string): Promise<boolean> {
  const result = await runScratch(ctx, ['ls-tree', '-z', '--full-tree', treeish, '--', path]);
  return expectOk(ctx, 'reading a file mode', result).toString('utf8').startsWith('100755 ');
}

async function askForBlobs(ctx: GitContext, treeish: string): Promise<Record<string, string>> {
  const result = await runScratch(ctx, ['ls-tree', '-r', '-z', '--full-tree', treeish]);
  const lines = expectOk(ctx, 'listing files', result).toString('utf8').split('\0').slice(0, -1);
  return Object.fromEntries(
    lines.map(line => {
      const tab = line.indexOf('\t');
      return [line.slice(tab + 1), line.slice(line.lastIndexOf(' ', tab) + 1, tab)];
    }),
  );
}

/** The commit before the last one that changed a file; null where there is none, as at the end of a shallow clone. */
export async function findEarlier(ctx: GitContext, commit: string, path: string): Promise<string | null> {
  const args = ['rev-list', '-1', '--parents', commit, '--', `:(top,literal)${path}`];
  const result = await runScratch(ctx, args);
  const [, parent] = expectOk(ctx, 'reading the history of a file', result)
    .toString('utf8')
    .trim()
    .split(' ');
  return parent ?? null;
}

/** Whether any text file of a tree, but the excepted ones, has one of these words in it. */
export async function hasWords(
  ctx: GitContext,
  tree: string,
  words: readonly string[],
  except: readonly string[],
): Promise<boolean> {
  const patterns = words.flatMap(word => ['-e', word]);
  const pathspecs = [':/', ...except.map(path => `:(top,exclude)${path}`)];
  const args = ['grep', '-q', '-I', '-F', ...patterns, tree, '--', ...pathspecs];
  const result = await runScratch(ctx, args);
  if (result.code !== 1) expectOk(ctx, 'searching files', result);
  return result.code === 0;
}

/** How many lines each text file of a tree has. */
export async function countLines(ctx: GitContext, tree: string): Promise<Record<string, number>> {
  const result = await runScratch(ctx, ['grep', '-c', '-z', '--full-name', '-I', '', tree, '--', ':/']);
  if (result.code === 1) return {};
  const lines = expectOk(ctx, 'counting lines', result).toString('utf8').split('\n').slice(0, -1);
  return Object.fromEntries(
    lines.map(line => {
      const end = line.lastIndexOf('\0');
      return [line.slice(tree.length + 1, end), Number(line.slice(end + 1))];
    }),
  );
}

/** As many words as are looked for at once: a command line has its limits. */
const MAX_WORDS = 200;

/** The text files of a tree, but the excepted ones, that have one of these words in them. */
export async function findWords(
  ctx: GitContext,
  tree: string,
  words: readonly string[],
  except: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  const pathspecs = [':/', ...except.map(path => `:(top,exclude)${path}`)];
  for (let at = 0; at < words.length; at += MAX_WORDS) {
    const patterns = words.slice(at, at + MAX_WORDS).flatMap(word => ['-e', word]);
    const args = ['grep', '-l', '-z', '--full-name', '-I', '-F', ...patterns, tree, '--', ...pathspecs];
    const result = await runScratch(ctx, args);
    if (result.code === 1) continue;
    const names = expectOk(ctx, 'searching files', result).toString('utf8').split('\0').slice(0, -1);
    for (const name of names) found.add(name.slice(tree.length + 1));
  }
  return [...found];
}

/** What differs between two commits or trees, file by file; worked out once for the same two. */
export async function readChanges(ctx: GitContext, from: string, to: string): Promise<readonly FileChange[]> {
  const key = `${from} ${to}`;
  const known = ctx.known.changes.get(key);
  if (known) return known;
  const changes = await askForChanges(ctx, from, to);
  if (isFixed(from) && isFixed(to)) remember(ctx.known.changes, key, changes);
  return changes;
}

/** A rename is a file gone and a file added. */
async function askForChanges(ctx: GitContext, from: string, to: string): Promise<FileChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', `${from}^{tree}`, `${to}^{tree}`];
  const words = expectOk(ctx, 'comparing trees', await runScratch(ctx, args))
    .toString('utf8')
    .split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [was = '', mode = ''] = (words[at] ?? '').slice(1).split(' ');
    const path = words[at + 1] ?? '';
    if (mode === NO_FILE) changes.push({ path, kind: 'deleted', mode });
    else if (was === NO_FILE) changes.push({ path, kind: 'added', mode });
    else changes.push({ path, kind: 'modified', mode, ...(was === mode ? {} : { wasMode: was }) });
  }
  return changes.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Git's mode for a side that has no file. */
const NO_FILE = '000000';

/** Landed commits in `from..to`, oldest first; from the beginning when `from` is no longer in the repository. */
export async function findLandings(ctx: GitContext, from: string, to: string): Promise<Landing[]> {
  if (from === to) return [];
  const [known] = await readObjectIds(ctx, [`${from}^{commit}`]);
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x01)`;
  const format = `--format=%H%x02${Object.values(TRAILERS).map(trailer).join('%x02')}`;
  const range = known ? [`${known}..${to}`] : [to];
  const result = await runScratch(ctx, ['log', '-z', '--reverse', format, ...range]);
  const entries = expectOk(ctx, 'reading the history', result).toString('utf8').split('\0');
  return entries.flatMap(entry => {
    const [commit = '', ...values] = entry.trim().split('\x02');
    const [task, attempt = '', proof, record, unproven, accepted] = values.map(value =>
      value.split('\x01')[0]?.trim(),
    );
    if (!task) return [];
    const hashes = { ...(proof ? { proof } : {}), ...(record ? { record } : {}) };
    const word = { ...(unproven ? { unproven } : {}), ...(accepted ? { accepted } : {}) };
    return [{ task, attempt: Number.parseInt(attempt, 10) || 0, commit, ...hashes, ...word }];
  });
}

/** Whether `older` is `newer` or one of its ancestors. Mostly it is the parent, or the parent's ancestor as is known. */
export async function isAncestor(ctx: GitContext, older: string, newer: string): Promise<boolean> {
  if (older === newer) return true;
  const { ancestors } = ctx.known;
  const known = ancestors.get(`${older} ${newer}`);
  if (known !== undefined) return known;
  const [object] = await readObjects(ctx, [newer]);
  const parents = object?.type === 'commit' ? getCommitFacts(object).parents : [];
  const isNear = parents.some(parent => parent === older || ancestors.get(`${older} ${parent}`) === true);
  const found = isNear || (await askForAncestor(ctx, older, newer));
  if (isFixed(older) && isFixed(newer)) remember(ancestors, `${older} ${newer}`, found);
  return found;
}

async function askForAncestor(ctx: GitContext, older: string, newer: string): Promise<boolean> {
  const result = await runScratch(ctx, ['merge-base', '--is-ancestor', older, newer]);
  if (result.code !== 1) expectOk(ctx, 'comparing histories', result);
  return result.code === 0;
}

/** Which files each commit since `from` touched, parents first; a merge only where it is neither of its sides. */
export async function readTouching(
  ctx: GitContext,
  from: string,
  heads: readonly string[],
): Promise<Touching[]> {
  const args = ['log', '--reverse', '--topo-order', '--name-only', '-c', '--no-renames', '-z'];
  const result = await runScratch(ctx, [...args, '--format=%x01%H%x02%an', `^${from}`, ...heads]);
  const chunks = expectOk(ctx, 'reading the history', result).toString('utf8').split('\x01').slice(1);
  return chunks.map(chunk => {
    const [head = '', ...names] = chunk.split('\0');
    const [commit = '', author = ''] = head.split('\x02');
    const paths = names.map(name => name.replace(/^\n/, '')).filter(name => name !== '');
    return { commit, author: author.trim(), paths };
  });
}

/**
 * Reads every object of some commits and compares it with its name: git itself does not while it works.
 * One line for each that is damaged or gone, with the path it has.
 */
export async function findDamage(ctx: GitContext, commits: readonly string[]): Promise<string[]> {
  if (commits.length === 0) return [];
  const input = `${commits.join('\n')}\n`;
  const result = await runScratch(ctx, ['rev-list', '--verify-objects', '--no-walk', '--stdin'], { input });
  const names = new Map(
    result.stdout
      .toString('utf8')
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  const lines = result.stderr.split('\n').filter(line => /^(error|fatal):/.test(line));
  if (lines.length === 0 && result.code !== 0) expectOk(ctx, 'reading the landed trees', result);
  return [...new Set(lines)].map(line => {
    const text = line.replace(/^(error|fatal): /, '');
    const [id = ''] = /[0-9a-f]{40,64}/.exec(text) ?? [];
    const path = names.get(id);
    return path ? `${path}: ${text}` : text;
  });
}
