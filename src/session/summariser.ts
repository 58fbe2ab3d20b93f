import type { HarnessEvent } from '../core/events/event.ts';
import { getRoleSettings } from '../core/model/policy.ts';
import type { TaskDef } from '../core/model/task.ts';
import { addUsage, NO_USAGE, type Usage } from '../core/model/usage.ts';
import { getPrompt } from '../core/prompt/prompt.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getSessionUsd } from '../core/state/costs.ts';
import type { Agent } from '../ports/index.ts';
import { getSessionRef, type SessionContext } from './context.ts';

export interface SummaryRequest {
  readonly task: TaskDef;
  readonly attempt: Attempt;
  readonly material: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A summary is worth this much time and money, and no more. */
const TIMEOUT_MS = 120_000;
const MAX_USD = 0.5;

/**
 * Has a cheap model sum something up. Nothing depends on it: whoever asks has an answer of its own for
 * when there is no summariser, no money, or no answer (null). What it cost is to be recorded.
 */
export async function askSummariser(
  ctx: SessionContext,
  { task, attempt, material, schema }: SummaryRequest,
): Promise<{ readonly value: unknown; readonly spent: readonly HarnessEvent[] }> {
  const { ports, policy, signal } = ctx;
  const agent = findSummariser(ctx);
  const at = ctx.state.tasks.get(attempt.task);
  const leftUsd = at ? getSessionUsd(policy, ctx.state, { task: at, attempt }) : 0;
  const budgetUsd = Math.min(MAX_USD, leftUsd);
  if (!agent || budgetUsd <= 0 || signal.aborted) return { value: null, spent: [] };
  const stop = new AbortController();
  let counted = NO_USAGE;
  const prompt = getPrompt(policy, 'summariser', material);
  const request = {
    task,
    attempt: attempt.number,
    session: attempt.session,
    role: 'summariser',
    mode: 'complete',
    schema,
    prompt: ports.redact?.(prompt) ?? prompt,
    cwd: attempt.dir ?? '',
    timeoutMs: Math.min(TIMEOUT_MS, policy.sessionTimeoutMs),
    signal: AbortSignal.any([signal, stop.signal]),
    ...getRoleSettings(policy, 'summariser', agent.provider),
  } as const;
  try {
    const result = await agent.run(request, event => {
      if (event.type !== 'usage') return;
      counted = addUsage(counted, event.usage);
      if (counted.costUsd > budgetUsd) stop.abort(new Error('a summary may not cost that much'));
    });
    const usage = result.usage.costUsd >= counted.costUsd ? result.usage : counted;
    const value = result.outcome === 'claimed' ? (result.structured ?? null) : null;
    return { value, spent: getSpent(attempt, usage) };
  } catch {
    return { value: null, spent: getSpent(attempt, counted) };
  }
}

function getSpent(attempt: Attempt, usage: Usage): readonly HarnessEvent[] {
  if (usage.inputTokens + usage.outputTokens + usage.costUsd === 0) return [];
  return [{ type: 'session.spent', ...getSessionRef(attempt), usage, role: 'summariser' }];
}

/** Only where a model is named for it: nobody pays for summaries by an expensive one unasked. */
function findSummariser({ ports, policy }: SessionContext): Agent | undefined {
  const { provider, model } = policy.models.summariser;
  if (model === null) return undefined;
  const agents = [ports.agent, ...(ports.fallbacks ?? [])];
  return agents.find(
    agent => agent.provider === provider && (agent.capabilities?.modes.includes('complete') ?? true),
  );
}
