import type { Checkpoint, SessionOutcome, WorkerRef } from '../model/facts.ts';
import type { PromptType } from '../model/role.ts';
import type { TaskStatus } from '../model/task.ts';
import type { Usage } from '../model/usage.ts';
import type { Attempt } from './attempt.ts';
import { type Costs, createCosts } from './costs.ts';
import { createGates, type Gates } from './gates.ts';
import { createMergeQueue, type MergeQueue } from './merge-queue.ts';
import { createPeople, type People } from './people.ts';
import type { ProviderTrouble } from './provider-trouble.ts';
import { createQuality, type Quality } from './quality.ts';
import { ReadySet } from './ready-set.ts';
import { createSuite, type Suite } from './suite.ts';
import type { TaskState } from './task-state.ts';

/** The folded truth. A value of the core: built by `fold`, changed only by events. */
export interface State {
  version: number;
  seq: number;
  updatedAtMs: number;
  createdAtMs: number;
  project: string;
  backlog: { readonly commit: string; readonly blob: string } | null;
  readonly tasks: Map<string, TaskState>;
  /** Those of them that have neither landed nor been removed: there are few of these, however old the project. */
  readonly open: Map<string, TaskState>;
  readonly counts: Record<TaskStatus, number>;
  /** Task → the tasks that depend on it. */
  readonly dependents: Map<string, Set<string>>;
  readonly ready: ReadySet;
  readonly active: Map<string, Attempt>;
  readonly workers: Map<string, WorkerRef>;
  readonly people: People;
  readonly suite: Suite;
  readonly queue: MergeQueue;
  readonly gates: Gates;
  readonly costs: Costs;
  readonly quality: Quality;
  readonly recent: Recent;
  readonly trouble: Trouble;
  sessions: number;
  /** Landed by the harness itself, not found landed. */
  landings: number;
  /** How many of the landed tasks nothing has proven. */
  unproven: number;
  /** Attempts that were started, and steps that their agents said are finished. */
  readonly totals: { attempts: number; steps: number };
  cleanup: CleanupState;
  readonly checkpoints: {
    readonly task: string;
    readonly attempt: number;
    readonly atMs: number;
    readonly checkpoint: Checkpoint;
  }[];
}

/** What happened last, as whoever comes next is told. */
interface Recent {
  sessionStartedAtMs: number;
  lastSession: LastSession | null;
  lastLanded: { readonly task: string; readonly commit: string; readonly session: number } | null;
  /** What agents decided lately, oldest first. */
  decisions: readonly { readonly session: number; readonly task: string; readonly text: string }[];
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

/** What became of the work of a session, where that is known: an agent only claims. */
export function getSessionOutcome({ tasks }: State, { task, session, outcome }: LastSession): string {
  const ending = tasks.get(task)?.history.findLast(attempt => attempt.session === session);
  return ending?.outcome === 'landed' ? 'landed' : outcome;
}

/** What keeps the work from getting on. */
interface Trouble extends ProviderTrouble {
  /** Why nothing could be launched; null once a preflight has passed. */
  broken: Broken | null;
  /** Attempts in a row that came to nothing. */
  stuckCount: number;
  /** Sessions that ran out of time, in all. */
  timeouts: number;
}

export interface Broken {
  readonly task: string;
  readonly attempt: number;
  readonly reason: string;
}

/** How far the code is from its next clean-up. */
interface CleanupState {
  /** How many there have been. */
  readonly added: number;
  /** Landings when the last one was begun. */
  readonly landings: number;
  /** A person wants one now. */
  readonly requested: boolean;
}

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
    open: new Map(),
    counts: { pending: 0, active: 0, retry: 0, landed: 0, failed: 0, blocked: 0, removed: 0 },
    dependents: new Map(),
    ready: new ReadySet(),
    active: new Map(),
    workers: new Map(),
    people: createPeople(),
    suite: createSuite(),
    queue: createMergeQueue(),
    gates: createGates(),
    costs: createCosts(),
    quality: createQuality(),
    recent: { sessionStartedAtMs: 0, lastSession: null, lastLanded: null, decisions: [] },
    trouble: { broken: null, providers: new Map(), crowds: new Map(), stuckCount: 0, timeouts: 0 },
    sessions: 0,
    landings: 0,
    unproven: 0,
    totals: { attempts: 0, steps: 0 },
    cleanup: { added: 0, landings: 0, requested: false },
    checkpoints: [],
  };
}
