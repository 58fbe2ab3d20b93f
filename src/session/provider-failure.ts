import { getFailureResponse } from '../core/decide/failure-policy.ts';
import type { EventOf } from '../core/events/event.ts';
import type { AgentFailure, AgentResult } from '../ports/index.ts';
import type { SessionContext } from './context.ts';
import type { EndedBy } from './watch.ts';

/** A provider's failure and what follows from it; none when the harness itself ended the session. */
export async function getFailure(
  ctx: SessionContext,
  provider: string,
  result: AgentResult,
  endedBy: EndedBy | null,
): Promise<EventOf<'provider.failed'> | null> {
  const { failure } = result;
  if (!failure || result.outcome === 'claimed' || endedBy || ctx.signal.aborted) return null;
  const known = ctx.state.trouble.providers.get(provider);
  const count = known?.kind === failure.kind ? known.count + 1 : 1;
  return { type: 'provider.failed', provider, ...(await getAnswer(ctx, failure, count)) };
}

async function getAnswer(ctx: SessionContext, failure: AgentFailure, count: number) {
  const { kind, message, retryAtMs } = failure;
  const answer = getFailureResponse(kind, count, await ctx.ports.store.nowMs(), retryAtMs);
  const untilMs = answer.type === 'wait' ? answer.untilMs : null;
  return { kind, message: message.slice(0, 1_000), count, response: answer.type, untilMs };
}
