import { rmSync } from 'node:fs';
import type { GitContext } from '../repo/context.ts';
import { clearOwnRefLocks } from '../repo/locks.ts';
import { checkOwner, clearDeadDrafts, dropIntent, listIntentFiles, readIntents } from './intents.ts';
import { repair } from './turn.ts';

/**
 * Puts right what killed runs left in the user's repository. What a living process is at is left to it. Whoever
 * is `alone` holds the run's lease, and no process of an earlier run lives: then a lock that no intent explains,
 * on a ref that only the harness writes, can go as well. Returns what a person should know.
 */
export async function recover(ctx: GitContext, alone: boolean): Promise<string[]> {
  for (const found of readIntents(ctx)) {
    const owner = checkOwner(found.intent);
    if (owner === 'dead' || (owner === 'unknown' && alone)) await repair(ctx, found);
  }
  clearDeadDrafts(ctx);
  if (alone && readIntents(ctx).length === 0) {
    clearOwnRefLocks(ctx);
    clearDrafts(ctx);
  }
  return ctx.remarks.splice(0);
}

/** What was being written when a kill came: an intent before it counted, a copy of an index. */
function clearDrafts(ctx: GitContext): void {
  for (const path of listIntentFiles(ctx)) {
    rmSync(path, { recursive: true, force: true });
    dropIntent(path);
  }
}
