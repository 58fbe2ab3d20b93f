import type { EventOf, HarnessEvent } from '../../src/core/events/event.ts';
import { fold } from '../../src/core/events/fold.ts';
import type { VerdictOutcome } from '../../src/core/model/check.ts';
import type { AttemptOutcome, AttemptRef, SessionOutcome, WorkerRef } from '../../src/core/model/facts.ts';
import type { TaskDef } from '../../src/core/model/task.ts';
import type { RunScope, World } from '../../src/core/model/world.ts';
import type { Stage } from '../../src/core/state/attempt.ts';
import type { State } from '../../src/core/state/state.ts';
import { store, USAGE } from './history.ts';

export const WORKER: WorkerRef = { id: 'w1', host: 'here', pid: 4711, startTicks: '9' };

/** Nothing out of the ordinary to be seen. */
export const WORLD: World = {
  nowMs: 1_000,
  self: WORKER.id,
  tip: 'tip',
  backlogBlob: 'b0',
  leases: [],
  workers: new Map(),
  stopRequested: false,
  pauseRequested: false,
  pausedBefore: false,
};

/** A run that may do everything there is to do. */
export const SCOPE: RunScope = {
  maxSessions: null,
  maxTasks: null,
  untilMs: null,
  onlyTask: null,
  maintains: false,
  endedAttempts: 0,
  landedTasks: 0,
  withoutLanding: 0,
  underWay: 0,
  isLookUnderWay: false,
  environmentBroken: false,
  halted: new Map(),
};

/** What an attempt went through, as far as a test cares. */
export interface AttemptStory {
  readonly attempt?: number;
  readonly session?: number;
  readonly worker?: string;
  readonly wip?: string | null;
  readonly outcome?: SessionOutcome;
  readonly costUsd?: number;
  readonly word?: VerdictOutcome;
  /** The tree the verdict was given on; the candidate's own when not given. */
  readonly judgedTree?: string;
  readonly base?: string;
  readonly preflightFails?: boolean;
}

export function synced(
  upserted: readonly TaskDef[],
  rest: Partial<EventOf<'backlog.synced'>> = {},
): HarnessEvent {
  const nothing = { removed: [], accepted: [], reopened: [] };
  return {
    type: 'backlog.synced',
    commit: 'c0',
    blob: 'b0',
    project: 'demo',
    upserted,
    ...nothing,
    ...rest,
  };
}

export function ended(
  task: string,
  outcome: AttemptOutcome,
  rest: Partial<EventOf<'attempt.ended'>> = {},
): HarnessEvent {
  const nothing = { reason: `it was ${outcome}`, category: null, wip: null, findings: [] };
  return { type: 'attempt.ended', task, attempt: 1, outcome, ...nothing, ...rest };
}

export function landed(task: string, attempt = 1): HarnessEvent {
  return { type: 'task.landed', task, attempt, commit: `landed-${task}`, ref: 'refs/heads/main' };
}

const STAGES: readonly Stage[] = [
  'leased',
  'prepared',
  'ready',
  'in-session',
  'session-over',
  'candidate',
  'judged',
  'landing',
];

/** The events that bring an attempt to a stage of the pipeline, in order. */
export function upTo(stage: Stage, task: string, story: AttemptStory = {}): HarnessEvent[] {
  return getCorridor(task, story).slice(0, STAGES.indexOf(stage) + 1);
}

function getCorridor(task: string, story: AttemptStory): HarnessEvent[] {
  const ref: AttemptRef = { task, attempt: story.attempt ?? 1 };
  const session = story.session ?? ref.attempt;
  const base = story.base ?? 'base';
  const tree = `tree-${task}-${ref.attempt}`;
  const word = story.word ?? 'proven';
  const verdict = {
    word,
    decidedBy: word === 'proven' ? null : ('pass-to-pass' as const),
    reason: `it is ${word}`,
    findings: [],
  };
  const checkpoint = { commit: base, seq: 1, backlogHash: 'h', notesHash: null } as const;
  const usage = { ...USAGE, costUsd: story.costUsd ?? USAGE.costUsd };
  return [
    {
      type: 'attempt.started',
      ...ref,
      session,
      worker: story.worker ?? WORKER.id,
      slot: 1,
      base,
      baseTree: `${base}-tree`,
      wip: story.wip ?? null,
    },
    {
      type: 'attempt.prepared',
      ...ref,
      dir: '/slot',
      checkpoint: { id: `${task}-${ref.attempt}`, reason: 'pre_feature', ...checkpoint },
    },
    story.preflightFails
      ? { type: 'preflight.failed', ...ref, checks: [], reason: 'no database', category: 'ENV_SETUP' }
      : { type: 'preflight.passed', ...ref, checks: [] },
    {
      type: 'session.started',
      ...ref,
      session,
      provider: 'scripted',
      prompt: story.wip ? 'continuation' : 'coding',
    },
    {
      type: 'session.ended',
      ...ref,
      session,
      outcome: story.outcome ?? 'claimed',
      summary: 'what it said',
      usage,
      durationMs: 1_000,
      transcript: null,
    },
    {
      type: 'candidate.taken',
      ...ref,
      commit: `commit-${tree}`,
      tree,
      backlogProblems: [],
      claims: [task],
      lines: { 'src/a.ts': 10 },
    },
    {
      type: 'verdict.given',
      ...ref,
      verdict,
      checks: [],
      base,
      tree: story.judgedTree ?? tree,
      proof: { path: 'proofs/p.json', sha256: '0' },
    },
    { type: 'landing.started', ...ref, commit: `commit-${tree}`, onto: base },
  ];
}

/** An attempt that lands. */
export function landing(task: string, story: AttemptStory = {}): HarnessEvent[] {
  return [...upTo('landing', task, story), landed(task, story.attempt ?? 1)];
}

/** An attempt that ends before it lands. */
export function failing(task: string, outcome: AttemptOutcome, story: AttemptStory = {}): HarnessEvent[] {
  const { attempt = 1, wip = null } = story;
  return [...upTo('judged', task, { word: 'rejected', ...story }), ended(task, outcome, { attempt, wip })];
}

export function foldAll(...events: readonly (HarnessEvent | readonly HarnessEvent[])[]): State {
  return fold(store(events.flat()));
}
