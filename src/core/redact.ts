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

const MASK = '[redacted]';

export type Redact = (text: string) => string;

/** The values of an environment that must not be written down. */
export function getSecretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== undefined && value.length >= MIN_LENGTH)
    .map(([, value]) => value as string);
}

/** Takes secrets out of a text: the known values, also in their common encodings, and the known shapes. */
export function createRedactor(values: readonly string[]): Redact {
  const needles = [...new Set(values.flatMap(getSpellings))].filter(value => value.length >= MIN_LENGTH);
  needles.sort((a, b) => b.length - a.length);
  const known = needles.length === 0 ? null : new RegExp(needles.map(escapePattern).join('|'), 'g');
  return text => {
    let clean = known ? text.replace(known, MASK) : text;
    for (const pattern of PATTERNS) clean = clean.replace(pattern, MASK);
    return clean;
  };
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

function getSpellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const lines = value.includes('\n') ? value.split('\n').filter(line => line.length >= 16) : [];
  return [value, json, encodeURIComponent(value), ...lines];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
