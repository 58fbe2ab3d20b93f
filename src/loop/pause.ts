/** Lets everything else have its turn; nothing waits here for time to pass. */
export function pause(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
