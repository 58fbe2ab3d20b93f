import { getShellQuoted } from '../base/shell-quoted.ts';
import type { ReachedStep } from '../model/agent-event.ts';
import type { GivenFile } from '../model/context-file.ts';
import type { HumanAnswer, Override } from '../model/facts.ts';
import { PHASES } from '../model/phase.ts';
import type { GivenAnswer, QuestionKind } from '../model/question.ts';
import { getIdKey, isRepair, type TaskDef, type TaskStatus } from '../model/task.ts';
import { NO_USAGE, type Usage } from '../model/usage.ts';
import type { HeldWork, PastAttempt } from './attempt.ts';

/** Everything known of one task. Only `apply` writes to it. */
export interface TaskState {
  def: TaskDef;
  status: TaskStatus;
  /** Attempts that count against the limit; interrupted ones do not. */
  attempts: number;
  /** How often in a row its proven work collided with what landed meanwhile. */
  collisions: number;
  /** Files in which its work conflicted with that of others: it is not set on them beside anybody again. */
  contested: readonly string[];
  interruptions: number;
  /** The test that an author wrote for it. */
  authored: AuthoredTest | null;
  /** Attempts at that which count against the same limit. */
  authorAttempts: number;
  /** How often work on it was sent back within an attempt. */
  rounds: number;
  /** Why it was taken out of the queue, where no attempt of its own says so. */
  blockedReason: string | null;
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
  readonly people: TaskPeople;
  /** Sessions in a row that left it half done. */
  stuck: number;
  /** What its agents said is finished, oldest first. */
  readonly steps: PastStep[];
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

/** A step that an agent said is finished; nothing follows from it. */
export interface PastStep extends ReachedStep {
  readonly attempt: number;
  readonly atMs: number;
}

/** What people were asked about a task, and what they said and did. */
interface TaskPeople {
  /** What a person found of its held work. */
  answer: HumanAnswer | null;
  /** A person's word that it is done, not acted on yet. */
  override: Override | null;
  /** Whose own work is kept for it, to be judged without an agent. */
  submittedBy: string | null;
  /** The question that it waits for, by id. */
  question: string | null;
  /** What people left for those who work on it. */
  contextFiles: readonly GivenFile[];
  /** What people said about it. */
  readonly answers: GivenAnswer[];
  /** What people said need not be asked again. */
  readonly waived: Set<QuestionKind>;
  /** What a person lets it cost, where that is more than the config says. */
  raisedToUsd: number;
}

/** A task of which nothing is known but what the backlog says. */
export function createTask(def: TaskDef): TaskState {
  return {
    def,
    status: 'pending',
    attempts: 0,
    collisions: 0,
    contested: [],
    interruptions: 0,
    authored: null,
    authorAttempts: 0,
    rounds: 0,
    blockedReason: null,
    started: 0,
    failedAtMs: 0,
    landed: null,
    held: null,
    people: {
      answer: null,
      override: null,
      submittedBy: null,
      question: null,
      contextFiles: [],
      answers: [],
      waived: new Set(),
      raisedToUsd: 0,
    },
    stuck: 0,
    steps: [],
    history: [],
    last: null,
    reopened: null,
    usage: NO_USAGE,
    sessions: 0,
    unmet: 0,
    deadDeps: 0,
  };
}

export interface AuthoredTest {
  readonly commit: string;
  readonly files: Readonly<Record<string, string>>;
  readonly attempt: number;
}

/**
 * The place of a task in the queue, or null. What a later change broke comes first; then work that was cut
 * off, because it is half done; then fresh tasks; then failed ones, oldest failure first.
 */
export function getReadyRank(task: TaskState): string | null {
  if (canGoWithoutAgent(task)) return `!${getIdKey(task.def.id)}`;
  if (task.unmet > 0) return null;
  const isRepaired = task.reopened !== null || isRepair(task.def);
  if (isRepaired && (task.status === 'pending' || task.status === 'retry'))
    return `#${getIdKey(task.def.id)}`;
  if (task.def.kind === 'cleanup' && (task.status === 'pending' || task.status === 'retry'))
    return getCleanupRank(task.def.id);
  const priority = `${String(task.def.priority).padStart(6, '0')}${getPhaseRank(task.def)}`;
  if (task.status === 'pending') return `0:${priority}:${getIdKey(task.def.id)}`;
  if (task.status === 'retry' && task.history.at(-1)?.outcome === 'partial') {
    return `0!${priority}:${getIdKey(task.def.id)}`;
  }
  if (task.status === 'retry') {
    return `1:${priority}:${String(task.failedAtMs).padStart(16, '0')}:${getIdKey(task.def.id)}`;
  }
  return null;
}

/** Of tasks that are as urgent, those of an earlier phase come first. */
function getPhaseRank({ phase }: TaskDef): string {
  return phase === undefined ? '' : `:${PHASES.indexOf(phase)}`;
}

/** After what people decided and what is broken, before everything else. */
export function getCleanupRank(id: string): string {
  return `$${getIdKey(id)}`;
}

/** Whether a person has decided, so that only landing is left; such a task costs nothing and goes first. */
export function canGoWithoutAgent({ status, held, people }: TaskState): boolean {
  const { override, submittedBy, answer } = people;
  if (status !== 'pending' && status !== 'retry') return false;
  if (override || submittedBy !== null) return true;
  return held?.awaitsPerson === true && answer?.passed === true && answer.tree === held.candidate.tree;
}

/** Whether a task waits for something that will not come without a person. */
export function isBlockedByDependency(task: TaskState): boolean {
  return (task.status === 'pending' || task.status === 'retry') && task.deadDeps > 0;
}

/** What a re-opened task goes by until it has landed again. */
export interface Reopened {
  readonly reason: string;
  readonly tests: readonly string[];
  /** As it had landed before; holds again if somebody else mends it. */
  readonly landed: TaskState['landed'];
}

/** What the last attempt that counted came to, and how many in a row came to the same. */
export interface LastResult {
  readonly landings: number;
  readonly tree: string | null;
  readonly findings: string;
  readonly count: number;
}

/** Why a task is set aside that a person does by hand. */
export function getHandedOffReason(task: string, by: string): string {
  return `${by} does it by hand: ${getTakeback(task)}`;
}

/** Why a task is set aside that a person leaves out. */
export function getSkippedReason(by: string, reason: string): string {
  return `skipped by ${by}: ${reason}`;
}

/** Whether a person left a task out. */
export function isSkipped({ status, blockedReason }: TaskState): boolean {
  return status === 'blocked' && (blockedReason?.startsWith('skipped by ') ?? false);
}

/** Whether a person has a task and nobody else is set on it. */
export function isHandedOff({ def, status, blockedReason }: TaskState): boolean {
  return (
    status === 'blocked' && (blockedReason?.endsWith(` does it by hand: ${getTakeback(def.id)}`) ?? false)
  );
}

function getTakeback(task: string): string {
  return `harness takeback ${getShellQuoted(task)}`;
}
