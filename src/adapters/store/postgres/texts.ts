/** Of no language; stands before a digit for what cannot stand there itself. */
const MARK = '\ue000';

/**
 * A text as PostgreSQL takes it: it keeps no zero byte, so that one, and the mark that stands for it, are written as
 * two characters. Half a surrogate pair becomes what UTF-8 makes of it, as in SQLite.
 */
export function toText(text: string): string {
  const whole = /[\ud800-\udfff]/.test(text) ? Buffer.from(text).toString() : text;
  return whole.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`);
}

/** The text that was given. */
export function fromText(text: string): string {
  return text.replace(/\ue000([01])/g, (_, kind) => (kind === '0' ? '\0' : MARK));
}
