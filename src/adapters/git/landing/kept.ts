import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { HarnessError } from '../../../core/base/failure.ts';
import { expectOk, type GitContext, runRepo } from '../repo/context.ts';
import { KEPT_PREFIX } from '../repo/locks.ts';
import { withTurn } from './turn.ts';

/** Names a commit under refs/harness/, so that git never collects it. */
export async function keep(ctx: GitContext, name: string, commit: string): Promise<void> {
  const ref = getKeptRef(name);
  const lock = join(ctx.repo.commonDir, `${ref}.lock`);
  const announced = { locks: [lock], lockContents: ['', `${commit}\n`] };
  const result = await withTurn(ctx, getTurnName(ref), announced, marked =>
    runRepo(marked, ['update-ref', ref, commit]),
  );
  expectOk(ctx, `keeping ${name}`, result);
}

/** Forgets kept commits, all at once; a name that is not there is no error. */
export async function drop(ctx: GitContext, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  // An attempt that two hosts have laid out is named twice, and git takes each name once.
  const input = [...new Set(names)].map(name => `delete ${getKeptRef(name)}\n`).join('');
  const locks = ['packed-refs.lock', 'packed-refs.new'].map(name => join(ctx.repo.commonDir, name));
  const result = await withTurn(ctx, 'packed-refs', { locks, lockContents: null }, marked =>
    runRepo(marked, ['update-ref', '--stdin'], { input }),
  );
  expectOk(ctx, 'dropping kept commits', result);
}

/** As a file may be called. */
function getTurnName(ref: string): string {
  return `kept-${createHash('sha256').update(ref).digest('hex').slice(0, 24)}`;
}

function getKeptRef(name: string): string {
  if (/^[\w][\w./@+-]*$/.test(name) && !name.includes('..') && !name.endsWith('.lock'))
    return `${KEPT_PREFIX}${name}`;
  throw new HarnessError('internal', `"${name}" cannot be the name of a kept commit`);
}
