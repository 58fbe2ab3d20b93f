import type { CheckResult } from './check.ts';

/** What checks warned of without standing in the way, one line each; empty when there is nothing. */
export function getWarnings(checks: readonly Pick<CheckResult, 'check' | 'status' | 'summary'>[]): string[] {
  return checks
    .filter(({ status }) => status === 'warned')
    .map(({ check, summary }) => `${check}: ${summary.split('\n', 1)[0] ?? ''}`);
}

/** The same as the end of a sentence. */
export function getWarningText(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  return `with ${warnings.length === 1 ? 'a warning' : 'warnings'} of ${warnings.join('; ')}`;
}
