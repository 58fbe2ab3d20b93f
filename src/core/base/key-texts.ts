import { isIn } from './random-value.ts';

/** How every object in base64 begins whose first key is in quotes. */
const OBJECT = 'eyJ';

/** Where signed web tokens (JWT) begin: three parts of which the first says how it was signed. */
export function findWebTokens(text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(OBJECT); at >= 0; at = text.indexOf(OBJECT, at + 1)) {
    if (at > 0 && isUrlSafe(text.charAt(at - 1))) continue;
    let end = at;
    while (isUrlSafe(text.charAt(end)) || '.='.includes(text.charAt(end) || ' ')) end++;
    const [header = '', payload = '', signature = ''] = text.slice(at, end).split('.');
    if (signature.length < MIN_SIGNATURE || !('alg' in decode(header))) continue;
    const claims = JSON.stringify(decode(payload));
    if (!EXAMPLES.some(word => claims.includes(word))) found.push(at);
  }
  return found;
}

const MIN_SIGNATURE = 20;

/** Who tokens are made out to that documents show and nobody accepts. */
const EXAMPLES: readonly string[] = ['John Doe', 'example', '-demo"'];

function isUrlSafe(character: string): boolean {
  return ['az', 'AZ', '09', '--', '__'].some(range => isIn(character, range));
}

/** The object that a part of a token holds; an empty one for what holds none. */
function decode(part: string): object {
  try {
    const value: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const PUTTY = 'PuTTY-User-Key-File-';

/** Where a key of PuTTY begins; who explains such writes the first line alone, and not at the top. */
export function findPuttyKey(text: string): readonly number[] {
  const at = text.indexOf(PUTTY);
  const lines = text.indexOf(LINES, at);
  const hasBody = lines > 0 && isIn(text.charAt(lines + LINES.length), '09');
  return at === 0 || (at > 0 && hasBody) ? [at] : [];
}

const LINES = 'Private-Lines: ';

/** Whether a file is a container of private keys (PKCS#12, `.p12`, `.pfx`): a DER sequence that begins with version 3. */
export function isKeyContainer(text: string): boolean {
  // Bytes that are no UTF-8 are read as U+FFFD; the length before the version has up to four.
  const at = text.indexOf('\x02\x01\x030');
  return text.startsWith('0') && text.charCodeAt(1) >= 0x80 && at >= 2 && at <= 6;
}
