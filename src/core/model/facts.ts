import type { TestOutcome } from './testing.ts';
/** Who works: enough to tell, later and from outside, whether that process still lives. */
export interface WorkerRef {
  readonly id: string;
  readonly host: string;
  /** Which clone, where several share the records: two of them on one host need names of their own. */
  readonly clone?: string;
  readonly pid: number;
  /** Kernel start time of the pid, so that a reused pid is not mistaken for the worker. */
  readonly startTicks: string;
  /** Which of the lanes of its process it is, from 1; absent where the process is one worker. */
  readonly lane?: number;
}

/** Names one attempt of one task; every event of the pipeline carries it. */
export interface AttemptRef {
  readonly task: string;
  readonly attempt: number;
}

/** How an agent's session ended; only `claimed` is a claim, and a claim is only a claim. */
export type SessionOutcome =
  | 'claimed'
  | 'not-done'
  | 'crashed'
  | 'timeout'
  | 'interrupted'
  | 'budget'
  | 'context'
  | 'stuck'
  /** The agent needs something from a person. */
  | 'asked'
  /** The provider could not be had: nobody's fault, counts for nothing. */
  | 'unavailable';

/** How an attempt ended. `partial` keeps the work for the next attempt, the others drop it; `tidy` is a clean-up that found nothing to do. */
export type AttemptOutcome = 'landed' | 'rejected' | 'partial' | 'failed' | 'needs-human' | 'tidy';

/** The seven error categories; docs/recovery.md has what is done about each. */
export type ErrorCategory =
  | 'ENV_SETUP'
  | 'CONFIG'
  | 'TASK_EXEC'
  | 'TEST_FAIL'
  | 'TIMEOUT'
  | 'DEPENDENCY'
  | 'SESSION_TIMEOUT';

export interface PreflightCheck {
  readonly name: string;
  readonly passed: boolean;
  readonly detail: string;
  readonly durationMs: number;
  /** Worth telling, and no reason to stop. */
  readonly warning?: true;
}

export interface HumanAnswer {
  readonly tree: string;
  readonly passed: boolean;
  readonly by: string;
  readonly note: string;
}

export interface Override {
  readonly reason: string;
  readonly by: string;
  /** The attempt whose kept work lands as well; null when only the backlog is marked. */
  readonly workOf: number | null;
  /** Its own tests passed on the base without any work, and do when it lands: they stand for it. */
  readonly satisfied?: true;
}

/** Set where no agent works: what is kept of an earlier attempt, or a person's decision, is resumed. */
export interface Resumption {
  readonly attempt: number | null;
  readonly override: Override | null;
  /** The person whose own work it is. */
  readonly by?: string;
}

/** Go on, wait between two steps, or end after the attempt under way. */
export type ControlMode = 'running' | 'paused' | 'stopped';

export interface ControlRequest {
  readonly mode: ControlMode;
  readonly by: string;
  readonly reason: string;
}

/** What is asked of the project as a whole. */
export type GateName = 'fidelity' | 'release';

/** A file under the state directory, named by path and hash. */
export interface ArtifactRef {
  readonly path: string;
  readonly sha256: string;
}

/** A proof as a file, and the hashes of its two parts; proofs of old do without. */
export interface ProofRef extends ArtifactRef {
  readonly hash?: string;
  readonly recordHash?: string;
}

/** A point that can be returned to and checked: git commit, event sequence, hashes. */
export interface Checkpoint {
  readonly id: string;
  readonly commit: string;
  readonly seq: number;
  readonly backlogHash: string;
  readonly notesHash: string | null;
  readonly reason: 'pre_feature' | 'pre_verification' | 'manual';
}

/** The levels of events, which decide retention and what `harness log` shows. */
export type EventLevel = 'critical' | 'important' | 'routine' | 'debug';

/** What a session that died with its harness left behind. */
export interface Leftover {
  /** Files differ from what the session was given; committed by the agent or not is the same on disk. */
  readonly changed: boolean;
  /** Steps that the agent had recorded as done. */
  readonly steps: number;
}

/** What an agent's tool calls show about the tests: text that says so is not among them. */
export interface Evidence {
  /** Whether the agent tells what it does at all; one that cannot is not held to it. */
  readonly isReported: boolean;
  readonly testRunAfterLastEdit: boolean;
  /** The last thing that was changed, when the tests were not run successfully after it. */
  readonly lastEdit: string | null;
  /** Runs of the tests since the last edit, good or bad. */
  readonly commands: readonly string[];
  /** Set when the last of them was the whole suite and failed, but not in the task's own tests as far as its output tells. */
  readonly othersRed?: true;
}

/** One verdict that said no because of tests. */
export interface Rejection {
  readonly attempt: number;
  /** `own`: the task's tests; `older`: they all passed, and tests that passed on the base did not. */
  readonly kind: 'own' | 'older';
  /** Ids of the tests that were red. */
  readonly failing: readonly string[];
}

/** What is on disk after a session, as one commit on the base. */
export interface Candidate {
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
}

/** A test that says yes and no to the same bytes, and why that is believed. */
export interface FlakyTest {
  readonly id: string;
  readonly evidence: readonly Observation[];
}

/** One look at one test: on which bytes, by which command, and what came out; `gone` if it was not reported. */
export interface Observation {
  readonly tree: string;
  readonly command: string;
  readonly outcome: TestOutcome | 'gone';
  readonly atMs: number;
}

/** What a gate found at a commit. */
export interface GateAnswer {
  readonly gate: GateName;
  readonly commit: string;
  readonly tree: string;
  readonly passed: boolean;
  /** Null for a gate that gives no number. */
  readonly drift: number | null;
  /** One line of what was found. */
  readonly summary: string;
  /** The report as people find it; null where there was nothing worth one. */
  readonly report: string | null;
}
