/** Shapes of secrets that are recognised wherever they turn up. */
const PATTERNS: readonly RegExp[] = [
  /\bsk-ant-[A-Za-z0-9_-]{16,}/g,
  /\bsk-(?:proj-)?[A-Za-z0-9_-]{20,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=:\/\/[^\s:/@]{1,64}:)[^\s@/]{3,}(?=@)/g,
  /(?<=\bBearer\s)[A-Za-z0-9._~+/-]{16,}=*/gi,
];

/** Names whose values are secrets, whatever they look like. */
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|DSN|CONNECTION_STRING|DATABASE_URL)$/i;

/** Shorter values are too common to be taken out of everything. */
const MIN_LENGTH = 8;

/** What is shorter may be a word that happens to be a value, too. */
const MIN_TELLING = 12;

const MASK = '[redacted]';

export type Redact = (text: string) => string;

/** A redactor that also knows how secrets begin, for text that comes in pieces. */
export interface Redactor extends Redact {
  /** Where at the end something begins that more text could make a secret; the length when nothing does. */
  getOpenAt(text: string): number;
  /** Known values in a text that are too long to be there by chance. */
  findKnown(text: string): readonly string[];
}

/** The letters those shapes begin with. */
const BEGINNINGS = 'sk- ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- xox AKIA ASIA AIza npm_ eyJ Bearer'.split(
  ' ',
);

/** The shapes at the end of a text, as far as they have come. */
const OPEN_PATTERNS: readonly RegExp[] = [
  new RegExp(`\\b(?:${BEGINNINGS.flatMap(getPrefixes).join('|')})$`, 'i'),
  /\b(?:sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|npm_|eyJ)[\w.-]*$/,
  /\bBearer\s+[\w.~+/-]*$/i,
  new RegExp(`(?:${getPrefixes('-----BEGIN ').join('|')})$|-----BEGIN [A-Z ]*-{0,5}$`),
  /:(?:\/(?:\/[^\s/@]*)?)?$/,
];

function getPrefixes(word: string): string[] {
  return Array.from(word, (_, at) => word.slice(0, at + 1));
}

/** The values of an environment that must not be written down. */
export function getSecretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== undefined && value.length >= MIN_LENGTH)
    .map(([, value]) => value as string);
}

/** Takes secrets out of a text: the known values, also in their common encodings, and the known shapes. */
export function createRedactor(values: readonly string[]): Redactor {
  const needles = [...new Set(values.flatMap(getSpellings))].filter(value => value.length >= MIN_LENGTH);
  needles.sort((a, b) => b.length - a.length);
  const known = needles.length === 0 ? null : new RegExp(needles.map(escapePattern).join('|'), 'g');
  const redact = (text: string): string => {
    let clean = known ? text.replace(known, MASK) : text;
    for (const pattern of PATTERNS) clean = clean.replace(pattern, MASK);
    return clean;
  };
  const getOpenAt = (text: string): number => {
    const tailAt = Math.max(0, text.length - SEAM_CHARS);
    const tail = text.slice(tailAt);
    const shapes = OPEN_PATTERNS.map(pattern => tail.search(pattern)).filter(at => at >= 0);
    const begun = Math.min(tail.length, ...shapes, ...needles.map(needle => getBegunAt(tail, needle)));
    return Math.min(tailAt + begun, getOpenKeyAt(text));
  };
  const findKnown = (text: string): readonly string[] =>
    (known ? (text.match(known) ?? []) : []).filter(value => value.length >= MIN_TELLING);
  return Object.assign(redact, { getOpenAt, findKnown });
}

/** Where a text ends with the beginning of a value. */
function getBegunAt(text: string, needle: string): number {
  for (let length = Math.min(text.length, needle.length - 1); length > 0; length--) {
    if (text.endsWith(needle.slice(0, length))) return text.length - length;
  }
  return text.length;
}

/** Where a private key begins that does not end; it may be of any length. */
function getOpenKeyAt(text: string): number {
  const endAt = Math.max(0, text.lastIndexOf('-----END '));
  const at = text.slice(endAt).search(/-----BEGIN [A-Z ]*PRIVATE KEY-----/);
  return at < 0 ? text.length : endAt + at;
}

/** Both texts as one when a secret lies across the two or may come to; null when they can stand apart. */
export function joinSplitSecret(before: string, after: string, redact: Redactor): string | null {
  const start = Math.min(redact.getOpenAt(before), Math.max(0, before.length - SEAM_CHARS));
  const seam = before.slice(start);
  if (redact.getOpenAt(seam + after) < seam.length) return settle(before, redact) + after;
  const apart = countOpen(redact(seam)) + countOpen(redact(after));
  if (countOpen(redact(seam + after)) >= apart) return null;
  return settle(before, redact) + settle(after, redact);
}

/** Longer than any secret but a key. */
const SEAM_CHARS = 4_096;

/** Closed secrets are masked for good; what may go on stays as it is, to be recognised when it has. */
function settle(text: string, redact: Redactor): string {
  const openAt = redact.getOpenAt(text);
  return redact(text.slice(0, openAt)) + text.slice(openAt);
}

function countOpen(text: string): number {
  return text.replaceAll(MASK, '').length;
}

/** Where free text stands in events: ids, paths and hashes elsewhere must stay what they are. */
const TEXT_KEYS = new Set([
  'summary',
  'reason',
  'message',
  'text',
  'detail',
  'findings',
  'commands',
  'command',
  'output',
  ...['decisions', 'notes', 'entry', 'phase', 'completed', 'next_step', 'memory_notes'],
  ...['question', 'what', 'why', 'steps', 'note', 'lastEdit'],
]);

/** The same value with its free text redacted. */
export function redactTexts<T>(value: T, redact: Redact): T {
  return walk(value, redact, false) as T;
}

function walk(value: unknown, redact: Redact, isText: boolean): unknown {
  if (typeof value === 'string') return isText ? redact(value) : value;
  if (Array.isArray(value)) return value.map(item => walk(item, redact, isText));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, walk(item, redact, TEXT_KEYS.has(key))]),
  );
}

/**
 * The same value with every text redacted, names included, so thoroughly that redacting it once more
 * as JSON changes nothing: what is hashed has to be what is written.
 */
export function redactAll<T>(value: T, redact: Redact): T {
  if (isClean(value, redact)) return value;
  return walkAll(value, text => {
    const clean = redact(text);
    const json = JSON.stringify(clean);
    return redact(json) === json ? clean : MASK;
  }) as T;
}

/** Mostly there is nothing to redact: two looks at all the text are quicker than one at each of a thousand. */
function isClean(value: unknown, redact: Redact): boolean {
  const texts: string[] = [];
  walkAll(value, text => {
    texts.push(text);
    return text;
  });
  const [raw, json] = [texts.join('\n'), JSON.stringify(value, null, 2)];
  return redact(raw) === raw && redact(json) === json;
}

function walkAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(item => walkAll(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), walkAll(item, redact)]));
}

function getSpellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const lines = value.includes('\n') ? value.split('\n').filter(line => line.length >= 16) : [];
  return [value, json, encodeURIComponent(value), ...getEncodings(value), ...lines];
}

/** In base64 with whatever follows, in the same piece or not, and in hex. */
function getEncodings(value: string): string[] {
  const bytes = Buffer.from(value);
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  const line = Buffer.from(`${value}\n`).toString('base64');
  const [base64, hex] = [bytes.toString('base64'), bytes.toString('hex')];
  const url = [base64, whole].map(text => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''));
  return [base64, line, whole, ...url, hex, hex.toUpperCase(), ...getInner(bytes)];
}

/**
 * The part of its base64 that stays the same whatever stands before and after: `user:token` is what a login is
 * made of, and whoever the user is, the middle is the token's.
 */
function getInner(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap(before => {
    const head = (3 - before) % 3;
    const whole = bytes.subarray(head, bytes.length - ((bytes.length - head) % 3)).toString('base64');
    const url = whole.replaceAll('+', '-').replaceAll('/', '_');
    return whole.length >= MIN_INNER ? [whole, url] : [];
  });
}

/** Shorter ones could turn up by chance. */
const MIN_INNER = 12;

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
