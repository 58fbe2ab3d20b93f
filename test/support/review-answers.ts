import type { Finding } from '../../src/core/model/finding.ts';

/** What a reviewer answers who found this. */
export function found(...findings: readonly Partial<Finding>[]): { readonly findings: readonly object[] } {
  const plain = { severity: 'medium', line: 1, claim: 'it is wrong', quote: '', criterion: null, test: null };
  return { findings: findings.map(finding => ({ ...plain, file: '', ...finding })) };
}

/** What one answers who found nothing. */
export const CLEAN = found();
