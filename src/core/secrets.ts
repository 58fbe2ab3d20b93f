/** What keys of known services look like. The first group, or all of it, is the random part. */
const SHAPES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a key of AWS', /\b(?:AKIA|ASIA|ABIA|ACCA)([A-Z0-9]{16})\b/g],
  ['a token of GitHub', /\b(?:gh[pousr]_|github_pat_)([A-Za-z0-9_]{36,})/g],
  ['a token of GitLab', /\bgl(?:pat|dt|rt|cbt|ptt)-([\w-]{20,})/g],
  ['a token of Slack', /\bxox[abeprs]-([A-Za-z0-9-]{20,})/g],
  ['a webhook of Slack', /hooks\.slack\.com\/services\/T\w+\/B\w+\/(\w{20,})/g],
  ['a key of Google', /\bAIza([\w-]{35})(?![\w-])/g],
  ['a secret of Google', /\bGOCSPX-([\w-]{24,})/g],
  ['a token of npm', /\bnpm_([A-Za-z0-9]{36})\b/g],
  ['a token of PyPI', /\bpypi-AgE([\w-]{50,})/g],
  ['a key of Anthropic', /\bsk-ant-([\w-]{24,})/g],
  ['a key of OpenAI', /\bsk-(?:proj-|svcacct-)?([A-Za-z0-9][\w-]{31,})/g],
  ['a key of Stripe', /\b[rs]k_live_([A-Za-z0-9]{16,})/g],
  ['a key of SendGrid', /\bSG\.([\w-]{16,}\.[\w-]{32,})/g],
  ['a token of Hugging Face', /\bhf_([A-Za-z0-9]{30,})/g],
  ['a token of DigitalOcean', /\bdo[opr]_v1_([0-9a-f]{64})\b/g],
  ['a token of Telegram', /\b\d{8,10}:(AA[\w-]{33})(?![\w-])/g],
  ['a key of Azure', /\bAccountKey=([A-Za-z0-9+/]{60,}={0,2})/g],
  [
    'a password in an address',
    /:\/\/[^\s:/@'"`]{1,64}:([^\s@/'"`{}$<>]{8,})@(?=[\w-]+\.)(?!(?:[\w-]+\.)*(?:example|test|invalid|localhost|local)\b)/g,
  ],
];

/** A value beside a name that says what it is. */
const NAMED =
  /(?:secret|token|passw(?:or)?d|api[_-]?key|private[_-]?key|access[_-]?key|auth[_-]?key|credentials?)\w*["']?\s*(?:=>|[:=])\s*(["'`])([A-Za-z0-9+/_=.-]{20,})\1/gi;

/** A private key needs more than its first line: that one is also written by whoever reads or explains keys. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|[^A-Za-z0-9]|Proc-Type:[^\n]*|DEK-Info:[^\n]*)*([A-Za-z0-9+/]{40,})/g;

const PLACEHOLDER =
  /example|sample|dummy|fake|placeholder|changeme|your|test|redacted|xxxx|\*{3}|0{6}|12345/i;

/** Secrets in a text, by kind and line; never the secret itself. */
export function findSecrets(text: string): readonly { readonly line: number; readonly what: string }[] {
  const found: { line: number; what: string }[] = [];
  const add = (index: number, what: string) =>
    found.push({ line: text.slice(0, index).split('\n').length, what });
  for (const [what, pattern] of SHAPES)
    for (const match of text.matchAll(pattern)) if (isRandom(match[1] ?? '', 2.8)) add(match.index, what);
  for (const match of text.matchAll(PRIVATE_KEY)) add(match.index, 'a private key');
  for (const match of text.matchAll(NAMED)) if (isSecretValue(match[2] ?? '')) add(match.index, 'a secret');
  return found.filter(({ line }, at) => found.findIndex(other => other.line === line) === at);
}

/** Mixed enough to come from a machine, and neither a name put together from words, nor a text in base64, nor a hash. */
function isSecretValue(value: string): boolean {
  const longest = Math.max(...value.split(/[-_.]/).map(part => part.length));
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter(kind => kind.test(value)).length;
  if (longest < 16 || kinds < 2 || !/\d/.test(value) || isText(value)) return false;
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/i.test(value) || /^sha\d{3}-/.test(value))
    return false;
  return isRandom(value, /^[0-9a-f]+$/i.test(value) ? 3.2 : 3.8);
}

function isRandom(value: string, bits: number): boolean {
  return !PLACEHOLDER.test(value) && getEntropy(value) >= bits && !isSequence(value);
}

/** Bits for each character, by how often each occurs. */
function getEntropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** `abcdef…`, `aaaa…`: what people type where a key would stand. */
function isSequence(value: string): boolean {
  let steps = 0;
  for (let at = 1; at < value.length; at++)
    if (Math.abs(value.charCodeAt(at) - value.charCodeAt(at - 1)) <= 1) steps++;
  return steps * 2 > value.length;
}

function isText(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  try {
    return /^[\x20-\x7e\s]+$/.test(atob(value));
  } catch {
    return false;
  }
}
