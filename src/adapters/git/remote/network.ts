import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessError } from '../../../core/base/failure.ts';
import type { GitContext } from '../repo/context.ts';
import { getNetworkEnv, SAFE_CONFIG } from '../repo/git-env.ts';
import type { GitResult } from '../repo/run-git.ts';

/** Whoever does not answer for so long is asked again. */
const DEADLINE_MS = 60_000;
const TRIES = 4;
const PAUSE_MS = 500;

/** Git with the user's own way to the remote: their settings and keys, none of their hooks. */
export function runNetwork(ctx: GitContext, args: readonly string[]): Promise<GitResult> {
  const { commonDir } = ctx.repo;
  return ctx.run([...SAFE_CONFIG, ...args], {
    cwd: commonDir,
    env: { ...getNetworkEnv(), GIT_DIR: commonDir },
    timeoutMs: DEADLINE_MS,
  });
}

/** Tried again while the network is away: a night does not end with one lost packet. */
export async function askNetwork(
  ctx: GitContext,
  doing: string,
  args: readonly string[],
): Promise<GitResult> {
  for (let tries = 1; ; tries++) {
    const result = await runNetwork(ctx, args).catch((error: unknown) => {
      if (tries === TRIES) throw error;
      return null;
    });
    if (result?.code === 0) return result;
    if (result && tries === TRIES) throw getRemoteError(ctx, doing, result.stderr);
    await sleep(PAUSE_MS * 2 ** tries);
  }
}

/** User and password in an address. */
const LOGIN = /\/\/[^/@\s]+@/g;

/** Says which remote, what git said, and what to do. */
export function getRemoteError({ repo }: GitContext, doing: string, stderr: string): HarnessError {
  const lines = stderr.trim().split('\n');
  const reason = (lines.find(line => /^(fatal|error|remote):/.test(line)) ?? lines.at(-1) ?? '').replace(
    LOGIN,
    '//',
  );
  return new HarnessError('repo', `${doing} ${repo.remote} failed: ${reason}`, {
    field: 'git.remote',
    fix: `try it yourself: git fetch ${repo.remote}; then run again, nothing is lost`,
  });
}
