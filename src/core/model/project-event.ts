import type { AgentErrorKind } from './agent-event.ts';
import type { DropTaken } from './drop.ts';
import type {
  ArtifactRef,
  AttemptRef,
  Candidate,
  ControlWord,
  EventLevel,
  FlakyTest,
  HumanAnswer,
  Override,
  SessionOutcome,
  WorkerRef,
} from './facts.ts';
import type { AskedQuestion } from './question.ts';
import type { TaskDef } from './task.ts';
import type { Usage } from './usage.ts';

/** Facts about the project as a whole. */
export type ProjectEvent =
  | {
      readonly type: 'backlog.synced';
      readonly commit: string;
      readonly blob: string;
      readonly project: string;
      readonly upserted: readonly TaskDef[];
      readonly removed: readonly string[];
      /** Tasks the committed backlog already says pass. */
      readonly accepted: readonly string[];
      /** Tasks that were landed and that the committed backlog now says do not pass. */
      readonly reopened: readonly string[];
    }
  | {
      readonly type: 'worker.started';
      readonly worker: WorkerRef;
      readonly version: string;
      /** What the project may cost in all, as this worker was told. */
      readonly budgetUsd?: number;
      /** From what length its project calls a file too long. */
      readonly maxFileLines?: number;
    }
  | { readonly type: 'worker.stopped'; readonly workerId: string; readonly reason: string }
  | {
      readonly type: 'baseline.measured';
      readonly tree: string;
      readonly command: string;
      readonly passing: readonly string[];
      readonly failing: readonly string[];
    }
  /** It gave both outcomes on the same bytes: from now on it neither blocks nor proves. */
  | (FlakyTest & { readonly type: 'test.quarantined' })
  /** Old attempts whose kept work is no longer kept. */
  | { readonly type: 'checkpoints.pruned'; readonly ids: readonly string[] }
  | {
      readonly type: 'provider.failed';
      readonly provider: string;
      readonly kind: AgentErrorKind;
      readonly message: string;
      /** How often in a row it has failed this way. */
      readonly count: number;
      readonly response: 'wait' | 'pause' | 'abort' | 'count';
      /** When it may be tried again; null when that is not a matter of time. */
      readonly untilMs: number | null;
    }
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
    }
  /** A person's word to every worker there is at that moment. */
  | (ControlWord & { readonly type: 'control.changed' })
  /** It had landed, and a later change by somebody else broke what proved it. */
  | {
      readonly type: 'task.reopened';
      readonly task: string;
      readonly reason: string;
      readonly tests: readonly string[];
    }
  /** Work that no backlog lists: a clean-up, or an objective of `harness loop`. Said again, it takes the new words. */
  | { readonly type: 'task.added'; readonly def: TaskDef }
  /** A person wants the code cleaned up, due or not. */
  | { readonly type: 'cleanup.requested'; readonly by: string; readonly reason: string }
  /** The whole of what has landed was looked at once more; what was found broken is open again by then. */
  | {
      readonly type: 'project.checked';
      readonly commit: string;
      readonly tree: string;
      readonly passing: number;
      readonly failing: number;
      /** Tests that passed at the last look and that no landed task answers for; the run stops on them. */
      readonly broken: readonly string[];
    }
  | { readonly type: 'task.blocked'; readonly task: string; readonly reason: string }
  | {
      readonly type: 'task.reset';
      readonly task: string;
      readonly reason: string;
      /** It begins from the base again, whatever an attempt left. */
      readonly dropWork?: true;
    }
  /** A person is asked; the task it is about waits, everything else goes on. */
  | (AskedQuestion & { readonly type: 'question.asked' })
  | {
      readonly type: 'question.answered';
      readonly id: string;
      /** The key of an option; null when the words are all there is. */
      readonly option: string | null;
      readonly text: string;
      readonly by: string;
    }
  /** A person did the task; it is judged like anybody else's work, and lands by the same proof. */
  | {
      readonly type: 'work.handed-in';
      readonly task: string;
      readonly by: string;
      readonly base: string;
      readonly baseTree: string;
      readonly candidate: Candidate;
    }
  /** What the project, or one task, may cost from now on, whatever the config says below that. */
  | {
      readonly type: 'budget.raised';
      readonly task: string | null;
      readonly toUsd: number;
      readonly by: string;
    }
  /** What a person found who looked at the work of an attempt: this tree and no other. */
  | (AttemptRef & HumanAnswer & { readonly type: 'human.answered' })
  /** A person says that a task is done, without any proof. */
  | (Override & { readonly type: 'task.overridden'; readonly task: string; readonly unproven: true })
  | DropTaken
  | {
      readonly type: 'note.added';
      readonly level: EventLevel;
      readonly text: string;
      readonly task?: string;
    };
