import { getChangedLines } from '../core/changed-lines.ts';
import { findCollisions, getBitProblem, getConflictLine } from '../core/diff-rules.ts';
import { type GateFinding, judgeGates } from '../core/gates.ts';
import { matchesAny } from '../core/glob.ts';
import { getHiddenText } from '../core/hidden-text.ts';
import { getLeftover } from '../core/leftovers.ts';
import { isBacklogPath } from '../core/policy.ts';
import { findSecrets } from '../core/secrets.ts';
import { isSteering } from '../core/steering.ts';
import type { FileChange } from '../ports.ts';
import { readIsTest } from './changed-sources.ts';
import { type CheckContext, defineCheck } from './context.ts';

/** What the change alone shows: things that belong into no commit, and words for whoever works here next. */
export const diff = defineCheck('diff', async ctx => {
  const changes = ctx.changes.filter(
    ({ path }) => !isBacklogPath(ctx.policy, path) && path !== ctx.policy.notesPath,
  );
  const [before, after] = await Promise.all([
    ctx.ports.workspace.listFiles(ctx.baseTree),
    ctx.ports.workspace.listFiles(ctx.candidate.tree),
  ]);
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path);
  const found: GateFinding[] = findCollisions(before, after, added).map(([path, other]) => ({
    gate: 'colliding_paths',
    text: `${path} and ${other} are one and the same where capitals or accents do not count: rename one`,
  }));
  const files = new Set([...before, ...after]);
  const isTest = await readIsTest(ctx);
  for (const change of changes) found.push(...(await lookAt(ctx, change, files, isTest)));
  return judgeGates(found, ctx.policy.gates, 'nothing in it that belongs into no commit');
});

async function lookAt(
  ctx: CheckContext,
  change: FileChange,
  files: ReadonlySet<string>,
  isTest: (path: string) => boolean,
): Promise<readonly GateFinding[]> {
  const { path, kind, mode } = change;
  const found: GateFinding[] = [];
  const mayChange = matchesAny(path, ctx.task.mayChange);
  if (isSteering(path) && !mayChange)
    found.push({
      gate: 'steering',
      text: `${path} was ${kind}; it tells agents what to do: put it back, or have a person name it in may_change`,
    });
  if (kind === 'deleted' || !mode.startsWith('100')) return found;
  const text = (await ctx.ports.workspace.readFile(ctx.candidate.commit, path)) ?? '';
  const isMinor = mayChange || isTest(path);
  const wasMode = kind === 'added' ? null : (change.wasMode ?? mode);
  const bit = getBitProblem({ path, mode, wasMode, text });
  if (bit) found.push({ gate: 'program_bits', text: bit, isMinor });
  const leftover = kind === 'added' ? getLeftover(path, text, files) : null;
  if (leftover)
    found.push({ gate: 'leftovers', text: `${path} is ${leftover}: delete it, or have it ignored`, isMinor });
  const suspects = text.includes('\0') ? [] : getSuspects(path, text);
  if (suspects.length === 0) return found;
  const before = kind === 'added' ? null : await ctx.ports.workspace.readFile(ctx.baseTree, path);
  const changed = new Set(getChangedLines(before, text));
  for (const { line, ...finding } of suspects) if (changed.has(line)) found.push({ ...finding, isMinor });
  return found;
}

/** What is wrong with lines of a text, whoever wrote them. */
function getSuspects(path: string, text: string): readonly (GateFinding & { readonly line: number })[] {
  const lines = text.split('\n');
  const hidden = lines.flatMap((content, at) => {
    const why = getHiddenText(content);
    const finding = `${path}:${at + 1} has ${why}: take them out`;
    return why ? [{ gate: 'hidden_text' as const, line: at + 1, text: finding }] : [];
  });
  const secrets = findSecrets(text).map(({ line, what }) => {
    const where = `${path}:${line} holds what looks like ${what}`;
    return { gate: 'secrets' as const, line, text: `${where}: read it from outside, and have it replaced` };
  });
  const line = getConflictLine(lines);
  const merge = {
    gate: 'conflict_markers',
    text: `${path}:${line} is a merge left half done: resolve it`,
  } as const;
  return [...hidden, ...secrets, ...(line === null ? [] : [{ ...merge, line }])];
}
