import { getSafeName } from '../core/commit-message.ts';
import type { SessionOutcome, Usage } from '../core/event.ts';
import { getPrompt } from '../core/prompt.ts';
import { addUsage, NO_USAGE } from '../core/state.ts';
import type { AgentEvent, AgentResult } from '../ports.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Lets the agent work. Whatever it says, this ends with a claim at best. */
export async function session(ctx: StepContext, taskId: string): Promise<StepResult> {
  const { ports, policy } = ctx;
  const { task, attempt } = getUnderWay(ctx, taskId);
  const ref = { task: taskId, attempt: attempt.number, session: attempt.session };
  const prompt = getPrompt(ctx.state, task, policy);
  await ctx.record([
    {
      type: 'session.started',
      ...ref,
      provider: ports.agent.provider,
      prompt: attempt.startWip ? 'continuation' : 'coding',
    },
  ]);
  const startedMs = ports.clock.monotonicMs();
  const watch = createWatch(ctx, taskId);
  const result = await ports.agent.run(
    {
      task: task.def,
      attempt: attempt.number,
      session: attempt.session,
      prompt,
      cwd: attempt.dir ?? '',
      timeoutMs: policy.sessionTimeoutMs,
      signal: watch.signal,
    },
    watch.onEvent,
  );
  const spent = watch.spent();
  const usage = result.usage.costUsd >= spent.costUsd ? result.usage : spent;
  const actions = watch.actions(attempt.session);
  await ports.artifacts.project({ state: ctx.state, events: [], actions });
  const transcript = await ports.artifacts.write(
    `sessions/session-${attempt.session}-task-${getSafeName(taskId)}-attempt-${attempt.number}.jsonl`,
    watch.transcript(prompt),
  );
  return {
    events: [
      {
        type: 'session.ended',
        ...ref,
        outcome: getOutcome(result, watch.isOverBudget(), ctx.signal.aborted),
        summary: result.summary.slice(0, 2_000),
        usage,
        durationMs: Math.round(ports.clock.monotonicMs() - startedMs),
        transcript,
      },
    ],
  };
}

/** A session that was cut off still costs what it cost: it is recorded, as far as the lease allows. */
function getOutcome(result: AgentResult, overBudget: boolean, cutOff: boolean): SessionOutcome {
  if (overBudget) return 'budget';
  return cutOff && result.outcome !== 'claimed' ? 'interrupted' : result.outcome;
}

/** Listens to the agent: keeps the transcript, tells the person, and stops it at its budget. */
function createWatch(ctx: StepContext, taskId: string) {
  const { ports, policy } = ctx;
  const stop = new AbortController();
  const heard: { atMs: number; event: AgentEvent }[] = [];
  let spent: Usage = NO_USAGE;
  let overBudget = false;
  return {
    signal: AbortSignal.any([ctx.signal, stop.signal]),
    onEvent(event: AgentEvent): void {
      heard.push({ atMs: ports.clock.nowMs(), event });
      ports.reporter.agent(taskId, event);
      if (event.type !== 'usage') return;
      spent = addUsage(spent, event.usage);
      if (spent.costUsd <= policy.budget.perSessionUsd || overBudget) return;
      overBudget = true;
      stop.abort(new Error('session budget exceeded'));
    },
    isOverBudget: () => overBudget,
    spent: () => spent,
    actions: (number: number) => heard.map(({ atMs, event }) => ({ atMs, session: number, event })),
    transcript: (prompt: string) => {
      const lines = heard.map(({ atMs, event }) => JSON.stringify({ atMs, ...event }));
      return [JSON.stringify({ type: 'prompt', text: prompt }), ...lines, ''].join('\n');
    },
  };
}
