/** Why a command could not do its work; each has one documented exit code. */
export type FailureCode =
  | 'usage'
  | 'config'
  | 'backlog'
  | 'repo'
  | 'state'
  | 'environment'
  | 'locked'
  | 'fenced'
  | 'cancelled'
  | 'auth'
  | 'unproven'
  | 'budget'
  | 'human'
  | 'internal';

/** The exit code of each failure, as documented in docs/cli.md. */
export const EXIT_CODES: Readonly<Record<FailureCode, number>> = {
  usage: 2,
  config: 2,
  backlog: 2,
  repo: 2,
  state: 1,
  environment: 1,
  locked: 1,
  fenced: 1,
  internal: 1,
  cancelled: 3,
  auth: 4,
  unproven: 5,
  budget: 6,
  human: 7,
};

export interface FailureDetails {
  readonly file?: string;
  readonly field?: string;
  /** The next thing to do, as a command or an edit. */
  readonly fix?: string;
}

/** The one error type people see: what is wrong, where, and what to do about it. */
export class HarnessError extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message);
    this.name = 'HarnessError';
    this.code = code;
    this.details = details;
  }
}

/** An object of the repository is not there: lost, or cleared away by a `git gc` just when nothing named it yet. */
export class ObjectGone extends HarnessError {
  constructor(message: string, file: string) {
    super('repo', message, {
      file,
      fix: '`git fsck --full` names what is missing; a partial clone is completed by `git fetch --refetch --no-filter`',
    });
  }
}

/** What was thrown, in its own words. */
export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
