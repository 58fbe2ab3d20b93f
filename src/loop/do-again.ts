import { ObjectGone } from '../core/base/failure.ts';
import type { Work } from '../core/model/action.ts';
import type { StepContext, StepResult } from '../steps/step.ts';

/** Steps that can be done once more as if nothing had happened: an agent is not set to work twice. */
const REPEATED: ReadonlySet<Work['type']> = new Set<Work['type']>([
  'prepare',
  'preflight',
  'snapshot',
  'verify',
  'accept-test',
  'land',
  'close',
  'check-all',
]);
const TRIES = 8;
const PAUSE_MS = 500;

/** A `git gc --prune=now` of the user's may clear away what a step has just made: then it makes it again. */
export async function doAgain(
  ctx: StepContext,
  action: Work,
  perform: (ctx: StepContext, action: Work) => Promise<StepResult>,
): Promise<StepResult> {
  for (let tries = 1; ; tries++) {
    try {
      return await perform(ctx, action);
    } catch (error) {
      if (!(error instanceof ObjectGone) || !REPEATED.has(action.type) || tries === TRIES) throw error;
      await ctx.ports.clock.sleep(PAUSE_MS * tries, ctx.signal);
    }
  }
}
