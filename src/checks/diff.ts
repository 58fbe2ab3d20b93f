import { matchesAny } from '../core/base/glob.ts';
import { getHiddenText } from '../core/base/hidden-text.ts';
import { findSecrets, isKeyContainer } from '../core/base/secrets.ts';
import { getChangedLines } from '../core/code/changed-lines.ts';
import { findCollisions, getBitProblem, getConflictLine } from '../core/code/diff-rules.ts';
import { getCommentMark, getHiddenCode } from '../core/code/hidden-code.ts';
import { findFilled, getLeftover } from '../core/code/leftovers.ts';
import { getIncluded, getReferred, isInstruction, isSteering } from '../core/code/steering.ts';
import { type Gate, type GateFinding, judgeGates } from '../core/model/gates.ts';
import { isBacklogPath } from '../core/model/policy.ts';
import type { FileChange } from '../ports/index.ts';
import { mapMany, readIsTest } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';

/** What the change alone shows: things that belong into no commit, and words for whoever works here next. */
export const diff = defineCheck('diff', async ctx => {
  const changes = ctx.changes.filter(({ path }) => !isBacklogPath(ctx.policy, path));
  const [before, after] = await Promise.all([
    ctx.ports.workspace.listFiles(ctx.baseTree),
    ctx.ports.workspace.listFiles(ctx.candidate.tree),
  ]);
  const added = changes.filter(({ kind }) => kind === 'added').map(({ path }) => path);
  const found: GateFinding[] = findCollisions(before, after, added).map(([path, other]) => ({
    gate: 'colliding_paths',
    text: `${path} and ${other} are one and the same where capitals or accents do not count: rename one`,
  }));
  const filled = findFilled(added, before).map(({ folder, count }) => ({
    gate: 'leftovers' as const,
    text: `${folder} (${count} new files) looks like installed dependencies or what a build makes: delete it, or have it ignored`,
  }));
  // Every one of those files would be told, and read, for nothing.
  if (filled.length > 0 && ctx.policy.gates.leftovers === 'reject')
    return judgeGates(filled, ctx.policy.gates, '');
  const all = new Set([...before, ...after]);
  const against: DiffContext = {
    base: new Set(before),
    files: new Set(after),
    isTest: await readIsTest(ctx),
    isSteering: await readIsSteering(ctx, before, all),
    manifest: (await ctx.ports.workspace.readFile(ctx.candidate.tree, 'package.json')) ?? '',
  };
  const each = await mapMany(changes, async change => {
    const findings = await lookAt(ctx, change, against);
    const isNotes = change.path === ctx.policy.notesPath;
    return isNotes ? findings.filter(({ gate }) => OF_NOTES.has(gate)) : findings;
  });
  found.push(...each.flat());
  return judgeGates(found, ctx.policy.gates, 'nothing in it that belongs into no commit');
});

/** The notes are the agents' own, and land with the work all the same. */
const OF_NOTES: ReadonlySet<Gate> = new Set<Gate>(['secrets', 'hidden_text']);

/** What a change is held against. */
interface DiffContext {
  readonly base: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly isTest: (path: string) => boolean;
  readonly isSteering: (path: string) => boolean;
  readonly manifest: string;
}

async function lookAt(
  ctx: CheckContext,
  change: FileChange,
  against: DiffContext,
): Promise<readonly GateFinding[]> {
  const { path, kind, mode } = change;
  const { workspace } = ctx.ports;
  const found: GateFinding[] = [];
  const mayChange = matchesAny(path, ctx.task.mayChange);
  if (against.isSteering(path) && !mayChange)
    found.push({
      gate: 'steering',
      text: `${path} was ${kind}; it tells agents what to do: put it back, or have a person name it in may_change`,
    });
  if (kind === 'deleted' || !mode.startsWith('100')) return found;
  const text = (await workspace.readFile(ctx.candidate.commit, path)) ?? '';
  const before = kind === 'added' ? null : await workspace.readFile(ctx.baseTree, path);
  const isMinor = mayChange || against.isTest(path);
  const wasMode = kind === 'added' ? null : (change.wasMode ?? mode);
  const bit = getBitProblem({ path, mode, wasMode, text, before });
  if (bit) found.push({ gate: 'program_bits', text: bit, isMinor });
  const leftover = getLeftover({ ...against, path, text, before });
  if (leftover)
    found.push({ gate: 'leftovers', text: `${path} is ${leftover}: delete it, or have it ignored`, isMinor });
  if (isKeyContainer(text) && !isKeyContainer(before ?? ''))
    found.push({
      gate: 'secrets',
      text: `${path} holds private keys: keep it outside, and have it replaced`,
      isMinor,
    });
  const known = await findKnownSecret(ctx, text, before);
  if (known !== null)
    found.push({
      gate: 'secrets',
      text: `${path}:${known} holds a value that is kept secret on this machine (a variable or an .env file): read it from outside`,
    });
  const suspects = text.includes('\0') ? [] : getSuspects(path, text);
  if (suspects.length === 0) return found;
  const changed = new Set(getChangedLines(before, text));
  for (const { line, ...finding } of suspects) if (changed.has(line)) found.push({ ...finding, isMinor });
  return found;
}

/** The first line with a secret that the harness itself knows; what the project has in git already is none. */
async function findKnownSecret(
  ctx: CheckContext,
  text: string,
  before: string | null,
): Promise<number | null> {
  const { redact, workspace } = ctx.ports;
  const values = redact?.findKnown?.(text).filter(value => !before?.includes(value)) ?? [];
  const [first] = values;
  if (first === undefined || (await workspace.mentions?.(ctx.baseTree, [first], []))) return null;
  return text.slice(0, text.indexOf(first)).split('\n').length;
}

/** What is wrong with lines of a text, whoever wrote them. */
function getSuspects(path: string, text: string): readonly (GateFinding & { readonly line: number })[] {
  const lines = text.split('\n');
  const mark = getCommentMark(path, text);
  const hidden = lines.flatMap((content, at) => {
    const why = getHiddenText(content) ?? (mark && getHiddenCode(content, mark));
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

/** How far agents follow files that include others. */
const MAX_DEPTH = 5;

/** Tells which files steer agents: those that are read for their names, and what these pull in on the base. */
async function readIsSteering(
  ctx: CheckContext,
  base: readonly string[],
  files: ReadonlySet<string>,
): Promise<(path: string) => boolean> {
  const pulled = new Set<string>();
  let open = base.filter(isInstruction);
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    const next = new Set<string>();
    for (const path of open) {
      const text = (await ctx.ports.workspace.readFile(ctx.baseTree, path)) ?? '';
      for (const other of getIncluded(path, text, files)) if (!pulled.has(other)) next.add(other);
      if (depth === 0) for (const other of getReferred(path, text, files)) pulled.add(other);
    }
    for (const path of next) pulled.add(path);
    open = [...next];
  }
  return path => isSteering(path) || pulled.has(path);
}
