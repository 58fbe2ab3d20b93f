import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessError } from '../../../core/base/failure.ts';
import type { GitContext } from '../repo/context.ts';
import { LANDED_REF } from '../repo/locks.ts';
import {
  dropIntent,
  getIntentDir,
  getToken,
  type Intent,
  type LandingIntent,
  readIntent,
  renewIntent,
  writeIntent,
} from './intents.ts';

/** The right to move branches of this repository: one worker at a time has it. */
export interface LandingTurn {
  readonly token: string;
  /** Where the copy of a checkout's index is worked on. */
  readonly privateIndex: string;
  /** Puts on disk, before the first file changes, which checkout is about to be moved. */
  announce(landing: LandingIntent): void;
}

const PATIENCE_MS = 15_000;
const PAUSE_MS = 20;

/**
 * Waits for the turn, runs, and gives it up. A turn that a killed worker left is ended by `recover`.
 * A landing that can be foreseen is announced with the turn itself: that saves writing it down twice.
 */
export async function withLandingTurn<T>(
  ctx: GitContext,
  to: string,
  foreseen: LandingIntent | null,
  perform: (turn: LandingTurn) => Promise<T>,
): Promise<T> {
  const path = getLandingPath(ctx);
  const token = getToken();
  const refs = [`refs/heads/${ctx.repo.baseBranch}`, LANDED_REF];
  const locks = refs.map(ref => join(ctx.repo.commonDir, `${ref}.lock`));
  const intent: Intent = { token, pid: process.pid, locks, lockContents: ['', `${to}\n`] };
  await waitForTurn(path, foreseen === null ? intent : withLanding(intent, foreseen));
  const turn: LandingTurn = {
    token,
    privateIndex: getPrivateIndex(ctx, token),
    announce: landing => {
      if (foreseen !== null && isSame(landing, foreseen)) renewIntent(path);
      else writeIntent(path, withLanding(intent, landing));
    },
  };
  try {
    return await perform(turn);
  } finally {
    dropIntent(path);
  }
}

function withLanding(intent: Intent, landing: LandingIntent): Intent {
  return { ...intent, locks: [...intent.locks, join(landing.gitDir, 'HEAD.lock')], landing };
}

function isSame(one: LandingIntent, other: LandingIntent): boolean {
  const keys = ['ref', 'from', 'to', 'root', 'gitDir'] as const;
  return keys.every(key => one[key] === other[key]);
}

/** The one file whose existence is the turn. */
export function getLandingPath(ctx: GitContext): string {
  return join(getIntentDir(ctx), 'landing.json');
}

/** Where the turn of that token works on an index. */
export function getPrivateIndex(ctx: GitContext, token: string): string {
  return join(getIntentDir(ctx), `${token}.index`);
}

async function waitForTurn(path: string, intent: Intent): Promise<void> {
  for (let waitedMs = 0; !writeIntent(path, intent, true); waitedMs += PAUSE_MS) {
    if (waitedMs >= PATIENCE_MS) throw getTurnError(path);
    await sleep(PAUSE_MS);
  }
}

function getTurnError(path: string): HarnessError {
  const holder = readIntent(path)?.intent.pid;
  return new HarnessError(
    'locked',
    `another landing is under way or was interrupted (process ${holder ?? 'unknown'})`,
    {
      file: path,
      fix: 'let that run finish; if it was killed, `harness run` repairs what it left before it starts',
    },
  );
}
