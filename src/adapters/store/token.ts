/** A text that nobody guesses: the token of a lease, the name of an append. */
export function createToken(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, byte => (byte % 36).toString(36)).join('');
}
