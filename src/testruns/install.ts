import { HarnessError } from '../core/base/failure.ts';
import { matchesAny } from '../core/base/glob.ts';
import { getUsefulLine } from '../core/base/text.ts';
import type { Policy } from '../core/model/policy.ts';
import { getFirstFolder } from '../core/testing/test-command.ts';
import type { Gap, Ports, ShellResult, Worktree } from '../ports/index.ts';
import { LOCAL_FILES } from './run-cache.ts';

interface Context {
  readonly ports: Ports;
  readonly policy: Policy;
}

interface Installed {
  readonly worktree: number;
  /** The worktree of the base in the same verdict. */
  readonly base: number;
  readonly dir: string;
  readonly tree: string;
  readonly signal: AbortSignal;
  readonly inTurn: <T>(worktree: number, act: () => Promise<T>) => Promise<T>;
}

/** Dependencies that anything but the install has touched, or that were made of other files, are made anew; says so. */
export async function installSealed(ctx: Context, where: Installed): Promise<boolean> {
  const { worktree, dir, tree, signal } = where;
  const { workspace, store } = ctx.ports;
  if (!ctx.policy.environment.install) return false;
  const isSealed = !workspace.isSealed || (await workspace.isSealed(worktree));
  // What an install has filled is laid out empty again.
  const isWhole = (await readGaps(ctx, worktree)).refused.length === 0;
  if (isSealed && isWhole && (await isInstalled(ctx, dir, tree))) return false;
  if (workspace.isSealed) await workspace.pristine(worktree, tree, { wipe: true });
  await store.metaPut(`installed:${dir}`, '');
  if (!(await copyFromBase(ctx, where))) {
    const findOpened = await workspace.watch?.(worktree);
    await install(ctx, dir, tree, signal);
    const opened = await findOpened?.();
    await store.metaPut(`opened:${dir}`, JSON.stringify(await readIds(ctx, tree, opened ?? [])));
    // What nobody saw it open may be anything: then it is good for this worktree alone.
    await store.metaPut(`seen:${dir}`, opened?.length ? 'yes' : '');
  }
  await store.metaPut(`place:${worktree}`, dir);
  await workspace.seal?.(worktree);
  return true;
}

/** What was installed for the base is what an install would make here, as long as nobody has touched it. */
async function copyFromBase(
  ctx: Context,
  { worktree, base, dir, tree, inTurn }: Installed,
): Promise<boolean> {
  const { workspace, store } = ctx.ports;
  if (worktree === base) return false;
  const from = await store.metaGet(`place:${base}`);
  if (!from || !(await store.metaGet(`seen:${from}`))) return false;
  const isCopied = await inTurn(
    base,
    async () =>
      (await isInstalled(ctx, from, tree)) &&
      (await workspace.isSealed?.(base)) &&
      (await workspace.copyInstalled?.(base, worktree)),
  );
  if (!isCopied) return false;
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

/** What a tree lacks, and what of that a person has given leave to lack. */
export async function readGaps({ ports, policy }: Context, worktree: number) {
  const local = JSON.parse((await ports.store.metaGet(LOCAL_FILES)) ?? '[]') as string[];
  const gaps = (await ports.workspace.findGaps?.(worktree, local)) ?? [];
  const isAccepted = ({ path }: Gap) => matchesAny(path, policy.environment.acceptUnfilled);
  const refused = gaps.filter(gap => !isAccepted(gap));
  return { refused, accepted: gaps.filter(isAccepted).map(({ path }) => path) };
}

/** Forgets what was installed in a directory that has been made anew since; says whether it has. */
export async function noteCreation(ctx: Context, { dir, createdAt }: Worktree): Promise<boolean> {
  const { store } = ctx.ports;
  if (createdAt === undefined || (await store.metaGet(`born:${dir}`)) === createdAt) return false;
  await store.metaPut(`installed:${dir}`, '');
  await store.metaPut(`born:${dir}`, createdAt);
  return true;
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
      `environment.install failed (${getHow(result, commandTimeoutMs)}${getWhere(ctx)}): ${getUsefulLine(result.output)}\n$ ${environment.install}\n${result.output.trim().split('\n').slice(-MAX_OUTPUT).join('\n')}`,
      {
        field: 'environment.install',
        fix: `make "${environment.install}" work in a fresh clone, then run again`,
      },
    );
  }
  await store.metaPut(metaKey, wanted);
}

const MAX_OUTPUT = 10;

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
