import type { AgentErrorKind } from '../model/agent-event.ts';
import type { Checkpoint, ControlWord, SessionOutcome, WorkerRef } from '../model/facts.ts';
import type { OpenQuestion } from '../model/question.ts';
import type { PromptType } from '../model/role.ts';
import type { TaskStatus } from '../model/task.ts';
import type { Baseline } from '../model/testing.ts';
import type { Usage } from '../model/usage.ts';
import { NO_USAGE } from '../model/usage.ts';
import type { Attempt } from './attempt.ts';
import type { Quarantine } from './flaky.ts';
import type { QualityState } from './quality.ts';
import { ReadySet } from './ready-set.ts';
import type { TaskState } from './task-state.ts';

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
export interface State extends QualityState {
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
}

/** Until a worker has said what its project thinks of that. */
const DEFAULT_MAX_FILE_LINES = 500;

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

/** Tests that passed at an earlier look at the base and fail at the last one. */
export interface Unexplained {
  readonly tree: string;
  readonly tests: readonly string[];
}

/** What a person last said, and the workers who were there to hear it. */
export interface Control extends ControlWord {
  readonly workers: ReadonlySet<string>;
}
