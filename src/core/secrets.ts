import { isIn, isRandom, isSecretValue } from './random-value.ts';

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

/** A value beside a name that says what it is, or a password in an address that leads somewhere. */
const NAMED =
  /(?:secret|token|passw(?:or)?d|api[_-]?key|private[_-]?key|access[_-]?key|auth[_-]?key|credentials?)\w*["']?\s*(?:=>|[:=])\s*(["'`])([A-Za-z0-9+/_=.-]{20,})\1/gi;
const ADDRESS =
  /:\/\/[^\s:/@'"`]{1,64}:([^\s@/'"`{}$<>]{8,})@(?=[\w-]+\.)(?!(?:[\w-]+\.)*(?:example|test|invalid|localhost|local)\b)/g;

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
  for (const match of text.matchAll(ADDRESS))
    if (isRandom(match[1] ?? '', 2.8)) add(match.index, 'a password in an address');
  for (const match of text.matchAll(NAMED)) if (isSecretValue(match[2] ?? '')) add(match.index, 'a secret');
  return found.filter(({ line }, at) => found.findIndex(other => other.line === line) === at);
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
