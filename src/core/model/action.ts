import type { AttemptRef, GateName } from './facts.ts';
import type { AskedQuestion } from './question.ts';
import type { TaskDef } from './task.ts';

/** What the loop can do next, as data. */
export type Action =
  | Work
  | { readonly type: 'wait'; readonly ms: number; readonly why: string }
  | { readonly type: 'stop'; readonly why: StopReason };

/** What is performed by a step: one step of the pipeline each. */
export type Work =
  | { readonly type: 'sync' }
  | { readonly type: 'check-all' }
  | { readonly type: 'gate'; readonly gate: GateName }
  /** What could be released is not what is there any more. */
  | { readonly type: 'withdraw-release'; readonly commit: string }
  /** Work that no backlog lists enters the queue. */
  | { readonly type: 'add'; readonly def: TaskDef }
  | {
      readonly type: 'adopt';
      readonly task: string;
      readonly fence: number | null;
      readonly reason: string;
    }
  | { readonly type: 'ask'; readonly question: AskedQuestion }
  /** A question whose cause is gone. */
  | { readonly type: 'withdraw'; readonly id: string; readonly why: string }
  /** Takes the merge queue: its lease, and what lands together next. */
  | {
      readonly type: 'take-queue';
      readonly members: readonly AttemptRef[];
      readonly fence: number | null;
    }
  | { readonly type: 'land-batch' }
  | { readonly type: 'lease'; readonly task: string }
  | { readonly type: 'resume-held'; readonly task: string }
  | { readonly type: 'prepare'; readonly task: string }
  | { readonly type: 'preflight'; readonly task: string }
  | { readonly type: 'session'; readonly task: string; readonly provider: string }
  | { readonly type: 'interrupt'; readonly task: string }
  | { readonly type: 'snapshot'; readonly task: string }
  | { readonly type: 'verify'; readonly task: string }
  | { readonly type: 'accept-test'; readonly task: string }
  | { readonly type: 'send-back'; readonly task: string }
  | { readonly type: 'land'; readonly task: string }
  | { readonly type: 'close'; readonly task: string };

/** Why a run came to rest; the command's exit code and last line follow from it. */
export type StopReason =
  | 'all-done'
  | 'nothing-ready'
  /** Everything is landed, and the suite is red at the tip by nobody's known doing. */
  | 'broken-tip'
  | 'empty-backlog'
  | 'session-limit'
  | 'task-limit'
  | 'project-sessions'
  | 'iterations'
  | 'time'
  | 'stale'
  | 'budget'
  | 'environment'
  /** The machine's memory stayed critical. */
  | 'machine'
  /** Tests of the base turned red that nobody answers for: no agent is paid on it. */
  | 'red-base'
  /** The product has drifted too far from what was asked for, and a person has not said what follows. */
  | 'drift'
  /** All that was asked for is proven: the project rests until somebody has taken it. */
  | 'released'
  | 'auth'
  | 'provider'
  | 'paused'
  | 'asked';
