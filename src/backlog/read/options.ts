/** What a project's settings say about its backlog; the same for every format. */
export interface BacklogOptions {
  /** Named in every message. */
  readonly fileName: string;
  /** Refuse a task that has neither a test file nor a validation command. */
  readonly requireTestFile: boolean;
  /** More steps than this and the task should be split. */
  readonly maxVerificationSteps: number;
  /** For tasks that do not set their own. */
  readonly maxAttempts: number;
  /** Where plans go once they have landed; null where they stay. */
  readonly completedDir: string | null;
}

/** Seed values, so that a codec can be had without a configuration. */
export const DEFAULT_BACKLOG_OPTIONS: BacklogOptions = {
  fileName: 'features.json',
  requireTestFile: true,
  maxVerificationSteps: 7,
  maxAttempts: 3,
  completedDir: null,
};
