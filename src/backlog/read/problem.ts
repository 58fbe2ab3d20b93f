import { type FailureDetails, HarnessError } from '../../core/base/failure.ts';

/** One thing wrong with a backlog, with the place and the remedy. */
export interface Problem {
  /** As in `features[3].test_file`; empty for the file as a whole. */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
}

const MAX_LISTED = 200;

/** A backlog that cannot be read, with everything that is wrong with it. */
export class BacklogError extends HarnessError {
  readonly problems: readonly Problem[];

  constructor(message: string, details: FailureDetails, problems: readonly Problem[]) {
    super('backlog', message, details);
    this.problems = problems;
  }
}

/** One error that tells everything wrong with the file at once. */
export function getBacklogError(file: string, problems: readonly Problem[]): HarnessError {
  const listed = problems.slice(0, MAX_LISTED);
  const [first] = listed;
  if (first === undefined) return new HarnessError('internal', 'a backlog error without a problem');
  const details = { file, ...(first.field ? { field: first.field } : {}) };
  if (problems.length === 1) {
    return new BacklogError(`${file}: ${getSentence(first)}`, { ...details, fix: first.fix }, problems);
  }
  const more = problems.length - listed.length;
  const lines = [...listed.map(getSentence), ...(more > 0 ? [`and ${more} more`] : [])];
  const message = `${file} has ${problems.length} problems:\n${lines.map(line => `  ${line}`).join('\n')}`;
  const fixes = listed.map(({ field, fix }) => (field ? `${field}: ${fix}` : fix));
  return new BacklogError(message, { ...details, fix: [...new Set(fixes)].join('\n') }, problems);
}

function getSentence({ field, message }: Problem): string {
  return field ? `${field} ${message}` : message;
}
