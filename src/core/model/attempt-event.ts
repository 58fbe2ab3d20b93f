import type { CheckResult, Verdict } from './check.ts';
import type {
  ArtifactRef,
  AttemptOutcome,
  AttemptRef,
  Checkpoint,
  ErrorCategory,
  Evidence,
  Leftover,
  Override,
  PreflightCheck,
  ProofRef,
  SessionOutcome,
} from './facts.ts';
import type { PromptType } from './role.ts';
import type { Handoff, Question } from './tool-entry.ts';
import type { Usage } from './usage.ts';
export type AttemptStarted = AttemptRef & {
  readonly type: 'attempt.started';
  readonly session: number;
  readonly worker: string;
  readonly slot: number;
  readonly base: string;
  readonly baseTree: string;
  readonly wip: string | null;
  /** This attempt writes the task's test; another one will do the task. */
  readonly author?: true;
  /** No agent works: what is kept of an earlier attempt, or a person's word, is taken up. */
  readonly takesUp?: {
    readonly attempt: number | null;
    readonly override: Override | null;
    /** The person whose own work it is. */
    readonly by?: string;
  };
};

/** What a step of the corridor leaves behind. */
export type StepEvent =
  | (AttemptRef & { readonly type: 'attempt.taken-over'; readonly worker: string; readonly reason: string })
  | (AttemptRef & {
      readonly type: 'attempt.prepared';
      readonly dir: string;
      readonly checkpoint: Checkpoint;
    })
  | (AttemptRef & { readonly type: 'preflight.passed'; readonly checks: readonly PreflightCheck[] })
  | (AttemptRef & {
      readonly type: 'preflight.failed';
      readonly checks: readonly PreflightCheck[];
      readonly reason: string;
      readonly category: ErrorCategory;
      /** The task was open again, and somebody else has put it right. */
      readonly mended?: true;
      /** What should prove it passes before any work: a person has to say what is to become of it. */
      readonly satisfied?: true;
    })
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
      readonly handoff?: Handoff;
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
  | (AttemptRef & {
      readonly type: 'candidate.taken';
      readonly commit: string;
      readonly tree: string;
      /** The agent's own version of the backlog differs in these words; judged by the claim check. */
      readonly backlogProblems: readonly string[];
      readonly claims: readonly string[];
      /** Lines of each changed file; null for one that is gone. */
      readonly lines: Readonly<Record<string, number | null>>;
      /** The tree without the entry, where there is one: what can be compared with earlier work. */
      readonly work?: string;
      /** What is added to the progress notes when it lands; part of the tree. */
      readonly entry?: string;
      /** What the agent wrote into the notes itself. */
      readonly notes?: readonly string[];
      /** Only after a session that died with the harness. */
      readonly left?: Leftover;
    })
  | (AttemptRef & {
      readonly type: 'candidate.rebased';
      readonly commit: string;
      readonly tree: string;
      readonly base: string;
      readonly baseTree: string;
    })
  | (AttemptRef & {
      readonly type: 'verdict.given';
      readonly verdict: Verdict;
      readonly checks: readonly CheckResult[];
      readonly base: string;
      readonly tree: string;
      readonly proof: ProofRef;
    })
  /** What became of a test that an author wrote, before anybody works by it. */
  | (AttemptRef & {
      readonly type: 'test.judged';
      readonly verdict: Verdict;
      readonly checks: readonly CheckResult[];
      readonly base: string;
      readonly tree: string;
    })
  /** The test is good: kept under a ref, given to every coder, protected byte for byte, landed with the work. */
  | (AttemptRef & {
      readonly type: 'test.authored';
      readonly commit: string;
      /** Git's id of each file, by path. */
      readonly files: Readonly<Record<string, string>>;
    })
  /** The verdict said no, and the same agent is told why while it still has its files. */
  | (AttemptRef & {
      readonly type: 'attempt.sent-back';
      /** 1 for the first time. */
      readonly round: number;
      readonly reason: string;
      readonly findings: readonly string[];
    })
  | (AttemptRef & { readonly type: 'landing.started'; readonly commit: string; readonly onto: string })
  | (AttemptRef & {
      readonly type: 'task.landed';
      readonly commit: string;
      readonly ref: string;
    })
  | (AttemptRef & {
      readonly type: 'attempt.ended';
      readonly outcome: AttemptOutcome;
      readonly reason: string;
      readonly category: ErrorCategory | null;
      /** The work of this attempt, kept under a ref whatever became of it. */
      readonly wip: string | null;
      readonly findings: readonly string[];
      /** The provider could not be had: as if it had never been tried. */
      readonly unavailable?: boolean;
      /** It was open again because of a later change, and another one has mended that. */
      readonly restored?: true;
    });

/** Facts about one attempt of one task, in the order of the corridor. */
export type AttemptEvent = AttemptStarted | StepEvent;
