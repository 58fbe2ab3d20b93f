import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessError } from '../../../core/base/failure.ts';
import { getWorkerPrefix } from '../../process/marker.ts';
import { getOwnProcess } from '../../process/own-process.ts';
import { killMarked } from '../../process/sweep.ts';
import type { GitContext } from '../repo/context.ts';
import { markGit } from '../repo/run-git.ts';
import {
  checkOwner,
  clearBeside,
  dropIntent,
  type FoundIntent,
  getIntentDir,
  getToken,
  type Intent,
  readIntent,
  renewIntent,
  writeIntent,
} from './intents.ts';
import { repairCheckout } from './repair-checkout.ts';

/** The right to change something that every harness on this repository changes: one process at a time has it. */
export interface Turn {
  readonly path: string;
  readonly intent: Intent;
}

const PATIENCE_MS = 15_000;
const PAUSE_MS = 20;
/** Asking whether a process lives may itself cost a process. */
const ASK_EVERY_MS = 500;

/**
 * Waits for the turn of that name, runs with a git that can be found again, and gives it up. A turn whose holder
 * was killed is ended first: what it left half done is put right by whoever wants the turn next.
 */
export async function withTurn<T>(
  ctx: GitContext,
  name: string,
  announced: Pick<Intent, 'locks' | 'lockContents' | 'landing'>,
  perform: (ctx: GitContext, turn: Turn) => Promise<T>,
): Promise<T> {
  const path = join(getIntentDir(ctx), `${name}.json`);
  const intent: Intent = { token: getToken(), owner: getOwnProcess(), ...announced };
  await waitForTurn(ctx, path, intent);
  try {
    return await perform({ ...ctx, run: markGit(ctx.run, intent.token) }, { path, intent });
  } finally {
    dropIntent(path);
  }
}

async function waitForTurn(ctx: GitContext, path: string, intent: Intent): Promise<void> {
  for (let waitedMs = 0; existsSync(path) || !writeIntent(path, intent, true); ) {
    const holder = waitedMs % ASK_EVERY_MS === 0 ? readIntent(path) : null;
    if (holder !== null && checkOwner(holder.intent) === 'dead') {
      await repair(ctx, holder);
      continue;
    }
    if (waitedMs >= PATIENCE_MS) throw getTurnError(path);
    await sleep(PAUSE_MS);
    waitedMs += PAUSE_MS;
  }
}

/**
 * Puts right what the dead owner of an intent left: the git that outlived it, locks as far as they are provably
 * its own, a checkout that was being moved. A repair is a turn itself, so one process does it, and should that be
 * killed too, the next one goes on. What a person should know is kept in the context.
 */
export function repair(ctx: GitContext, { path, intent: { token } }: FoundIntent): Promise<void> {
  return withTurn(ctx, `repair-${token}`, { locks: [], lockContents: null }, async marked => {
    const found = readIntent(path);
    // Somebody else was faster.
    if (found?.intent.token !== token) return;
    await killMarked(getWorkerPrefix(token));
    for (const lock of found.intent.locks) clearProvenLock(found, lock);
    if (found.intent.landing) {
      // A repair takes the same locks: should it be killed too, they are to be found just as young.
      const renew = (): void => renewIntent(path);
      renew();
      const remark = await repairCheckout(marked, token, found.intent.landing, renew);
      if (remark !== null) ctx.remarks.push(remark);
    }
    clearBeside(ctx, token);
    dropIntent(path);
  });
}

/** The clocks behind two file times may differ by a tick. */
const TICK_MS = 50;
const LONGEST_MS = 60_000;

/** Ours is a lock that the intent names, that appeared after it, and that holds what we would have written. */
function clearProvenLock({ intent, atMs }: FoundIntent, lock: string): void {
  try {
    const { mtimeMs } = statSync(lock);
    if (mtimeMs < atMs - TICK_MS || mtimeMs > atMs + LONGEST_MS) return;
    if (intent.lockContents !== null && !intent.lockContents.includes(readFileSync(lock, 'utf8'))) return;
    rmSync(lock, { force: true });
  } catch {
    // No such lock: nothing to clear.
  }
}

function getTurnError(path: string): HarnessError {
  const { pid } = readIntent(path)?.intent.owner ?? {};
  return new HarnessError(
    'locked',
    `another run is changing refs or files of this repository and does not finish (process ${pid ?? 'unknown'})`,
    {
      file: path,
      fix: 'look at that process and let it finish, or end it: the next `harness run` repairs what it left',
    },
  );
}
