import { join } from 'node:path';
import type { GitContext } from '../repo/context.ts';
import { LANDED_REF } from '../repo/locks.ts';
import {
  getPrivateIndex,
  type Intent,
  type LandingIntent,
  type LandingTurn,
  renewIntent,
  writeIntent,
} from './intents.ts';
import { withTurn } from './turn.ts';

type Announced = Pick<Intent, 'locks' | 'lockContents' | 'landing'>;

/** Lands in its turn. What can be foreseen is announced with the turn itself: that saves writing it down twice. */
export function withLandingTurn<T>(
  ctx: GitContext,
  to: string,
  foreseen: LandingIntent | null,
  perform: (ctx: GitContext, turn: LandingTurn) => Promise<T>,
): Promise<T> {
  const refs = [`refs/heads/${ctx.repo.baseBranch}`, LANDED_REF];
  const locks = refs.map(ref => join(ctx.repo.commonDir, `${ref}.lock`));
  const plain: Announced = { locks, lockContents: ['', `${to}\n`] };
  const announced = foreseen === null ? plain : withLanding(plain, foreseen);
  return withTurn(ctx, 'landing', announced, (marked, { path, intent }) =>
    perform(marked, {
      token: intent.token,
      privateIndex: getPrivateIndex(ctx, intent.token),
      announce: landing => {
        if (foreseen !== null && isSame(landing, foreseen)) renewIntent(path);
        else writeIntent(path, { ...intent, ...withLanding(plain, landing) });
      },
    }),
  );
}

function withLanding(announced: Announced, landing: LandingIntent): Announced {
  const { locks } = announced;
  return { ...announced, locks: [...locks, join(landing.gitDir, 'HEAD.lock')], landing };
}

function isSame(one: LandingIntent, other: LandingIntent): boolean {
  const keys = ['ref', 'from', 'to', 'root', 'gitDir'] as const;
  return keys.every(key => one[key] === other[key]);
}
