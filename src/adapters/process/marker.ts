/** The variable every child carries, so that it can be found after it has left its process group. */
export const MARKER_VARIABLE = 'HARNESS_RUN';

/** Names one run of one worker; the token makes it unguessable. */
export function getMarker(workerId: string, token: string): string {
  return `${workerId}:${token}`;
}

/** Matches every run of one worker; the colon keeps `w-ab` from matching `w-abc`. */
export function getWorkerPrefix(workerId: string): string {
  return `${workerId}:`;
}

/**
 * A harness that runs inside another one's agent adds its marker to the outer one, so that the outer
 * harness still finds the innermost processes as its own.
 */
export function getMarkerChain(outer: string | undefined, marker: string): string {
  return outer ? `${outer},${marker}` : marker;
}

/** Whether a chain of markers holds one that starts with `prefix`. */
export function hasMarker(chain: string, prefix: string): boolean {
  return prefix !== '' && chain.split(',').some(marker => marker.startsWith(prefix));
}
