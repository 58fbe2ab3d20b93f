import { getMarker, getMarkerChain, MARKER_VARIABLE } from '../../process/marker.ts';
import type { RunGit } from './run-git.ts';

/**
 * Git with the worker's mark. A git that outlives its killed harness would go on writing while the
 * next one clears locks and lays out the same trees: the mark is how the next one ends it first.
 */
export function markGit(run: RunGit, workerId: string): RunGit {
  const mark = getMarkerChain(process.env[MARKER_VARIABLE], getMarker(workerId, 'git'));
  return (args, options) => run(args, { ...options, env: { ...options.env, [MARKER_VARIABLE]: mark } });
}
