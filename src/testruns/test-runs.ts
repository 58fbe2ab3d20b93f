import { HarnessError } from '../core/base/failure.ts';
import { getGapError } from '../core/base/gaps.ts';
import type { Policy } from '../core/model/policy.ts';
import type { RunRecord, TestRun } from '../core/model/testing.ts';
import type { Place, Ports } from '../ports/index.ts';
import { inTurn, join } from './in-turn.ts';
import { installSealed, noteBirth, readGaps } from './install.ts';
import {
  getRenamed,
  getRunKey,
  getSuiteInputs,
  type RunInputs,
  recallRun,
  rememberRun,
} from './run-cache.ts';

/** Pristine trees of one worker slot: one for the candidate, one for the base. */
export type Side = 'candidate' | 'base';

/** A command to be run on a tree, and where. */
export interface TreeRun extends RunInputs {
  readonly purpose: string;
  readonly slot: number;
  readonly side: Side;
  /** Whether it has a tree of its own beside the one of its side, so that both can be in use at once. */
  readonly isBeside?: boolean;
  readonly signal: AbortSignal;
  /** Whether to look for files that were written over in the meantime. */
  readonly isWatched?: boolean;
  /** Whether to look which files were opened. */
  readonly notesOpened?: boolean;
  /** Whether what is compiled of it is kept for other runs to begin with. */
  readonly keepsCompiled?: boolean;
  /** Lays what belongs beside the tree into its directory; returns the way to take it out again. */
  readonly place?: (dir: string) => Promise<() => Promise<void>>;
}

type Context = {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly ahead?: Ahead | undefined;
  readonly runs?: RunRecord[] | undefined;
  readonly answers?: Map<string, Promise<unknown>> | undefined;
  readonly isSideBySide?: boolean | undefined;
};

/** Trees that are being laid out before anybody asked for them, by place; null where nobody will. */
export type Ahead = Map<number, { readonly tree: string; readonly laidOut: Promise<Place | null> }>;

/** Runs a test command on a pristine tree, or gives back what the same bytes gave before. */
export async function runOnTree(ctx: Context, request: TreeRun): Promise<TestRun> {
  const { purpose, tree } = request;
  const key = await getRunKey(ctx, request);
  const known = await recallRun(ctx, request, key);
  const run = known?.run ?? (await runOrJoin(ctx, request, key));
  const ranOn = known && known.tree !== tree ? { ranOn: known.tree } : {};
  ctx.runs?.push({ purpose, tree, run, ...ranOn });
  return run;
}

/** Whoever asks the same at this moment, with the same looks, is told the same under their own name. */
async function runOrJoin(ctx: Context, request: TreeRun, key: string): Promise<TestRun> {
  const { isWatched = false, notesOpened = false, runner, idWithoutReport } = request;
  const asked = `${key} ${isWatched} ${notesOpened}`;
  const run = await join(ctx, asked, () => runInTurn(ctx, request, key));
  return runner === 'command' ? getRenamed(run, idWithoutReport) : run;
}

/** A place holds one tree at a time. */
function runInTurn(ctx: Context, request: TreeRun, key: string): Promise<TestRun> {
  return inTurn(ctx, `place ${getPlaceNumber(request)}`, () => {
    request.signal.throwIfAborted();
    return runAnew(ctx, request, key);
  });
}

async function runAnew(ctx: Context, request: TreeRun, key: string): Promise<TestRun> {
  const laidOut = await layOutOrSay(ctx, request);
  if ('command' in laidOut) return laidOut;
  const { dir, gaps } = laidOut;
  const { workspace } = ctx.ports;
  const place = getPlaceNumber(request);
  const takeOut = await request.place?.(dir);
  const findOpened = request.notesOpened ? await workspace.watch?.(place) : undefined;
  const plain = await runIn(ctx, request, dir).finally(takeOut);
  const isFresh = await takeFreshness(ctx, dir);
  request.signal.throwIfAborted();
  // First of all: whoever looks at the files after this opens them, too.
  const opened = getTelling(ctx.policy, await findOpened?.());
  const wrote = request.isWatched ? await workspace.findWritten?.(place) : [];
  const seen = { ...(opened ? { opened } : {}), ...(wrote?.length ? { wrote } : {}) };
  const run = { ...plain, ...seen, ...(isFresh ? { isFresh } : {}) };
  // What is missing today may be there tomorrow, and nothing that is remembered says so.
  if (gaps.length > 0) return { ...run, gaps };
  await rememberRun(ctx, key, { tree: request.tree, run });
  return run;
}

function runIn({ ports }: Context, request: TreeRun, dir: string): Promise<TestRun> {
  const { command, runner, reportPath, idWithoutReport, timeoutMs, signal, observe, keepsCompiled } = request;
  const how = { command, runner, reportPath, idWithoutReport, timeoutMs, ...(observe ? { observe } : {}) };
  return ports.tests.run({ dir, ...how, ...(keepsCompiled ? { keepsCompiled } : {}), signal });
}

/** No test opens both the backlog and our settings: where they were opened, something has read everything there is. */
function getTelling(
  { backlogPath, configPath }: Policy,
  opened: readonly string[] | null | undefined,
): readonly string[] | undefined {
  return opened?.includes(backlogPath) && opened.includes(configPath) ? undefined : (opened ?? undefined);
}

/** Dependencies that install on the base and not with the candidate are the candidate's fault, and part of the verdict. */
async function layOutOrSay(ctx: Context, request: TreeRun): Promise<LaidOut | TestRun> {
  try {
    return await layOutWhole(ctx, request);
  } catch (error) {
    const isFault = error instanceof HarnessError && error.code === 'environment';
    if (request.side === 'base' || !isFault) throw error;
    const nothing = { exitCode: null, timedOut: false, results: [], outputTail: '', durationMs: 0 };
    return { command: request.command, ...nothing, reportProblem: error.message };
  }
}

interface LaidOut {
  readonly dir: string;
  /** What is missing in it by a person's leave. */
  readonly gaps: readonly string[];
}

type TreePlace = Pick<TreeRun, 'slot' | 'side' | 'isBeside' | 'tree' | 'signal'>;

/** A pristine tree with its dependencies installed, ready for commands. */
export async function layOut(ctx: Context, request: TreePlace): Promise<string> {
  return (await layOutWhole(ctx, request)).dir;
}

/** Whatever is missing in a tree that is to be judged is missed by its tests: a person has to know of it first. */
async function layOutWhole(ctx: Context, request: TreePlace): Promise<LaidOut> {
  const place = getPlaceNumber(request);
  const ahead = ctx.ahead?.get(place);
  ctx.ahead?.delete(place);
  const early = await ahead?.laidOut.catch(() => undefined);
  const laidOut =
    early && ahead?.tree === request.tree ? early : await ctx.ports.workspace.pristine(place, request.tree);
  const isNew = await noteBirth(ctx, laidOut);
  const base = getPlaceNumber({ slot: request.slot, side: 'base' });
  const isInstalled = await installSealed(ctx, { place, base, dir: laidOut.dir }, request);
  if (isNew || isInstalled) await ctx.ports.store.metaPut(`fresh:${laidOut.dir}`, 'yes');
  const { refused, accepted } = await readGaps(ctx, place);
  if (refused.length > 0) throw getGapError(refused);
  return { dir: laidOut.dir, gaps: accepted };
}

/** Whether nothing has been run in a directory since it, or what is installed in it, was made; from now on something has. */
async function takeFreshness({ ports }: Context, dir: string): Promise<boolean> {
  if (!(await ports.store.metaGet(`fresh:${dir}`))) return false;
  await ports.store.metaPut(`fresh:${dir}`, '');
  return true;
}

/** Starts to lay out a tree that will be needed soon, while something else is being done; not one that has been judged before. */
export function layOutAhead(ctx: Context, request: Pick<TreeRun, 'slot' | 'side' | 'tree'>): void {
  const { ahead, ports } = ctx;
  if (!ahead || ctx.isSideBySide) return;
  const { slot, side, tree } = request;
  const place = getPlaceNumber({ slot, side });
  const before = ahead.get(place)?.laidOut ?? Promise.resolve();
  const laidOut = before
    .catch(() => undefined)
    .then(async () => ((await isSuiteKnown(ctx, tree)) ? null : ports.workspace.pristine(place, tree)));
  laidOut.catch(() => undefined);
  ahead.set(place, { tree, laidOut });
}

async function isSuiteKnown(ctx: Context, tree: string): Promise<boolean> {
  const suite = getSuiteInputs(ctx.policy, tree);
  return suite !== null && (await recallRun(ctx, suite)) !== null;
}

/** Waits for what was laid out in vain: nobody else may use the place before that has ended. */
export async function settleAhead(ahead: Ahead | undefined): Promise<void> {
  if (!ahead) return;
  await Promise.allSettled([...ahead.values()].map(({ laidOut }) => laidOut));
  ahead.clear();
}

export function getPlaceNumber({
  slot,
  side,
  isBeside,
}: Pick<TreeRun, 'slot' | 'side' | 'isBeside'>): number {
  return isBeside ? FIRST_BESIDE + slot : slot * 2 + (side === 'base' ? 1 : 0);
}

/** More than there are workers. */
const FIRST_BESIDE = 1_000;
