import { getErrorMessage, HarnessError } from '../core/base/failure.ts';
import { getPlanProblems, PLAN_SCHEMA, type Plan } from '../core/decide/plan.ts';
import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import type { SessionOutcome } from '../core/model/facts.ts';
import { getRoleSettings, type Policy } from '../core/model/policy.ts';
import { type TaskDef, UNLISTED_TASK } from '../core/model/task.ts';
import { addUsage, NO_USAGE, subtractUsage, type Usage } from '../core/model/usage.ts';
import { getBudget, getReservedUsd } from '../core/state/costs.ts';
import type { Journal } from '../loop/journal.ts';
import type { Agent, AgentResult, Ports } from '../ports/index.ts';
import { type ContextFilesContext, takeContextFiles } from '../session/context-files.ts';
import { type EndedBy, getFailure, Watch } from '../session/watch.ts';
import { findPlannerAgent, type Halted } from './planner-agent.ts';
import { getPlannerPrompt, type PlannerBrief, type Returned } from './planner-prompt.ts';

export interface PlannerContext {
  readonly ports: Ports;
  readonly policy: Policy;
  readonly journal: Journal;
  /** An empty folder: a planner has nothing to look at but what it is told. */
  readonly cwd: string;
  /** Sets the transcripts of this planning apart from those of others. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface Planned {
  /** The last answer that had the form of a plan. */
  readonly plan: Plan | null;
  /** None when it can be used. */
  readonly problems: readonly string[];
  readonly rounds: number;
}

/** A bad plan goes back this often. */
const MAX_RETURNS = 3;

/** Asks the planner until its plan keeps to the rules, or has been sent back often enough. */
export async function runPlanner(
  ctx: PlannerContext,
  wanted: PlannerBrief,
  getMoreProblems: (plan: Plan) => readonly string[] = () => [],
): Promise<Planned> {
  let returned: Returned | null = null;
  let plan: Plan | null = null;
  const halted: Halted = new Map();
  const brief = {
    ...wanted,
    contextFiles: await takeContextFiles(getContextFilesContext(ctx), 'planner', null),
  };
  for (let round = 1; ; ) {
    const answer = await ask(ctx, { prompt: getPlannerPrompt(ctx.policy, brief, returned), round, halted });
    if (answer === 'again') continue;
    plan = answer.plan ?? plan;
    const problems = answer.plan
      ? [...getPlanProblems(answer.plan, brief.rules), ...getMoreProblems(answer.plan)]
      : [`the answer was no plan: ${answer.summary}`];
    await record(ctx, [{ ...answer.ended, problems }]);
    if (problems.length === 0 || round > MAX_RETURNS) return { plan, problems, rounds: round };
    returned = { plan: answer.plan, problems };
    round++;
  }
}

function getContextFilesContext(ctx: PlannerContext): ContextFilesContext {
  const { ports, policy, journal, signal } = ctx;
  const note = (events: readonly HarnessEvent[]) => record(ctx, events);
  return { ports, policy, state: journal.state, signal, record: note };
}

type PlannerEnded = EventOf<'planner.ended'>;

interface Answer {
  readonly plan: Plan | null;
  readonly summary: string;
  readonly ended: PlannerEnded;
}

/** One answer of a planner; `again` when the provider failed and may be tried again. */
async function ask(
  ctx: PlannerContext,
  { prompt, round, halted }: { prompt: string; round: number; halted: Halted },
): Promise<Answer | 'again'> {
  const { ports, policy, journal, signal } = ctx;
  const budgetUsd = getBudgetUsd(ctx);
  const agent = await findPlannerAgent(ctx, halted);
  const { result, endedBy, ...facts } = await runWatched(ctx, agent, { prompt, round, budgetUsd });
  const context = { ports, policy, state: journal.state, signal };
  const failed = await getFailure(context, agent.provider, result, endedBy);
  const isAgain = failed !== null && failed.response !== 'count';
  const plan = (result.structured as Plan | undefined) ?? null;
  const ended: PlannerEnded = {
    type: 'planner.ended',
    provider: agent.provider,
    round,
    outcome: getOutcome(result, endedBy, isAgain, signal.aborted),
    tasks: plan?.tasks.length ?? 0,
    problems: [],
    ...facts,
  };
  if (isAgain || signal.aborted) await record(ctx, [{ ...ended, problems: [ended.summary] }]);
  signal.throwIfAborted();
  if (endedBy === 'budget') throw getBudgetError(ended.summary);
  if (failed) await record(ctx, [failed]);
  if (!isAgain) return { plan, summary: ended.summary, ended };
  const kind = failed.response === 'abort' ? 'auth' : 'provider';
  if (failed.untilMs === null) halted.set(agent.provider, { kind, why: failed.message });
  return 'again';
}

/** One session, watched, counted and written down. */
async function runWatched(
  ctx: PlannerContext,
  agent: Agent,
  { prompt: text, round, budgetUsd }: { prompt: string; round: number; budgetUsd: number },
) {
  const { ports, policy, journal, signal } = ctx;
  const prompt = ports.redact?.(text) ?? text;
  const path = `sessions/planner-${ctx.name}-${round}.jsonl`;
  const transcript = await ports.artifacts.openTranscript(path, journal.state.sessions);
  transcript.add({ atMs: ports.clock.nowMs(), event: { type: 'prompt', text: prompt } });
  const startedMs = ports.clock.monotonicMs();
  const spending = createSpending(ctx);
  const watch = new Watch({
    clock: ports.clock,
    rules: policy.monitor,
    capabilities: agent.capabilities,
    budgetUsd,
    signal,
    onEvent: event => ports.reporter.agent('plan', event),
    onEntry: transcript.add,
    onSpent: spending.note,
  });
  const settings = getRoleSettings(policy, 'planner', agent.provider);
  const request = { ...getRequest(ctx, prompt, round), signal: watch.signal, ...settings };
  const result = await agent.run(request, watch.onEvent).catch(async error => {
    if (!(error instanceof HarnessError)) return getCrash(error);
    // A watch that stays open keeps the process alive for as long as an agent may be silent.
    watch.close();
    await transcript.close();
    throw error;
  });
  const { usage: counted, endedBy, why } = watch.close();
  const usage = result.usage.costUsd >= counted.costUsd ? result.usage : counted;
  await spending.settle(usage);
  return {
    result,
    endedBy,
    summary: (why || result.summary).slice(0, 2_000),
    usage,
    durationMs: Math.round(ports.clock.monotonicMs() - startedMs),
    transcript: await transcript.close(),
    ...(settings.model ? { model: settings.model } : {}),
  };
}

/** What every agent is asked with; planners have no task of their own. */
function getRequest({ policy, cwd }: PlannerContext, prompt: string, round: number) {
  return {
    task: PLANNING,
    attempt: 1,
    session: 0,
    turn: round,
    prompt,
    cwd,
    timeoutMs: policy.sessionTimeoutMs,
    role: 'planner',
    mode: 'complete',
    schema: PLAN_SCHEMA,
  } as const;
}

const PLANNING: TaskDef = { ...UNLISTED_TASK, id: 'plan', title: 'Plan the work' };

function getBudgetUsd({ policy, journal }: PlannerContext): number {
  const { perSessionUsd, totalUsd } = getBudget(policy, journal.state);
  const left = totalUsd - journal.state.costs.usage.costUsd - getReservedUsd(journal.state);
  if (left > 0) return Math.min(perSessionUsd, left);
  throw getBudgetError(`nothing is left of $${totalUsd}`);
}

function getBudgetError(why: string): HarnessError {
  return new HarnessError('budget', `planning stopped: ${why}`, {
    field: 'costs',
    fix: 'raise costs.per_session_usd or costs.total_project_usd in the config',
  });
}

function getCrash(error: unknown): AgentResult {
  const message = getErrorMessage(error);
  return { outcome: 'crashed', summary: message, usage: NO_USAGE, failure: { kind: 'crash', message } };
}

function getOutcome(
  result: AgentResult,
  endedBy: EndedBy | null,
  isAgain: boolean,
  cutOff: boolean,
): SessionOutcome {
  if (endedBy === 'silent' || endedBy === 'idle') return 'timeout';
  if (endedBy) return endedBy;
  if (cutOff) return 'interrupted';
  return isAgain ? 'unavailable' : result.outcome;
}

/** Money is written down while it is being spent, and the rest of it at the end. */
function createSpending(ctx: PlannerContext) {
  let noted = NO_USAGE;
  let last: Promise<unknown> = Promise.resolve();
  const note = (usage: Usage): void => {
    noted = addUsage(noted, usage);
    last = last.then(() => record(ctx, [{ type: 'planner.spent', usage }]));
  };
  return {
    note,
    settle: async (total: Usage): Promise<void> => {
      const rest = subtractUsage(total, noted);
      if (Object.values(rest).some(value => value > 0)) note(rest);
      await last;
    },
  };
}

/** Facts that are true whatever else happened: recorded on whichever version is the newest. */
async function record(
  { journal }: Pick<PlannerContext, 'journal'>,
  events: readonly HarnessEvent[],
): Promise<void> {
  while (!(await journal.record(events)).ok) await journal.refresh();
}
