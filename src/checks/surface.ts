import { matchesAny } from '../core/base/glob.ts';
import { getBaseName, getExtension, getFolder } from '../core/base/tree-path.ts';
import { getEntries } from '../core/code/entries.ts';
import { canScan } from '../core/code/imports.ts';
import { isCompiled } from '../core/code/source-files.ts';
import { type GateFinding, judgeGates } from '../core/model/gates.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import type { FileChange } from '../ports/index.ts';
import { findLostEntries } from './code/entries.ts';
import { findBrokenImports } from './code/links.ts';
import { findStillNamed } from './code/named.ts';
import { findDevOnly, findLostPackages } from './code/packages.ts';
import { openTree, type SourceTree } from './code/source-tree.ts';
import { readIsTest } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { readRuns } from './shared/read-judge-files.ts';

/** What no test needs to look at: files parse, imports lead somewhere, and what others use is still there. */
export const surface = defineCheck('surface', async ctx => {
  if (!ctx.ports.sources?.read) return { status: 'skipped', summary: 'nothing here can read sources' };
  const isTest = await readIsTest(ctx);
  const changes = ctx.changes.filter(change => isPlain(ctx, change) && !isTest(change.path));
  if (changes.length === 0) return { status: 'passed', summary: 'nothing but tests was changed' };
  const [before, after] = [await openTree(ctx, ctx.baseTree), await openTree(ctx, ctx.candidate.tree)];
  const syntax = await findSyntaxErrors(changes, before, after);
  const trees = { before, after, changes };
  const links = await findBrokenImports(ctx, trees);
  const entries = await findLostEntries(ctx, trees);
  const commands = entries.command === null ? [] : [entries.command];
  const named = [...(await findStillNamed(ctx, trees)), ...(await findLostPackages(ctx, trees))];
  const needed = await findDevOnly(ctx, trees);
  const found = [
    ...syntax,
    ...links,
    ...entries.found,
    ...named,
    ...needed,
    ...(await findUntested(ctx, changes)),
  ];
  return { ...judgeGates(found, ctx.policy.gates, 'what is there can be read and loaded'), commands };
});

function isPlain({ policy }: CheckContext, { path, mode }: FileChange): boolean {
  const isLink = mode === '120000' || mode === '160000';
  return !isLink && !isBacklogPath(policy, path) && path !== policy.notesPath;
}

/** Changed code that no command of the proof opened: nothing has run it. */
async function findUntested(
  ctx: CheckContext,
  changes: readonly FileChange[],
): Promise<readonly GateFinding[]> {
  if (ctx.policy.gates.untested === 'off') return [];
  const runs = await readRuns(ctx, 'candidate');
  if (!runs.some(({ opened }) => opened)) return [];
  const opened = new Set(runs.flatMap(run => run.opened ?? []));
  return changes
    .filter(({ path, kind }) => kind !== 'deleted' && (canScan(path) || isCompiled(path)))
    .filter(({ path }) => !opened.has(path))
    .map(({ path }) => ({ gate: 'untested', text: `${path} was changed, and no test opens it` }));
}

/** A text that something fills in before it is code. */
const TEMPLATE = /<%|\{\{|\{%|__[A-Z]+__|@@\w+@@/;

/** Other files of the kind that are tried, to see whether the language of the project is another. */
const PEERS = 20;

/** Changed files that no longer parse, and new ones that do not. */
async function findSyntaxErrors(
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
