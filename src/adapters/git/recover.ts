import { readFileSync, rmSync, statSync } from 'node:fs';
import type { GitContext } from './context.ts';
import { dropIntent, type FoundIntent, listIntentFiles, readIntents, renewIntent } from './intents.ts';
import { clearOwnRefLocks } from './locks.ts';
import { repairLanding } from './repair-landing.ts';

/** The clocks behind two file times may differ by a tick. */
const TICK_MS = 50;
const LONGEST_MS = 60_000;

/**
 * Puts right what a killed run left in the user's repository: its locks, as far as they are provably
 * its own, and a checkout that was being moved. The caller holds the run's lease, and no process of
 * an earlier run lives. Returns what a person should know.
 */
export async function recover(ctx: GitContext): Promise<string[]> {
  const notes: string[] = [];
  for (const found of readIntents(ctx)) {
    for (const lock of found.intent.locks) clearProvenLock(found, lock);
    if (found.intent.landing) {
      // A repair takes the same locks: should it be killed too, they are to be found just as young.
      renewIntent(found.path);
      const note = await repairLanding(ctx, found.intent, found.intent.landing);
      if (note !== null) notes.push(note);
    }
    dropIntent(found.path);
  }
  clearOwnRefLocks(ctx);
  clearDrafts(ctx);
  return notes;
}

/** What was being written when a kill came: an intent before it counted, a copy of an index. */
function clearDrafts(ctx: GitContext): void {
  for (const path of listIntentFiles(ctx)) {
    if (path.endsWith('.json')) continue;
    rmSync(path, { recursive: true, force: true });
    dropIntent(path);
  }
}

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
