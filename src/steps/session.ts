import { prefetchBase } from '../checks/tests/prefetch-base.ts';
import type { AgentEvent } from '../core/model/agent-event.ts';
import type { SessionOutcome } from '../core/model/facts.ts';
import { getRoleSettings } from '../core/model/policy.ts';
import { getSessionRole } from '../core/model/role.ts';
import type { Usage } from '../core/model/usage.ts';
import { getBudget } from '../core/people/budget.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getPromisedOutcome } from '../core/state/objective.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Agent, AgentResult } from '../ports/index.ts';
import { getServers, readSaid } from '../session/agent-tools.ts';
import { takeDrops } from '../session/drops.ts';
import { settleHandoff } from '../session/handoff.ts';
import { createNotes } from '../session/notes.ts';
import { readOpening } from '../session/opening.ts';
import { getFailure } from '../session/provider-failure.ts';
import { getTranscriptPath } from '../session/transcript-path.ts';
import { type EndedBy, watchSession } from '../session/watch.ts';
import { getUnderWay, type StepContext, type StepResult } from './step.ts';

/** Lets the agent work. Whatever it says, this ends with a claim at best. */
export async function session(
  ctx: StepContext,
  action: { readonly task: string; readonly provider: string },
): Promise<StepResult> {
  const { ports, policy } = ctx;
  const { task, attempt } = getUnderWay(ctx, action.task);
  const agent = getAgent(ctx, action.provider);
  const ref = { task: action.task, attempt: attempt.number, session: attempt.session };
  const role = getSessionRole(attempt.startWip, attempt.isAuthor, task.def.kind);
  const settings = getRoleSettings(policy, role, agent.provider);
  const { redact = text => text } = ports;
  // An agent that puts its own work right has been told already.
  if (!attempt.feedback) await takeDrops(ctx, role, { task, attempt });
  const opening = await readOpening(ctx, agent, attempt, task);
  const prompt = redact(opening.prompt);
  await ctx.record([{ type: 'session.started', ...ref, provider: agent.provider, prompt: opening.kind }]);
  const transcript = await ports.artifacts.openTranscript(getTranscriptPath(attempt), attempt.session);
  transcript.add({ atMs: ports.clock.nowMs(), event: { type: 'prompt', text: prompt } });
  const startedMs = ports.clock.monotonicMs();
  const spending = createSpending(ctx, ref);
  const watch = watchSession({
    clock: ports.clock,
    rules: policy.monitor,
    capabilities: agent.capabilities,
    budgetUsd: getBudgetUsd(ctx, task, attempt),
    signal: ctx.signal,
    tell: event => ports.reporter.agent(action.task, event),
    hear: transcript.add,
    onSpent: spending.note,
  });
  const request = {
    task: task.def,
    attempt: attempt.number,
    session: attempt.session,
    round: attempt.round,
    role: opening.kind,
    turn: attempt.number + task.rounds,
    prompt,
    cwd: attempt.dir ?? '',
    timeoutMs: policy.sessionTimeoutMs,
    signal: watch.signal,
    interrupt: watch.interrupt,
    injections: watch.injections,
    mcpServers: await getServers(ctx, agent, attempt, opening.brief),
    ...(opening.resume === null ? {} : { resume: opening.resume }),
    ...settings,
  };
  const notes = createNotes(
    policy.monitor.contextTokens,
    {
      testing: policy.testing,
      task: task.def,
      aside: [policy.backlogPath, policy.notesPath, '**/*.md'],
    },
    attempt.dir ?? '',
  );
  const onEvent = (event: AgentEvent): void => {
    notes.note(event);
    watch.onEvent(event);
  };
  const { baseTree } = attempt;
  // What cannot be had now is asked for again by whoever needs it, and told then.
  const prefetched = prefetchBase({
    ...{ ports, policy, task: task.def, attempt, signal: ctx.signal, baseTree },
  }).catch(() => undefined);
  const result = await agent.run(request, onEvent).catch(async (error: unknown) => {
    await prefetched;
    watch.close();
    await spending.settle();
    await transcript.close();
    throw error;
  });
  const said = await readSaid(ctx, attempt, result.question, onEvent);
  const { usage: counted, endedBy, why } = watch.close();
  await Promise.all([spending.settle(), prefetched]);
  const failed = await getFailure(ctx, agent.provider, result, endedBy);
  const usage = result.usage.costUsd >= counted.costUsd ? result.usage : counted;
  const ending = said.outcome ?? getOutcome(result, endedBy, failed, ctx.signal.aborted);
  const lastWords = result.silent && task.def.promise !== undefined ? '' : result.summary;
  const outcome = getPromisedOutcome(task.def, ending, lastWords);
  const { handoff, events } = await settleHandoff(ctx, {
    ...{ task, attempt, outcome, said: said.facts.handoff, digest: notes.digest() },
  });
  return {
    events: [
      ...events,
      {
        type: 'session.ended',
        ...ref,
        outcome,
        summary: (why || lastWords).slice(0, 2_000),
        usage,
        durationMs: Math.round(ports.clock.monotonicMs() - startedMs),
        transcript: await transcript.close(),
        role: opening.kind,
        ...said.facts,
        ...(handoff ? { handoff } : {}),
        ...notes.facts(agent, result),
        ...(settings.model ? { model: settings.model } : {}),
      },
      ...(failed ? [failed] : []),
    ],
  };
}

function getAgent(ctx: StepContext, provider: string): Agent {
  const { agent, fallbacks = [] } = ctx.ports;
  return [agent, ...fallbacks].find(one => one.provider === provider) ?? agent;
}

/** The tightest of the three budgets; rounds within an attempt share one session's. */
function getBudgetUsd(ctx: StepContext, task: TaskState, attempt: Attempt): number {
  const { perSessionUsd, perTaskUsd, totalUsd } = getBudget(ctx.policy, ctx.state, task);
  return Math.min(
    perSessionUsd - attempt.agent.costUsd,
    perTaskUsd - task.usage.costUsd,
    totalUsd - ctx.state.costs.usage.costUsd,
  );
}

/** Writes money down while it is being spent, one record after the other. */
function createSpending(ctx: StepContext, ref: { task: string; attempt: number; session: number }) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    note(usage: Usage): void {
      last = last.then(() => ctx.record([{ type: 'session.spent', ...ref, usage }])).catch(() => undefined);
    },
    settle: () => last,
  };
}

/** A session that was cut off still costs what it cost: it is recorded, as far as the lease allows. */
function getOutcome(
  result: AgentResult,
  endedBy: EndedBy | null,
  failed: { readonly response: string } | null,
  cutOff: boolean,
): SessionOutcome {
  if (endedBy === 'silent' || endedBy === 'idle') return 'timeout';
  if (endedBy) return endedBy;
  if (cutOff && result.outcome !== 'claimed') return 'interrupted';
  return failed && failed.response !== 'count' ? 'unavailable' : result.outcome;
}
