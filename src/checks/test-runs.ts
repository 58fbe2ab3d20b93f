import { HarnessError } from '../core/failure.ts';
import { getGapError } from '../core/gaps.ts';
import { matchesAny } from '../core/glob.ts';
import type { Policy } from '../core/policy.ts';
import { getFirstFolder } from '../core/test-command.ts';
import type { RunRecord, TestRun } from '../core/testing.ts';
import { getUsefulLine } from '../core/useful-line.ts';
import type { Gap, Place, Ports, ShellResult } from '../ports.ts';
import {
  getRunKey,
  getSuiteInputs,
  LOCAL_FILES,
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
  readonly signal: AbortSignal;
  /** Whether to look for files that were written over in the meantime. */
  readonly isWatched?: boolean;
  /** Whether to look which files were opened. */
  readonly notesOpened?: boolean;
  /** Lays what belongs beside the tree into its directory; returns the way to take it out again. */
  readonly place?: (dir: string) => Promise<() => Promise<void>>;
}

type Context = {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly ahead?: Ahead | undefined;
  readonly runs?: RunRecord[] | undefined;
};

/** Trees that are being laid out before anybody asked for them, by place; null where nobody will. */
export type Ahead = Map<number, { readonly tree: string; readonly laidOut: Promise<Place | null> }>;

/** Runs a test command on a pristine tree, or gives back what the same bytes gave before. */
export async function runOnTree(ctx: Context, request: TreeRun): Promise<TestRun> {
  const { purpose, tree } = request;
  const key = await getRunKey(ctx, request);
  const known = await recallRun(ctx, request, key);
  const run = known?.run ?? (await runAnew(ctx, request, key));
  const ranOn = known && known.tree !== tree ? { ranOn: known.tree } : {};
  ctx.runs?.push({ purpose, tree, run, ...ranOn });
  return run;
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
  request.signal.throwIfAborted();
  // First of all: whoever looks at the files after this opens them, too.
  const opened = getTelling(ctx.policy, await findOpened?.());
  const wrote = request.isWatched ? await workspace.findWritten?.(place) : [];
  const run = { ...plain, ...(opened ? { opened } : {}), ...(wrote?.length ? { wrote } : {}) };
  // What is missing today may be there tomorrow, and nothing that is remembered says so.
  if (gaps.length > 0) return { ...run, gaps };
  await rememberRun(ctx, key, { tree: request.tree, run });
  return run;
}

function runIn({ ports }: Context, request: TreeRun, dir: string): Promise<TestRun> {
  const { command, runner, reportPath, idWithoutReport, timeoutMs, signal, observe } = request;
  const how = { command, runner, reportPath, idWithoutReport, timeoutMs, ...(observe ? { observe } : {}) };
  return ports.tests.run({ dir, ...how, signal });
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

type TreePlace = Pick<TreeRun, 'slot' | 'side' | 'tree' | 'signal'>;

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
  await noteBirth(ctx, laidOut);
  await installSealed(ctx, place, laidOut.dir, request);
  const { refused, accepted } = await readGaps(ctx, place);
  if (refused.length > 0) throw getGapError(refused);
  return { dir: laidOut.dir, gaps: accepted };
}

async function readGaps({ ports, policy }: Context, place: number) {
  const local = JSON.parse((await ports.store.metaGet(LOCAL_FILES)) ?? '[]') as string[];
  const gaps = (await ports.workspace.findGaps?.(place, local)) ?? [];
  const isAccepted = ({ path }: Gap) => matchesAny(path, policy.environment.acceptUnfilled);
  const refused = gaps.filter(gap => !isAccepted(gap));
  return { refused, accepted: gaps.filter(isAccepted).map(({ path }) => path) };
}

/** Dependencies that anything but the install has touched, or that were made of other files, are made anew. */
async function installSealed(
  ctx: Context,
  place: number,
  dir: string,
  { tree, signal }: Pick<TreeRun, 'tree' | 'signal'>,
): Promise<void> {
  const { workspace, store } = ctx.ports;
  if (!ctx.policy.environment.install) return;
  const isSealed = !workspace.isSealed || (await workspace.isSealed(place));
  // What an install has filled is laid out empty again.
  const isWhole = (await readGaps(ctx, place)).refused.length === 0;
  if (isSealed && isWhole && (await isInstalled(ctx, dir, tree))) return;
  if (workspace.isSealed) await workspace.pristine(place, tree, { wipe: true });
  await store.metaPut(`installed:${dir}`, '');
  if (!(await copyFromBase(ctx, place, dir, tree))) {
    const findOpened = await workspace.watch?.(place);
    await install(ctx, dir, tree, signal);
    const opened = (await findOpened?.()) ?? [];
    await store.metaPut(`opened:${dir}`, JSON.stringify(await readIds(ctx, tree, opened)));
  }
  await store.metaPut(`place:${place}`, dir);
  await workspace.seal?.(place);
}

/** What was installed for the base is what an install would make here, as long as nobody has touched it. */
async function copyFromBase(ctx: Context, place: number, dir: string, tree: string): Promise<boolean> {
  const { workspace, store } = ctx.ports;
  const other = place | 1;
  if (other === place) return false;
  const from = await store.metaGet(`place:${other}`);
  if (!from || !(await isInstalled(ctx, from, tree)) || !(await workspace.isSealed?.(other))) return false;
  if (!(await workspace.copyInstalled?.(other, place))) return false;
  await store.metaPut(`installed:${dir}`, await getWanted(ctx, tree));
  await store.metaPut(`opened:${dir}`, (await store.metaGet(`opened:${from}`)) ?? '{}');
  return true;
}

/** Whether what an install there opened is the same in this tree: its scripts may have run anything of it. */
async function isInstalled(ctx: Context, dir: string, tree: string): Promise<boolean> {
  const { store } = ctx.ports;
  if ((await store.metaGet(`installed:${dir}`)) !== (await getWanted(ctx, tree))) return false;
  const known = JSON.parse((await store.metaGet(`opened:${dir}`)) || '{}') as Record<string, string | null>;
  const now = await readIds(ctx, tree, Object.keys(known));
  return Object.entries(known).every(([path, id]) => now[path] === id);
}

async function readIds({ ports }: Context, tree: string, paths: readonly string[]) {
  const read = async (path: string) => [path, await ports.workspace.blobId(tree, path)] as const;
  return Object.fromEntries(await Promise.all(paths.map(read)));
}

/** Starts to lay out a tree that will be needed soon, while something else is being done; not one that has been judged before. */
export function layOutAhead(ctx: Context, request: Pick<TreeRun, 'slot' | 'side' | 'tree'>): void {
  const { ahead, ports } = ctx;
  if (!ahead) return;
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

export function getPlaceNumber({ slot, side }: Pick<TreeRun, 'slot' | 'side'>): number {
  return slot * 2 + (side === 'base' ? 1 : 0);
}

/** Forgets what was installed in a directory that has been made anew since. */
export async function noteBirth(ctx: Context, { dir, birth }: Place): Promise<void> {
  const { store } = ctx.ports;
  if (birth === undefined || (await store.metaGet(`born:${dir}`)) === birth) return;
  await store.metaPut(`installed:${dir}`, '');
  await store.metaPut(`born:${dir}`, birth);
}

/** Installs dependencies where the lockfiles differ from those the directory was last installed for. */
export async function install(ctx: Context, dir: string, tree: string, signal: AbortSignal): Promise<void> {
  const { environment, commandTimeoutMs } = ctx.policy;
  if (!environment.install) return;
  const { store, shell } = ctx.ports;
  const wanted = await getWanted(ctx, tree);
  const metaKey = `installed:${dir}`;
  if ((await store.metaGet(metaKey)) === wanted) return;
  const result = await shell.run({
    command: environment.install,
    cwd: dir,
    timeoutMs: commandTimeoutMs,
    signal,
  });
  signal.throwIfAborted();
  if (result.exitCode !== 0) {
    throw new HarnessError(
      'environment',
      `environment.install failed (${getHow(result, commandTimeoutMs)}${getWhere(ctx)}): ${getUsefulLine(result.output)}\n$ ${environment.install}\n${result.output.trim().split('\n').slice(-MAX_SAID).join('\n')}`,
      {
        field: 'environment.install',
        fix: `make "${environment.install}" work in a fresh clone, then run again`,
      },
    );
  }
  await store.metaPut(metaKey, wanted);
}

const MAX_SAID = 10;

/** A command that took too long has no exit code to tell of. */
export function getHow({ timedOut, exitCode }: ShellResult, timeoutMs: number): string {
  return timedOut ? `it ran out of time after ${Math.round(timeoutMs / 1_000)} s` : `exit ${exitCode}`;
}

/** What decides whether an install has to be made: the command, and the files that name what to install. */
async function getWanted({ ports, policy }: Context, tree: string): Promise<string> {
  const { install: command, lockfiles } = policy.environment;
  const folder = getFirstFolder(command ?? '');
  const manifest = folder === null ? 'package.json' : `${folder}/package.json`;
  const files = [...lockfiles, ...(isLoose(command ?? '') ? [manifest] : [])];
  return JSON.stringify([command, await Promise.all(files.map(path => ports.workspace.blobId(tree, path)))]);
}

/** What works at a prompt may lack something here, and only the sandbox's settings can give it. */
function getWhere({ ports }: Context): string {
  const isInside = ports.containment?.level === 'bubblewrap';
  return isInside ? ', in the sandbox, which sandbox.setup_readable and sandbox.writable open' : '';
}

/** Without a lockfile it is the manifest that says what to install. */
function isLoose(command: string): boolean {
  return (
    /\b(npm|pnpm|yarn|bun) (install|i)\b/.test(command) && !/--(frozen-lockfile|immutable)\b/.test(command)
  );
}
