import type { AgentErrorKind } from './agent-event.ts';
import type { Control } from './apply-control.ts';
import type { Quality } from './apply-quality.ts';
import type { Attempt, HeldWork, PastAttempt } from './attempt.ts';
import type { ToldDrop } from './drop.ts';
import type { Checkpoint, HumanAnswer, Override, SessionOutcome, Usage, WorkerRef } from './event.ts';
import type { Quarantine } from './flaky.ts';
import type { LastResult } from './progress.ts';
import type { GivenAnswer, OpenQuestion, QuestionKind } from './question.ts';
import { ReadySet } from './ready-set.ts';
import type { Reopened } from './regression.ts';
import type { PromptType } from './role.ts';
import { getIdKey, type TaskDef, type TaskStatus } from './task.ts';
import type { Baseline } from './testing.ts';
import type { Unexplained } from './unexplained.ts';

/** Everything known of one task. Only `apply` writes to it. */
export interface TaskState {
  def: TaskDef;
  status: TaskStatus;
  /** Attempts that count against the limit; interrupted ones do not. */
  attempts: number;
  interruptions: number;
  /** The test that an author wrote for it. */
  authored: AuthoredTest | null;
  /** Attempts at that which count against the same limit. */
  authorAttempts: number;
  /** How often work on it was sent back within an attempt. */
  rounds: number;
  /** Why it was taken out of the queue, where no attempt of its own says so. */
  setAside: string | null;
  /** Every attempt ever started, so that numbers are never used twice. */
  started: number;
  failedAtMs: number;
  landed: {
    readonly commit: string | null;
    readonly ref: string | null;
    readonly attempt: number;
    /** What it wrote; files that it took away are not among them. */
    readonly files?: readonly string[];
    /** Set when a person said so and nothing was proven. */
    readonly unproven?: Override;
  } | null;
  /** The work of the last attempt that came as far as a candidate. */
  held: HeldWork | null;
  /** What a person found of it. */
  answer: HumanAnswer | null;
  /** A person's word that it is done, not acted on yet. */
  override: Override | null;
  /** Whose own work is kept for it, to be judged without an agent. */
  handedInBy: string | null;
  /** The question that it waits for, by id. */
  question: string | null;
  /** What people left for those who work on it. */
  drops: readonly ToldDrop[];
  /** What people said about it. */
  readonly answers: GivenAnswer[];
  /** What people said need not be asked again. */
  readonly waived: Set<QuestionKind>;
  /** Sessions in a row that left it half done. */
  stuck: number;
  /** What a person lets it cost, where that is more than the config says. */
  raisedToUsd: number;
  readonly history: PastAttempt[];
  /** Set while it is open again because a later change broke it. */
  reopened: Reopened | null;
  /** What the attempts came to that counted, as far as they came to the same. */
  last: LastResult | null;
  usage: Usage;
  sessions: number;
  /** Dependencies not landed yet: ready at zero. */
  unmet: number;
  /** Dependencies that will not land without a person: blocked above zero. */
  deadDeps: number;
}

export interface AuthoredTest {
  readonly commit: string;
  readonly files: Readonly<Record<string, string>>;
  readonly attempt: number;
}

export interface Broken {
  readonly task: string;
  readonly attempt: number;
  readonly reason: string;
}

export interface FailedProvider {
  readonly kind: AgentErrorKind;
  readonly message: string;
  readonly count: number;
  readonly untilMs: number | null;
}

export interface LastSession {
  readonly session: number;
  readonly task: string;
  readonly outcome: SessionOutcome;
  readonly summary: string;
  readonly usage: Usage;
  readonly role: PromptType;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** How far the code is from its next clean-up. */
export interface CleanupState {
  /** How many there have been. */
  readonly added: number;
  /** Landings when the last one was begun. */
  readonly landings: number;
  /** A person wants one now. */
  readonly requested: boolean;
}

/** The folded truth. A value of the core: built by `fold`, changed only by `apply`. */
export interface State {
  version: number;
  seq: number;
  updatedAtMs: number;
  createdAtMs: number;
  project: string;
  backlog: { readonly commit: string; readonly blob: string } | null;
  readonly tasks: Map<string, TaskState>;
  /** Task → the tasks that depend on it. */
  readonly dependents: Map<string, Set<string>>;
  readonly ready: ReadySet;
  readonly active: Map<string, Attempt>;
  readonly workers: Map<string, WorkerRef>;
  /** What a person last said to the workers. */
  control: Control;
  /** What people are asked and have not answered, oldest first. */
  readonly questions: Map<string, OpenQuestion>;
  /** Tasks that came to a stop and that nobody has been asked about yet. */
  readonly unasked: Set<string>;
  /** Questions about the project that need not be asked again. */
  readonly waived: Set<string>;
  /** What a person lets the project cost, where that is more than the config says. */
  raisedToUsd: number;
  /** What has turned red on the base. */
  unexplained: Unexplained | null;
  /** Why nothing could be launched; null once a preflight has passed. */
  broken: Broken | null;
  readonly counts: Record<TaskStatus, number>;
  sessions: number;
  sessionStartedAtMs: number;
  lastSession: LastSession | null;
  /** What people left and is known, by whom for and what it says. */
  readonly drops: Set<string>;
  /** What agents decided lately, oldest first. */
  decisions: readonly { readonly session: number; readonly task: string; readonly text: string }[];
  lastLanded: { readonly task: string; readonly commit: string; readonly session: number } | null;
  usage: Usage;
  /** The same, by what the sessions were for. */
  readonly byRole: Map<PromptType, { usage: Usage; sessions: number }>;
  budgetUsd: number | null;
  /** Landed by the harness itself, not found landed. */
  landings: number;
  /** Providers that failed and have not worked since. */
  readonly providers: Map<string, FailedProvider>;
  stuckCount: number;
  /** How many of the landed tasks nothing has proven. */
  unproven: number;
  /** Landings since the last look at everything for which not all that proved earlier tasks was run again. */
  unlooked: number;
  /** The last look at everything that has landed. */
  checked: {
    readonly commit: string;
    readonly tree: string;
    readonly broken: readonly string[];
    readonly atMs: number;
  } | null;
  cleanup: CleanupState;
  baseline: (Baseline & { readonly session: number; readonly atMs: number }) | null;
  /** Tests that cannot be relied on, and those that could not. */
  readonly quarantine: Quarantine;
  readonly checkpoints: {
    readonly task: string;
    readonly attempt: number;
    readonly atMs: number;
    readonly checkpoint: Checkpoint;
  }[];
  readonly quality: Quality;
  readonly fileSizes: Map<string, { lines: number; sessionAdded: number; linesWhenAdded: number }>;
}

/** Until a worker has said what its project thinks of that. */
const DEFAULT_MAX_FILE_LINES = 500;

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

/** The state before anything has happened. */
export function createState(): State {
  return {
    version: 0,
    seq: 0,
    updatedAtMs: 0,
    createdAtMs: 0,
    project: '',
    backlog: null,
    tasks: new Map(),
    dependents: new Map(),
    ready: new ReadySet(),
    active: new Map(),
    workers: new Map(),
    control: { mode: 'running', by: '', reason: '', workers: new Set() },
    questions: new Map(),
    unasked: new Set(),
    waived: new Set(),
    raisedToUsd: 0,
    unexplained: null,
    broken: null,
    counts: { pending: 0, active: 0, retry: 0, landed: 0, failed: 0, blocked: 0, removed: 0 },
    sessions: 0,
    sessionStartedAtMs: 0,
    lastSession: null,
    decisions: [],
    drops: new Set(),
    lastLanded: null,
    usage: NO_USAGE,
    byRole: new Map(),
    budgetUsd: null,
    landings: 0,
    providers: new Map(),
    stuckCount: 0,
    unproven: 0,
    unlooked: 0,
    checked: null,
    cleanup: { added: 0, landings: 0, requested: false },
    baseline: null,
    quarantine: new Map(),
    checkpoints: [],
    quality: { maxFileLines: DEFAULT_MAX_FILE_LINES, oversized: 0, lines: 0, history: [] },
    fileSizes: new Map(),
  };
}

/**
 * The place of a task in the queue, or null. What a later change broke comes first; then work that was cut
 * off, because it is half done; then fresh tasks; then failed ones, oldest failure first.
 */
export function getReadyRank(task: TaskState): string | null {
  if (canGoWithoutAgent(task)) return `!${getIdKey(task.def.id)}`;
  if (task.unmet > 0) return null;
  if (task.reopened && (task.status === 'pending' || task.status === 'retry'))
    return `#${getIdKey(task.def.id)}`;
  if (task.def.kind === 'cleanup' && (task.status === 'pending' || task.status === 'retry'))
    return `$${getIdKey(task.def.id)}`;
  const priority = String(task.def.priority).padStart(6, '0');
  if (task.status === 'pending') return `0:${priority}:${getIdKey(task.def.id)}`;
  if (task.status === 'retry' && task.history.at(-1)?.outcome === 'partial') {
    return `0!${priority}:${getIdKey(task.def.id)}`;
  }
  if (task.status === 'retry') {
    return `1:${priority}:${String(task.failedAtMs).padStart(16, '0')}:${getIdKey(task.def.id)}`;
  }
  return null;
}

/** Whether a person has decided, so that only landing is left; such a task costs nothing and goes first. */
export function canGoWithoutAgent({ status, override, held, answer, handedInBy }: TaskState): boolean {
  if (status !== 'pending' && status !== 'retry') return false;
  if (override || handedInBy !== null) return true;
  return held?.awaitsPerson === true && answer?.passed === true && answer.tree === held.candidate.tree;
}

/** Whether a task waits for something that will not come without a person. */
export function isBlockedByDependency(task: TaskState): boolean {
  return (task.status === 'pending' || task.status === 'retry') && task.deadDeps > 0;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

/** What is left of a use after a part of it; never below nothing, whatever a provider reports. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: Math.max(0, a.inputTokens - b.inputTokens),
    outputTokens: Math.max(0, a.outputTokens - b.outputTokens),
    cachedTokens: Math.max(0, a.cachedTokens - b.cachedTokens),
    costUsd: Math.max(0, a.costUsd - b.costUsd),
  };
}
