import type { State } from '../../core/state.ts';
import { getIsoSeconds, getJsonFile } from './format.ts';

/** `test_baseline.json`: the tests a regression is measured against; null before the first run. */
export function getTestBaseline({ baseline }: State): string | null {
  if (!baseline) return null;
  return getJsonFile({
    session: baseline.session,
    timestamp: getIsoSeconds(baseline.atMs),
    passing_tests: baseline.passing,
    total_passing: baseline.passing.length,
    total_tests: baseline.passing.length + baseline.failing.length,
  });
}
