import { canScan } from '../core/code/imports.ts';
import { isCompiled } from '../core/code/source-files.ts';
import { type GateFinding, judgeGates } from '../core/model/gates.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import type { FileChange } from '../ports/index.ts';
import { findDevOnly } from './code/dev-only.ts';
import { findLostEntries } from './code/entries.ts';
import { findBrokenImports } from './code/links.ts';
import { findStillNamed } from './code/named.ts';
import { findLostPackages } from './code/packages.ts';
import { openTree } from './code/source-tree.ts';
import { findSyntaxErrors } from './code/syntax.ts';
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
