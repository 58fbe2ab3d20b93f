import { prefetchBase } from '../checks/run/judge.ts';
import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import type { Work } from '../core/model/action.ts';
import type { AgentEvent } from '../core/model/agent-event.ts';
import type { SessionOutcome } from '../core/model/facts.ts';
import { getRoleSettings } from '../core/model/policy.ts';
import { getSessionRole } from '../core/model/role.ts';
import type { Usage } from '../core/model/usage.ts';
import type { Attempt } from '../core/state/attempt.ts';
import { getSessionUsd } from '../core/state/costs.ts';
import { getPromisedOutcome } from '../core/state/objective.ts';
import type { Agent, AgentResult, SessionRequest, Transcript } from '../ports/index.ts';
import { getSessionRef } from '../session/context.ts';
import { takeContextFiles } from '../session/context-files.ts';
import { type FirstPrompt, readFirstPrompt } from '../session/first-prompt.ts';
import { createNotes, getServers, type Notes, readReported } from '../session/notes.ts';
import { settleSessionNote } from '../session/session-note.ts';
import { getTranscriptPath } from '../session/transcript.ts';
import { type EndedBy, getFailure, Watch } from '../session/watch.ts';
import type { StepContext, StepResult, UnderWay } from './step.ts';

/** Lets the agent work. Whatever it says, this ends with a claim at best. */
export async function session(
  ctx: StepContext,
  at: UnderWay,
  { provider }: Extract<Work, { type: 'session' }>,
): Promise<StepResult> {
  const { task, attempt } = at;
  const agent = getAgent(ctx, provider);
  const role = getSessionRole(attempt.startWip, task.def, attempt.isAuthor);
  // An agent that puts its own work right has been told already.
  if (!attempt.feedback) await takeContextFiles(ctx, role, at);
  const firstPrompt = await readFirstPrompt(ctx, agent, attempt, task);
  const begun = await begin(ctx, at, agent, firstPrompt);
  const { watch, records, transcript, onEvent } = begun;
  const settings = getRoleSettings(ctx.policy, role, agent.provider);
  const request = { ...(await getRequest(ctx, at, begun)), ...settings };
  const { ports, policy, signal, worktrees } = ctx;
  const { slot, baseTree } = attempt;
  // What cannot be had now is asked for again by whoever needs it, and told then.
  const prefetched = prefetchBase({
    ...{ ports, policy, signal, worktrees, slot, baseTree, attempt, task: task.def },
  }).catch(() => undefined);
  const result = await agent.run(request, onEvent).catch(async (error: unknown) => {
    await prefetched;
    watch.close();
    await records.settle();
    await transcript.close();
    throw error;
  });
  const reported = await readReported(ctx, attempt, result.question, onEvent);
  const seen = watch.close();
  await Promise.all([records.settle(), prefetched]);
  return end(ctx, at, begun, { result, reported, seen, model: settings.model });
}

/** A session under way: who works, what was told, and who stands beside it. */
interface Begun {
  readonly agent: Agent;
  readonly firstPrompt: FirstPrompt;
  readonly prompt: string;
  readonly transcript: Transcript;
  readonly startedMs: number;
  readonly records: ReturnType<typeof createRecords>;
  readonly watch: Watch;
  readonly notes: Notes;
  readonly onEvent: (event: AgentEvent) => void;
}

/** Records that it starts, and opens everything that listens to it. */
async function begin(ctx: StepContext, at: UnderWay, agent: Agent, firstPrompt: FirstPrompt): Promise<Begun> {
  const { ports, policy } = ctx;
  const { task, attempt } = at;
  const prompt = ports.redact?.(firstPrompt.prompt) ?? firstPrompt.prompt;
  const started = { provider: agent.provider, prompt: firstPrompt.kind };
  await ctx.record([{ type: 'session.started', ...getSessionRef(attempt), ...started }]);
  const transcript = await ports.artifacts.openTranscript(getTranscriptPath(attempt), attempt.session);
  transcript.add({ atMs: ports.clock.nowMs(), event: { type: 'prompt', text: prompt } });
  const startedMs = ports.clock.monotonicMs();
  const records = createRecords(ctx);
  const ref = getSessionRef(attempt);
  const watch = new Watch({
    clock: ports.clock,
    rules: policy.monitor,
    capabilities: agent.capabilities,
    budgetUsd: getSessionUsd(policy, ctx.state, at),
    signal: ctx.signal,
    onEvent: event => ports.reporter.agent(attempt.task, event),
    onEntry: transcript.add,
    onSpent: usage => records.add({ type: 'session.spent', ...ref, usage }),
  });
  const aside = [policy.backlogPath, policy.notesPath, '**/*.md'];
  const rules = { testing: policy.testing, task: task.def, aside };
  const notes = createNotes(policy.monitor.contextTokens, rules, attempt.dir ?? '');
  const onEvent = (event: AgentEvent): void => {
    notes.note(event);
    watch.onEvent(event);
    if (event.type !== 'checkpoint') return;
    const { type: _, ...reached } = event;
    records.add({ type: 'step.reached', ...ref, ...reached });
  };
  return { agent, firstPrompt, prompt, transcript, startedMs, records, watch, notes, onEvent };
}

async function getRequest(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  { agent, firstPrompt, prompt, watch }: Begun,
): Promise<SessionRequest> {
  return {
    task: task.def,
    attempt: attempt.number,
    session: attempt.session,
    round: attempt.round,
    role: firstPrompt.kind,
    turn: attempt.number + task.rounds,
    prompt,
    cwd: attempt.dir ?? '',
    surroundings: await ctx.worktrees.surroundings.open(attempt.slot, 'agent'),
    timeoutMs: ctx.policy.sessionTimeoutMs,
    signal: watch.signal,
    interrupt: watch.interrupt,
    injections: watch.injections,
    mcpServers: await getServers(ctx, agent, attempt, firstPrompt.brief),
    ...(firstPrompt.resume === null ? {} : { resume: firstPrompt.resume }),
  };
}

interface Ended {
  readonly result: AgentResult;
  readonly reported: Awaited<ReturnType<typeof readReported>>;
  readonly seen: ReturnType<Watch['close']>;
  readonly model: string | undefined;
}

/** What is recorded of it: how it ended, what it cost, and what the next one should know. */
async function end(
  ctx: StepContext,
  { task, attempt }: UnderWay,
  { agent, firstPrompt, startedMs, transcript, notes }: Begun,
  { result, reported, seen, model }: Ended,
): Promise<StepResult> {
  const { usage: counted, endedBy, why } = seen;
  const failed = await getFailure(ctx, agent.provider, result, endedBy);
  const usage = result.usage.costUsd >= counted.costUsd ? result.usage : counted;
  const ending = reported.outcome ?? getOutcome(result, endedBy, failed, ctx.signal.aborted);
  const lastWords = result.silent && task.def.promise !== undefined ? '' : result.summary;
  const outcome = getPromisedOutcome(task.def, ending, lastWords);
  const { sessionNote, events } = await settleSessionNote(ctx, {
    ...{ task, attempt, outcome, fromTool: reported.facts.sessionNote, digest: notes.digest() },
  });
  return {
    events: [
      ...events,
      {
        type: 'session.ended',
        ...getSessionRef(attempt),
        outcome,
        summary: (why || lastWords).slice(0, 2_000),
        usage,
        durationMs: Math.round(ctx.ports.clock.monotonicMs() - startedMs),
        transcript: await transcript.close(),
        role: firstPrompt.kind,
        ...reported.facts,
        ...(sessionNote ? { handoff: sessionNote } : {}),
        ...notes.facts(agent, result),
        ...(model ? { model } : {}),
      },
      ...getCeiling(ctx, attempt, usage),
      ...(failed ? [failed] : []),
    ],
  };
}

/** Said when the whole project has used more tokens than it meant to, once. */
function getCeiling(
  { state, policy: { ceilingTokens } }: StepContext,
  { agent }: Attempt,
  usage: Usage,
): readonly EventOf<'budget.ceiling-reached'>[] {
  // What was spent on the way has been counted already.
  const tokens = getTokens(state.costs.usage) - getTokens(agent.spent) + getTokens(usage);
  if (ceilingTokens === null || tokens < ceilingTokens || state.costs.ceilingTokens === ceilingTokens)
    return [];
  return [{ type: 'budget.ceiling-reached', tokens, ceilingTokens }];
}

function getTokens({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

function getAgent(ctx: StepContext, provider: string): Agent {
  const { agent, fallbacks = [] } = ctx.ports;
  return [agent, ...fallbacks].find(one => one.provider === provider) ?? agent;
}

/** Writes down what is spent and reached while it is, one record after the other. */
function createRecords(ctx: StepContext) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add(event: HarnessEvent): void {
      last = last.then(() => ctx.record([event])).catch(() => undefined);
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
