import { type GitContext, runRepo } from '../repo/context.ts';
import { getRepoEnv } from '../repo/git-env.ts';
import { getGitError } from '../repo/git-error.ts';
import { readRefFile } from '../repo/git-files.ts';

/** The commit a ref names, or null. Read from git's files where they say it: no process, so asking is cheap. */
export async function readRef(ctx: GitContext, ref: string): Promise<string | null> {
  const found = readRefFile(ctx.repo.commonDir, ref);
  return found === undefined ? askForRef(ctx, ref) : found;
}

export interface RefMove {
  readonly ref: string;
  /** Null when the ref must not exist yet. */
  readonly from: string | null;
  readonly to: string;
  readonly reason: string;
  /** The git directory whose HEAD may follow the ref; the repository's own by default. */
  readonly gitDir?: string;
  /** Whether the move is written into the ref's log, where the repository keeps one. */
  readonly isLogged?: boolean;
}

/** Moves a ref only if it still is where the caller saw it. */
export async function moveRef(ctx: GitContext, move: RefMove): Promise<'moved' | 'raced'> {
  const from = move.from ?? '0'.repeat(move.to.length);
  const quiet = move.isLogged === false ? ['-c', 'core.logAllRefUpdates=false'] : [];
  const args = [...quiet, 'update-ref', '-m', move.reason, move.ref, move.to, from];
  const result = await runRepo(ctx, args, { env: getRepoEnv(move.gitDir ?? ctx.repo.commonDir) });
  if (result.code === 0) return 'moved';
  const now = await readRef(ctx, move.ref);
  if (now === move.to) return 'moved';
  if (now !== move.from) return 'raced';
  throw getGitError(`moving ${move.ref}`, result, ctx.repo.root);
}

async function askForRef(ctx: GitContext, ref: string): Promise<string | null> {
  const result = await runRepo(ctx, ['rev-parse', '--verify', '-q', `${ref}^{commit}`]);
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}
