import { HarnessError } from '../../core/base/failure.ts';

/** One thing wrong with a configuration, with the place and the remedy. */
export interface Problem {
  /** Dotted path as the person spelled it; empty for the file as a whole. */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
  readonly position?: Position;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One error that tells everything wrong with a file at once. */
export function getConfigError(file: string, problems: readonly Problem[]): HarnessError {
  const sorted = [...problems].sort(compareProblems);
  const [first] = sorted;
  if (first === undefined) return new HarnessError('internal', 'a config error without a problem');
  if (sorted.length === 1) {
    return new HarnessError('config', `${file}: ${getSentence(first)}`, getDetails(file, first, first.fix));
  }
  const lines = sorted.map(problem => `  ${getSentence(problem)}`);
  const fixes = sorted.map(problem => (problem.field ? `${problem.field}: ${problem.fix}` : problem.fix));
  return new HarnessError(
    'config',
    `${file} has ${sorted.length} problems:\n${lines.join('\n')}`,
    getDetails(file, first, fixes.join('\n')),
  );
}

function getDetails(file: string, problem: Problem, fix: string) {
  return { file, fix, ...(problem.field ? { field: problem.field } : {}) };
}

function getSentence({ field, message, position }: Problem): string {
  const place = position ? `line ${position.line}, column ${position.column}: ` : '';
  return `${place}${field ? `${field} ` : ''}${message}`;
}

function compareProblems({ position: a }: Problem, { position: b }: Problem): number {
  if (!a || !b) return Number(!a) - Number(!b);
  return a.line - b.line || a.column - b.column;
}
