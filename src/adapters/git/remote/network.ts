import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessError } from '../../../core/base/failure.ts';
import type { GitContext } from '../repo/context.ts';
import { SAFE_CONFIG } from '../repo/git-env.ts';
import type { GitResult } from '../repo/run-git.ts';
import { OWN_REMOTE, readWay } from './way.ts';

/** Whoever does not answer for so long is asked again. */
const DEADLINE_MS = 60_000;
export const TRIES = 4;
const PAUSE_MS = 500;

/** Git with the user's own way to the remote: their settings and keys, none of their hooks. */
export async function runNetwork(ctx: GitContext, args: readonly string[]): Promise<GitResult> {
  const env = await readWay(ctx);
  // Where a remote's address is a path, it begins at the checkout.
  const cwd = ctx.repo.root;
  return ctx.run([...SAFE_CONFIG, ...args], { cwd, env, timeoutMs: DEADLINE_MS, hasOwnGroup: true });
}

/** A network that was away is given some time before it is asked again, each time more. */
export function pauseBetween(tries: number): Promise<void> {
  return sleep(PAUSE_MS * 2 ** tries);
}

/** Tried again while the network is away: a night does not end with one lost packet. */
export async function askNetwork(
  ctx: GitContext,
  doing: string,
  args: readonly string[],
): Promise<GitResult> {
  for (let tries = 1; ; tries++) {
    const result = await tryNetwork(ctx, args);
    if (result.code === 0) return result;
    if (tries === TRIES) throw getRemoteError(ctx, doing, result.stderr);
    await pauseBetween(tries);
  }
}

/** Whoever did not answer in time has not done it, as far as can be told. */
export async function tryNetwork(ctx: GitContext, args: readonly string[]): Promise<GitResult> {
  return runNetwork(ctx, args).catch((error: unknown) => {
    if (error instanceof HarnessError && error.details.field !== undefined) throw error;
    const stderr = error instanceof Error ? error.message : String(error);
    return { code: 1, stdout: Buffer.alloc(0), stderr };
  });
}

/** User and password in an address. */
const LOGIN = /\/\/[^/@\s]+@/g;

/** Says which remote, what git said, and what to do. */
export function getRemoteError({ repo }: GitContext, doing: string, stderr: string): HarnessError {
  const lines = stderr
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
  const line = lines.find(one => /^(fatal|error|remote):/.test(one)) ?? lines.at(-1) ?? '';
  const text = line.replace(LOGIN, '//').replaceAll(OWN_REMOTE, String(repo.remote));
  const way = doing.startsWith('pushing')
    ? `git push --dry-run ${repo.remote} ${repo.baseBranch}`
    : `git fetch ${repo.remote}`;
  return new HarnessError('environment', `${doing} ${repo.remote} failed: ${text}`, {
    file: join(repo.commonDir, 'config'),
    field: 'git.remote',
    fix: `try it yourself: ${way}; then run again, nothing is lost`,
  });
}
