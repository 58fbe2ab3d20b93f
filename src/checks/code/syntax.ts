import { matchesAny } from '../../core/base/glob.ts';
import { getBaseName, getExtension, getFolder } from '../../core/base/tree-path.ts';
import { getEntries } from '../../core/code/entries.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import type { FileChange } from '../../ports/index.ts';
import type { SourceTree } from './source-tree.ts';

/** A text that something fills in before it is code. */
const TEMPLATE = /<%|\{\{|\{%|__[A-Z]+__|@@\w+@@/;

/** Other files of the kind that are tried, to see whether the language of the project is another. */
const PEERS = 20;

/** Changed files that no longer parse, and new ones that do not. */
export async function findSyntaxErrors(
  changes: readonly FileChange[],
  before: SourceTree,
  after: SourceTree,
): Promise<readonly GateFinding[]> {
  const found: GateFinding[] = [];
  const manifest = after.files.has('package.json') ? await after.readText('package.json') : '';
  const offered = new Set(getEntries(manifest, '').map(entry => entry.path));
  for (const { path, kind } of changes) {
    if (kind === 'deleted') continue;
    const looseness = await findLooseness(before, after, path);
    if (looseness !== null)
      found.push({ gate: 'syntax', text: `${path} is no longer strict JSON: ${looseness}` });
    const problem = await after.getProblem(path);
    if (!problem || (kind === 'modified' && (await before.getProblem(path)) !== null)) continue;
    const isMinor =
      kind === 'added' &&
      !offered.has(path) &&
      (TEMPLATE.test(await after.readText(path)) || (await hasForeignPeers(before, path)));
    found.push({ gate: 'syntax', text: `${path} cannot be parsed: ${problem}`, isMinor });
  }
  return found;
}

async function hasForeignPeers(before: SourceTree, path: string): Promise<boolean> {
  const extension = getExtension(path);
  const peers = [...before.files].filter(file => getExtension(file) === extension).slice(0, PEERS);
  for (const peer of peers) if ((await before.getProblem(peer)) !== null) return true;
  return false;
}

/** Files whose readers take comments and commas by their own rules. */
const LENIENT = ['tsconfig*.json', 'jsconfig*.json', '**/.vscode/*.json', '**/.devcontainer/*.json'];

/** Why readers of JSON refuse a file now: it was strict, or it is new and nothing like it was loose before. */
async function findLooseness(before: SourceTree, after: SourceTree, path: string): Promise<string | null> {
  const looseness = matchesAny(path, LENIENT) ? null : await after.getLooseness(path);
  if (looseness === null || (await before.getLooseness(path)) !== null) return null;
  if (before.files.has(path)) return (await before.getProblem(path)) === null ? looseness : null;
  if (TEMPLATE.test(await after.readText(path))) return null;
  const isPeer = (file: string) =>
    getExtension(file) === 'json' &&
    (getBaseName(file) === getBaseName(path) || getFolder(file) === getFolder(path));
  for (const peer of [...before.files].filter(isPeer))
    if ((await before.getLooseness(peer)) !== null) return null;
  return looseness;
}
