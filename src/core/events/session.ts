import { getCount, getFirstLine } from '../base/text.ts';
import type { Question, ReachedStep, SessionNote } from '../model/agent-event.ts';
import type { ArtifactRef, AttemptRef, Evidence, SessionOutcome } from '../model/facts.ts';
import type { PromptType } from '../model/role.ts';
import { addUsage, subtractUsage, type Usage } from '../model/usage.ts';
import { spend } from '../state/costs.ts';
import { noteWorked } from '../state/provider-trouble.ts';
import type { EventTable } from './kind.ts';

/** Agents at work: the session of an attempt, and the planner, who belongs to none. */
export type SessionEvent =
  | (AttemptRef & {
      readonly type: 'session.started';
      readonly session: number;
      readonly provider: string;
      readonly prompt: PromptType;
    })
  /** Money is written down as it goes, so that no crash can make it unspent. */
  | (AttemptRef & {
      readonly type: 'session.spent';
      readonly session: number;
      readonly usage: Usage;
      /** Spent beside the session, by somebody who reviews, plans or sums up; by the session itself when absent. */
      readonly role?: PromptType;
    })
  /** The agent said that a part of the task is finished. */
  | (AttemptRef & ReachedStep & { readonly type: 'step.reached'; readonly session: number })
  | (AttemptRef & {
      readonly type: 'session.ended';
      readonly session: number;
      readonly outcome: SessionOutcome;
      readonly summary: string;
      readonly usage: Usage;
      readonly durationMs: number;
      readonly transcript: ArtifactRef | null;
      readonly model?: string;
      readonly role?: string;
      readonly handoff?: SessionNote;
      readonly question?: Question;
      /** What the agent said that others have to know later. */
      readonly decisions?: readonly string[];
      /** What its tool calls show about the tests. */
      readonly evidence?: Evidence;
      /** The agent's own name for the session, where it can be gone on with. */
      readonly agentSession?: string;
      /** How full the agent's context was at the end, from 0 to 1. */
      readonly contextShare?: number;
    })
  /** Spent outside of any attempt, by the planner; written down as it goes. */
  | { readonly type: 'planner.spent'; readonly usage: Usage }
  /** One answer of the planner, and what was wrong with it. What it used is in the events before. */
  | {
      readonly type: 'planner.ended';
      readonly provider: string;
      /** 1 for the first answer; each time a plan is sent back, one more. */
      readonly round: number;
      readonly outcome: SessionOutcome;
      readonly summary: string;
      readonly tasks: number;
      readonly problems: readonly string[];
      readonly usage: Usage;
      readonly durationMs: number;
      readonly transcript: ArtifactRef | null;
      readonly model?: string;
    };

/** As many as anybody is ever told. */
const MAX_DECISIONS = 10;

export const SESSION_EVENTS: EventTable<SessionEvent> = {
  'session.started': {
    level: 'routine',
    advance({ state, attempt, atMs }, { provider, prompt }) {
      attempt.stage = 'in-session';
      state.recent.sessionStartedAtMs = atMs;
      attempt.agent.provider = provider;
      attempt.agent.role = prompt;
      attempt.agent.startedAtMs ??= atMs;
    },
  },
  'session.spent': {
    level: 'debug',
    advance({ state, task, attempt }, { role, usage }) {
      spend(state.costs, { role: role ?? attempt.agent.role, usage, task });
      if (role === undefined) attempt.agent.spent = addUsage(attempt.agent.spent, usage);
      noteWorked(state, attempt);
    },
  },
  'step.reached': {
    level: 'routine',
    line: ({ task, step, total, description }) =>
      `  task ${task}: step ${step}/${total}: ${getFirstLine(description)}`,
    progress: ({ task, step, total, description }) => [
      `CHECKPOINT [${task}] step=${step}/${total} "${getFirstLine(description).replaceAll('"', "'")}"`,
    ],
    advance({ state, task, attempt, atMs }, { attempt: number, step, total, description }) {
      attempt.steps++;
      state.totals.steps++;
      task.steps.push({ step, total, description, attempt: number, atMs });
    },
  },
  'session.ended': {
    level: 'important',
    line: ({ task, outcome, summary }) =>
      `  task ${task}: agent ${outcome}${summary ? `: ${getFirstLine(summary)}` : ''}`,
    advance({ state, task, attempt, atMs }, event) {
      const { session, outcome, summary, usage } = event;
      const { agent } = attempt;
      attempt.stage = 'session-over';
      agent.outcome = outcome;
      agent.summary = summary;
      agent.sessionNote = event.handoff ?? null;
      agent.question = event.question ?? null;
      agent.sessionId = event.agentSession ?? null;
      agent.model = event.model ?? agent.model;
      agent.contextShare = event.contextShare ?? 0;
      agent.evidence = event.evidence ?? null;
      agent.usage = addUsage(agent.usage, usage);
      agent.endedAtMs = atMs;
      if (outcome === 'timeout') state.trouble.timeouts++;
      task.sessions++;
      // What was spent on the way has been counted already.
      spend(state.costs, {
        role: agent.role,
        usage: subtractUsage(usage, agent.spent),
        task,
        sessions: 1,
      });
      const decided = (event.decisions ?? []).map(text => ({ session, task: event.task, text }));
      state.recent.decisions = [...state.recent.decisions, ...decided].slice(-MAX_DECISIONS);
      if (outcome !== 'unavailable') noteWorked(state, attempt);
      state.recent.lastSession = {
        session,
        task: event.task,
        outcome,
        summary,
        usage,
        role: agent.role,
        startedAtMs: atMs - event.durationMs,
        endedAtMs: atMs,
      };
    },
  },
  'planner.spent': {
    level: 'debug',
    apply(state, { usage }) {
      spend(state.costs, { role: 'planner', usage });
    },
  },
  'planner.ended': {
    level: 'important',
    line: ({ problems, tasks, round }) =>
      problems.length === 0
        ? `planner: ${getCount(tasks, 'task')} proposed`
        : `planner: answer ${round} is not taken, ${getCount(problems.length, 'finding')}`,
    progress: ({ problems, tasks, round }) => [
      problems.length === 0
        ? `INIT Plan: ${tasks} tasks proposed (answer ${round})`
        : `WARN plan not taken (answer ${round}): ${problems.join('; ')}`,
    ],
    apply(state, { outcome, provider }) {
      spend(state.costs, { role: 'planner', sessions: 1 });
      if (outcome !== 'unavailable') state.trouble.providers.delete(provider);
    },
  },
};
