import type { Question, SessionNote } from '../model/agent-event.ts';
import type { CheckResult, Verdict } from '../model/check.ts';
import type {
  AttemptOutcome,
  Candidate,
  Checkpoint,
  ErrorCategory,
  Evidence,
  Leftover,
  ProofRef,
  Rejection,
  Resumption,
  SessionOutcome,
  WorkerRef,
} from '../model/facts.ts';
import type { SettledFinding } from '../model/finding.ts';
import type { PromptType } from '../model/role.ts';
import type { Usage } from '../model/usage.ts';

/** How far down the pipeline an attempt has been recorded to be. */
export type Stage =
  | 'leased'
  | 'prepared'
  | 'ready'
  | 'in-session'
  | 'session-over'
  | 'candidate'
  | 'judged'
  /** Nobody works on it any more: it lands with the next batch, or is told what it collides with. */
  | 'queued'
  | 'landing';

/** The attempt under way for an active task. */
export interface Attempt {
  readonly task: string;
  readonly number: number;
  readonly session: number;
  readonly startedAtMs: number;
  readonly slot: number;
  /** Commit this attempt's candidate stands on; moves when it is rebased. */
  base: string;
  baseTree: string;
  readonly firstBase: string;
  /** The backlog as it was known at the start; what changes in it meanwhile waits for the end. */
  readonly backlogBlob: string | null;
  /** Work of an earlier, interrupted attempt that this one goes on with. */
  readonly startWip: string | null;
  /** Set when no agent works here: what is resumed instead. */
  readonly resumes: Resumption | null;
  worker: string;
  /** Whose it was before it was adopted: what that one left running is ended first. */
  former: WorkerRef | null;
  /** Where its worktree is. */
  host: string | null;
  /** The host it was adopted from, where that is another one: what lay on its disk alone is out of reach. */
  leftHost: string | null;
  /** Of the project's budget, for it alone; nobody else may begin on it. */
  readonly reserve: Reserve;
  stage: Stage;
  dir: string | null;
  checkpoint: Checkpoint | null;
  readonly agent: AgentWork;
  /** Set when its session died with the harness: what was found then. */
  left: Leftover | null;
  preflightFailure: {
    readonly reason: string;
    readonly category: ErrorCategory;
    readonly fixed: boolean;
    readonly satisfied: boolean;
    readonly unprovable: boolean;
  } | null;
  candidate: Candidate | null;
  /** The tree as it was taken, which people have looked at; a rebase changes the candidate's own. */
  shownTree: string | null;
  /** The verdict on the candidate; null until there is one that still holds. */
  judged: Judged | null;
  /** The commit that was about to land: found on the branch, it has. */
  landing: string | null;
  queuedAtMs: number | null;
  /** Whether it writes the task's test instead of doing the task. */
  readonly isAuthor: boolean;
  /** Tests that an author wrote for the task, by path: protected to the byte. */
  readonly tests: Readonly<Record<string, string>>;
  /** Every time that tests said no to it. */
  rejections: readonly Rejection[];
  /** Steps that its agent said are finished. */
  steps: number;
  /** How often its work has been sent back to the agent. */
  round: number;
  /** What reviewers have found so far; null before any. */
  reviews: Reviews | null;
  /** What was said when it last was. */
  feedback: Feedback | null;
}

/** What the reviews of an attempt came to. */
export interface Reviews {
  readonly passes: number;
  /** How often its work was sent back because of them. */
  readonly sentBack: number;
  /** What the last one read, and what it found. */
  readonly tree: string;
  readonly found: readonly SettledFinding[];
}

/** What an attempt may spend, and what its task had cost when it began: whatever it costs from then on comes out of it. */
interface Reserve {
  /** Null in records of an older harness. */
  readonly usd: number | null;
  readonly taskUsdBefore: number;
}

/** What is known of the agent of an attempt and of its last session. */
interface AgentWork {
  provider: string | null;
  /** Null where the provider chose for itself. */
  model: string | null;
  /** What the session is counted as. */
  role: PromptType;
  /** Of this session, already counted. */
  spent: Usage;
  outcome: SessionOutcome | null;
  summary: string;
  sessionNote: SessionNote | null;
  question: Question | null;
  /** What its tool calls show about the tests. */
  evidence: Evidence | null;
  /** The agent's own name for the session, to go on with. */
  sessionId: string | null;
  /** How full the agent's context was at the end, from 0 to 1. */
  contextShare: number;
  /** Of all sessions of the attempt. */
  usage: Usage;
  /** When the first of them began. */
  startedAtMs: number | null;
  /** When the last one was over. */
  endedAtMs: number | null;
}

/** The session of an attempt that is over, rounds and all. */
export interface PastSession {
  readonly outcome: SessionOutcome;
  readonly role: PromptType;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly usage: Usage;
}

/** A verdict, and what it was given on; landing anything else is refused. */
interface Judged {
  readonly verdict: Verdict;
  readonly checks: readonly CheckResult[];
  readonly tree: string;
  readonly base: string;
  readonly atMs: number;
  /** Null for a test that an author wrote. */
  readonly proof: ProofRef | null;
}

export interface Feedback {
  readonly reason: string;
  readonly findings: readonly string[];
  /** What was rejected: handing in the same again gets nobody further. */
  readonly tree: string | null;
}

/** Work that an attempt left and that can land later without any agent: what it was and what it stood on. */
export interface HeldWork {
  readonly attempt: number;
  readonly base: string;
  readonly baseTree: string;
  readonly candidate: Candidate;
  /** Nothing is missing but a person's word. */
  readonly awaitsPerson: boolean;
}

/** The tree that tells whether work is the same as before: the books of the harness do not count. */
export function getWorkTree({ candidate }: Pick<Attempt, 'candidate'>): string | null {
  return candidate?.work ?? candidate?.tree ?? null;
}

/** What is remembered of an attempt once it is over. */
export interface PastAttempt {
  readonly number: number;
  readonly session: number;
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly category: ErrorCategory | null;
  readonly findings: readonly string[];
  readonly wip: string | null;
  readonly sessionNote: SessionNote | null;
  /** What it asked for, until that is answered. */
  readonly question: Question | null;
  /** The person whose own work it was. */
  readonly by?: string;
  /** It did not begin: what should prove it passed before. */
  readonly satisfied?: true;
  /** It did not begin: what should prove it could not be run. */
  readonly unprovable?: true;
  readonly endedAtMs: number;
  readonly checkpoint: Checkpoint | null;
  readonly rejections: readonly Rejection[];
  /** Null where no agent was started. */
  readonly ran: PastSession | null;
}

/** Whether it did not begin for a reason that is its own task's: a person is asked, and the others go on. */
export function isHeldUp({ preflightFailure }: Pick<Attempt, 'preflightFailure'>): boolean {
  return preflightFailure?.satisfied === true || preflightFailure?.unprovable === true;
}

/** Work that an interrupted attempt left and that the next one should go on with. */
export function getStartWip(history: readonly Pick<PastAttempt, 'outcome' | 'wip'>[]): string | null {
  const last = history.at(-1);
  return last?.outcome === 'partial' ? last.wip : null;
}

/** Proven, or a person's word that will be shown as such for good. */
export function mayLand(attempt: Attempt): boolean {
  if (attempt.isAuthor) return false;
  return isProven(attempt) || (attempt.candidate !== null && Boolean(attempt.resumes?.override));
}

/** The one question landing hangs on: proven, and proven on exactly these bytes. */
export function isProven(attempt: Attempt): boolean {
  const { judged, candidate } = attempt;
  return judged?.verdict.word === 'proven' && judged.tree === candidate?.tree;
}
