/** A value as one word of a POSIX shell, quoted only where it must be: what a person is told to type can be typed. */
export function getShellQuoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
