import { isHash, isIn, isMachineMade, isRandom, isSecretValue } from './random-value.ts';

/** How keys of known services begin, and how many characters follow at least. */
const KEYS: readonly (readonly [name: string, beginnings: string, length: number])[] = [
  ['a key of AWS', 'AKIA ASIA ABIA ACCA', 16],
  ['a token of GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_ github_pat_', 36],
  ['a token of GitLab', 'glpat- gldt- glrt- glcbt- glptt-', 20],
  ['a token of Slack', 'xoxa- xoxb- xoxe- xoxp- xoxr- xoxs- hooks.slack.com/services/T', 20],
  ['a key of Google', 'AIza GOCSPX-', 24],
  ['a token of npm', 'npm_', 36],
  ['a token of PyPI', 'pypi-AgE', 50],
  ['a key of Anthropic', 'sk-ant-', 24],
  ['a key of OpenAI', 'sk-proj- sk-svcacct- sk-', 32],
  ['a key of Stripe', 'sk_live_ rk_live_', 16],
  ['a key of SendGrid', 'SG.', 48],
  ['a token of Hugging Face', 'hf_', 30],
  ['a token of DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', 64],
  ['a token of Telegram', ':AA', 33],
  ['a key of Azure', 'AccountKey=', 60],
];

/** Long runs of what keys are made of. */
const TOKEN = /[\w.:/+=-]{20,400}/g;

/** A value beside a name that says what it is, in quotes or up to the end of its line. */
const NAMED =
  /(?:secret|token|passw(?:or)?d|passphrase|pwd|_pass|(?:api|private|access|auth|signing|encryption)[_-]?key|credentials?)\w*["']?\s*(?:=>|[:=])\s*(?:(["'`])([A-Za-z0-9+/_=.-]{20,})\1|([^\s"'`$(){}<>[\],;|][^\s"'`(){}<>[\],;|]{11,199})[ \t]*(?:#.*)?$)/gim;
/** A password in an address that leads somewhere; the dot tells a place in the world from a name in a network. */
const ADDRESS =
  /:\/\/([^\s:/@'"`]{0,64}):([^\s@/'"`{}$<>]{8,})@(?!(?:[\w-]+\.)*(?:example|test|invalid|localhost|local)\b)[\w-]+(\.)?/g;

/** A private key needs more than its first line: that one is also written by whoever reads or explains keys. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[^A-Za-z0-9]|Proc-Type:[^\n]*|DEK-Info:[^\n]*)*([A-Za-z0-9+/]{40,})/g;

/** Secrets in a text, by kind and line; never the secret itself. */
export function findSecrets(text: string): readonly { readonly line: number; readonly what: string }[] {
  const found: { line: number; what: string }[] = [];
  const add = (index: number, what: string) =>
    found.push({ line: text.slice(0, index).split('\n').length, what });
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const what = getKey(token);
    if (what) add(index, what);
  }
  for (const { index } of text.matchAll(PRIVATE_KEY)) add(index, 'a private key');
  for (const { 1: user, 2: password = '', 3: dot, index } of text.matchAll(ADDRESS))
    if (user && dot ? isRandom(password, 2.8) : isMachineMade(password, 10))
      add(index, 'a password in an address');
  for (const { 0: setting, 2: quoted = '', 3: plain = '', index } of text.matchAll(NAMED)) {
    const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
    const isShown = ['example.com', 'example.org'].some(host => before.includes(host));
    if (isSecretValue(quoted) || (!isShown && isPlainSecret(setting, plain))) add(index, 'a secret');
  }
  for (const index of findWebTokens(text)) add(index, 'a token that signs somebody in');
  for (const index of findPuttyKey(text)) add(index, 'a private key');
  return found.filter(({ line }, at) => found.findIndex(other => other.line === line) === at);
}

/** Settings have no quotes; there a hash is told from a key by what it is called. */
function isPlainSecret(setting: string, value: string): boolean {
  const name = setting.slice(0, setting.indexOf(value)).toLowerCase();
  const body = value.slice(0, value.endsWith('==') ? -2 : value.endsWith('=') ? -1 : undefined);
  if (body.includes('=') || value.includes('://') || value.includes('sha256') || value.includes('sha512'))
    return false;
  if (isHash(value) && ['hash', 'sha', 'digest', 'sum'].some(word => name.includes(word))) return false;
  return isMachineMade(body, 12);
}

/** Whose key a run of characters is, from any word in it on; null for nobody's. */
function getKey(token: string): string | null {
  for (const [what, beginnings, length] of KEYS) {
    for (const beginning of beginnings.split(' ')) {
      const at = token.indexOf(beginning);
      const isWhole = at === 0 || (at > 0 && !isLetter(token.charAt(at - 1))) || beginning.startsWith(':');
      if (at < 0 || !isWhole) continue;
      const rest = getRun(token.slice(at + beginning.length));
      if (rest.length >= length && rest.length <= MAX_KEY && isRandom(rest, 2.8)) return what;
    }
  }
  return null;
}

/** Longer runs are data that happens to hold the letters. */
const MAX_KEY = 300;

/** Up to where a key may go. */
function getRun(text: string): string {
  const end = [...text].findIndex(letter => letter === ':' || letter === '=');
  return end < 0 ? text : text.slice(0, end);
}

function isLetter(character: string): boolean {
  return isIn(character, 'az') || isIn(character, 'AZ') || isIn(character, '09') || character === '_';
}

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
