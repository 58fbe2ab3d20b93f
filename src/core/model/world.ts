/** What was observed this turn, beside what has been recorded. */
export interface World extends SeenWorkers {
  /** The commit that the next task starts from. */
  readonly tip: string;
  /** Git's id of the committed backlog at the tip, or `missing`. */
  readonly backlogBlob: string;
  /** What the machine carries; absent where one worker is all that is asked for. */
  readonly machine?: MachineLimit;
  readonly stopRequested: boolean;
  /** Somebody put a file there that says so; in force until it is taken away. */
  readonly pauseRequested: boolean;
  /** That file was there before this worker came. */
  readonly pausedBefore: boolean;
}

export interface MachineLimit {
  /** So many agents at once; null for as many as were asked for. */
  readonly atOnce: number | null;
  /** Its memory has been critical for so long that nothing more is begun. */
  readonly isOver: boolean;
  readonly why: string;
}

/** Who works on what, as far as it can be seen from outside. */
export interface SeenWorkers {
  /** The store's clock. */
  readonly nowMs: number;
  /** This worker's id. */
  readonly self: string;
  readonly leases: readonly ObservedLease[];
  readonly workers: ReadonlyMap<string, 'alive' | 'dead' | 'unknown'>;
}

export interface ObservedLease {
  readonly resource: string;
  readonly owner: string;
  readonly fence: number;
  readonly expiresAtMs: number;
}

/** What the person asked this run to do, and what it has done so far. */
export interface RunScope {
  /** Attempts, landed or not. */
  readonly maxSessions: number | null;
  readonly maxTasks: number | null;
  /** When no further attempt is begun. */
  readonly untilMs: number | null;
  readonly onlyTask: string | null;
  /** Stays when nothing is left to do, and looks after what has landed. */
  readonly maintains: boolean;
  readonly endedAttempts: number;
  /** Clean-ups are not among them. */
  readonly landedTasks: number;
  /** Attempts that landed nothing. */
  readonly withoutLanding: number;
  /** Set when preflight found the environment broken: nothing more is launched. */
  readonly environmentBroken: boolean;
  /** Attempts that other lanes of this run have under way. */
  readonly underWay: number;
  /** Another lane of this run looks at everything just now. */
  readonly isLookUnderWay: boolean;
  /** Providers that only a person can bring back, and why; asked again in the next run. */
  readonly halted: ReadonlyMap<string, 'auth' | 'provider'>;
}

/** The name of the lease that whoever lands a batch must hold. */
export const QUEUE_RESOURCE = 'merge-queue';

/** The name of the lease that a worker on this task must hold. */
export function getTaskResource(task: string): string {
  return `task/${task}`;
}
